"""How text reaches a terminal: inert, whatever it holds."""

import sys

from muniment.inert import inert, one_line

__all__ = ["emit", "inert", "note", "one_line", "say"]


def say(text: str = "") -> None:
    """Prints a result."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Prints what is not a result."""
    sys.stderr.write(inert(text) + "\n")


def emit(text: str) -> None:
    """Prints a document that programs read: in UTF-8 and byte for byte, but inert where a person looks on.

    Bytes that are no UTF-8 are given as lone surrogates.
    """
    raw = inert(text).encode("utf-8", "backslashreplace") if sys.stdout.isatty() else text.encode("utf-8", _BYTES)
    sys.stdout.flush()
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


_BYTES = "surrogateescape"
