"""The nightly report: what is new, fixed and still open, as one page for a person and one document for programs."""
