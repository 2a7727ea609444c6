"""muniment: a retrieval index over a repository's own documentation."""

__version__ = "0.1.0"
