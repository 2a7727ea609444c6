"""Servers that embedders and models talk to: which addresses may be contacted, how, and how their faults are named."""
