"""Whether the data is what it should be: measured, checked, and put on pages."""
