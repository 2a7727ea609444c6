"""The tables: the only folder that knows LanceDB."""
