"""Fuzzing what reads foreign text: each target takes bytes, and complains where something does not hold."""
