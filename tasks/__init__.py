"""What each step does: plain functions from values to values."""
