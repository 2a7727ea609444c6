"""Routers, one file a noun."""
