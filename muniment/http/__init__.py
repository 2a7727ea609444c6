"""The HTTP surface: parse, call, render. FastAPI is known here alone."""
