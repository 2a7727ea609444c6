"""The Python packages of a repository as names: what each module and class holds, read and never imported."""
