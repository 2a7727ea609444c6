"""Version numbers that decide whether an existing index can be used. No imports: the no-op path reads them."""

SCHEMA_VERSION = 3
"""Raised whenever a column is added, dropped or changes its meaning; an older index is then rebuilt."""

CHUNKER = "chunker-2"
"""Raised whenever the same file would be classified, cut, titled or tokenised differently."""

FACTS = "facts-4"
"""Raised whenever the claims or truths read from the same file would differ; files are then read again."""
