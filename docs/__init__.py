"""The documentation's own generator lives here, beside what it writes."""
