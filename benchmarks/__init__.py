"""Measurements and the demonstration: what `make bench` and `make demo` run."""
