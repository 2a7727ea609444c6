"""Extraction in a process of its own: bounded in time and memory, and what kills it costs one document.

`python -m tasks.extract.confined` is that process. It reads frames and writes frames: four bytes of length, then a
format's name, a line end and a document; back come an outcome's fields as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
from dataclasses import asdict
from datetime import date
from threading import Timer
from time import monotonic
from typing import IO, Any, Self

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.extract import MAX_TEXT, extractor

SECONDS = 20.0
"""For one document."""
MAX_MEMORY = 1 << 30
"""Bytes of address space: what a PDF of a few kilobytes may unfold to is a hundred times that."""
_LENGTH = struct.Struct(">I")


class Confined:
    """Extracts documents one after the other; the process is started with the first and ends with the `with` block."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def extract(self, form: str, raw: bytes) -> Extracted | NoText:
        """The text of a document in a format of `tasks.extract.FORMATS`, or why there is none; never raises."""
        process = self._process = self._process or _start()
        assert process.stdin
        assert process.stdout
        timer = Timer(self._seconds, process.kill)
        timer.start()
        began = monotonic()
        try:
            _write(process.stdin, form.encode() + b"\n" + raw)
            reply = _read(process.stdout)
        except BrokenPipeError:
            reply = None
        finally:
            timer.cancel()
        if reply is None:
            self._stop()
            late = monotonic() - began >= self._seconds
            return NoText("unreadable", f"it took over {self._seconds:g} s" if late else "its reader died of it")
        return _outcome(json.loads(reply))

    def _stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Answers frames until there are no more."""
    while (frame := _read(source)) is not None:
        form, _, raw = frame.partition(b"\n")
        _write(sink, json.dumps(_fields(_extract(form.decode(), raw))).encode())


def _extract(form: str, raw: bytes) -> Extracted | NoText:
    try:
        found = extractor(form)(raw)
    except MemoryError:
        return NoText("too large", "it unfolds to more than there is room for")
    if isinstance(found, Extracted) and len(found.text) > MAX_TEXT:
        return NoText("too large", f"{len(found.text):,} characters of text")
    return found


def _fields(found: Extracted | NoText) -> dict[str, Any]:
    fields = asdict(found)
    if isinstance(found, Extracted) and found.stated.doc_date:
        fields["stated"]["doc_date"] = found.stated.doc_date.isoformat()
    return fields


def _outcome(fields: dict[str, Any]) -> Extracted | NoText:
    if "reason" in fields:
        return NoText(**fields)
    said = fields.pop("stated")
    day = date.fromisoformat(said["doc_date"]) if said["doc_date"] else None
    stated = Stated(**said | {"doc_date": day, "tags": tuple(said["tags"]), "faults": tuple(said["faults"])})
    return Extracted(**fields, stated=stated)


def _start() -> subprocess.Popen[bytes]:
    # -I: neither the folder it is called from nor the environment has a say in what is imported.
    return subprocess.Popen(
        [sys.executable, "-I", "-m", "tasks.extract.confined"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
    )


def _write(sink: IO[bytes], frame: bytes) -> None:
    sink.write(_LENGTH.pack(len(frame)) + frame)
    sink.flush()


def _read(source: IO[bytes]) -> bytes | None:
    """The next frame; None where there is no whole one."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    frame = source.read(length)
    return frame if len(frame) == length else None


def main() -> None:
    """The process: whatever a library prints goes nowhere, and nothing it does may need more than its share."""
    import resource

    with contextlib.suppress(ValueError, OSError):  # a system that has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
