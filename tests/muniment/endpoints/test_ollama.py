"""The client library of Ollama, as our own threads load it."""

import subprocess
import sys

from tests.muniment.embedders.servers import EmbeddingServer


def test_threads_that_load_it_at_once_all_get_it_whole() -> None:
    """A server that warms up while it is asked its first question has two of them."""
    code = """if True:
        import sys
        from concurrent.futures import ThreadPoolExecutor
        from muniment.embedders import EmbedderChoice, make_embedder
        embedder = make_embedder(EmbedderChoice("ollama", "tiny", sys.argv[1]))
        with ThreadPoolExecutor(8) as pool:
            print({vectors.shape for vectors in pool.map(lambda n: embedder.embed([str(n)]), range(8))})
    """
    with EmbeddingServer("ollama") as server:
        done = subprocess.run([sys.executable, "-c", code, server.url], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{(1, 8)}\n", "")
