"""Effectiveness: from the assembly log to how much of what was gathered was used."""
