"""Drift: what documents say of options, against where the options really live."""
