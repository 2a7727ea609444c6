"""What is peculiar to Ollama and its client."""

import subprocess
import sys

import pytest

from muniment.embedders.known import KNOWN_MODELS, find_model, plain_name
from tests.muniment.embedders.servers import EmbeddingServer


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OLLAMA_HOST", "http://[bad"),
        ("ALL_PROXY", "socks5://127.0.0.1:9"),
    ],
)
def test_a_bad_environment_breaks_nothing(name: str, value: str) -> None:
    code = """if True:
        import os, sys
        from muniment.embedders import EmbedderChoice, make_embedder
        before = dict(os.environ)
        print(make_embedder(EmbedderChoice("ollama", "tiny", sys.argv[1])).embed(["x"]).shape)
        assert before == dict(os.environ)
    """
    with EmbeddingServer("ollama") as server:
        done = subprocess.run(
            [sys.executable, "-c", code, server.url], capture_output=True, text=True, check=False, env={name: value}
        )
    assert (done.stdout, done.stderr) == ("(1, 8)\n", "")


@pytest.mark.parametrize(
    ("spelled", "known"),
    [
        ("nomic-embed-text:v1.5", "nomic-embed-text"),
        ("Nomic-Embed-Text:latest", "nomic-embed-text"),
        ("registry.example.com/someone/mxbai-embed-large:q8", "mxbai-embed-large"),
        ("sentence-transformers/all-MiniLM-L6-v2", "all-minilm"),
    ],
)
def test_a_known_model_is_known_under_its_other_names(spelled: str, known: str) -> None:
    assert find_model(spelled) == KNOWN_MODELS[known]


def test_a_version_is_another_model() -> None:
    assert find_model("nomic-embed-text-v2-moe").max_tokens == 512
    assert find_model("nomic").dimension == 0
    assert plain_name("Tiny:LATEST") == plain_name("tiny") != plain_name("tiny:v2")
