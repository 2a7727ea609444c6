"""One target in a process of its own: `python -m benchmarks.fuzz.run NAME [what libFuzzer takes]`."""

from __future__ import annotations

import sys


def main() -> None:
    """Fuzzes until the time is up, or something breaks."""
    import atheris

    with atheris.instrument_imports(include=["tasks", "muniment", "schemas"]):
        from benchmarks.fuzz.targets import TARGETS
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
