"""Verifying what is published: against its checksums, itself, the run ledger and the sources."""
