"""Likely keys in documents: what they look like, where they stand, and the step that leaves them out."""
