"""How text reaches a terminal: inert, whatever it holds."""

import sys

from muniment.inert import inert, inert_json, one_line

__all__ = ["emit", "inert", "note", "one_line", "say"]


def say(text: str = "") -> None:
    """Prints a result; what is alive in it is spelled so that JSON stays JSON."""
    sys.stdout.write(inert_json(text) + "\n")


def note(text: str) -> None:
    """Prints what is not a result, on one line: a name with a line break in it makes no line of its own."""
    sys.stderr.write(one_line(text) + "\n")


def emit(text: str) -> None:
    """Prints a document that programs read: in UTF-8 and byte for byte, but inert where a person looks on.

    Bytes that are no UTF-8 are given as lone surrogates.
    """
    raw = inert(text).encode("utf-8", "backslashreplace") if sys.stdout.isatty() else text.encode("utf-8", _BYTES)
    sys.stdout.flush()
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


_BYTES = "surrogateescape"
