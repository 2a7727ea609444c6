"""What is decided when an embedder is chosen, before anything is contacted or loaded."""

import subprocess
import sys

import pytest

from muniment.embedders import EMBEDDERS, EmbedderChoice, make_embedder
from muniment.errors import SettingsError

CHOICES = {
    "bundled": EmbedderChoice(),
    "none": EmbedderChoice("none"),
    "ollama": EmbedderChoice("ollama"),
    "openai": EmbedderChoice("openai", "nomic-embed-text"),
    "another model": EmbedderChoice("ollama", "mxbai-embed-large"),
    "another tag": EmbedderChoice("ollama", "nomic-embed-text:137m-v1.5-fp16"),
    "another width": EmbedderChoice("ollama", dimension=512),
    "another window": EmbedderChoice("ollama", max_tokens=512),
    "another document prefix": EmbedderChoice("ollama", document_prefix=""),
    "another query prefix": EmbedderChoice("ollama", query_prefix=""),
    "prefixes the other way round": EmbedderChoice(
        "ollama", document_prefix="search_query: ", query_prefix="search_document: "
    ),
}


def test_other_vectors_have_another_fingerprint() -> None:
    fingerprints = {name: make_embedder(choice).fingerprint for name, choice in CHOICES.items()}
    assert len(set(fingerprints.values())) == len(CHOICES), fingerprints


@pytest.mark.parametrize(
    "same",
    [
        EmbedderChoice("ollama", "Nomic-Embed-Text:latest"),
        EmbedderChoice("ollama", url="http://localhost:9", timeout_s=1, batch=2, api_key="k", threads=3),
        EmbedderChoice("ollama", dimension=768, max_tokens=2048, query_prefix="search_query: "),
    ],
)
def test_the_same_vectors_have_the_same_fingerprint(same: EmbedderChoice) -> None:
    assert make_embedder(same).fingerprint == make_embedder(EmbedderChoice("ollama")).fingerprint


def test_choosing_loads_nothing_heavy() -> None:
    code = """if True:
        import sys
        from muniment.embedders import EMBEDDERS, EmbedderChoice, make_embedder
        for name in EMBEDDERS:
            made = make_embedder(EmbedderChoice(name, "" if name == "bundled" else "m"))
            print(made.fingerprint, made.dimension, made.max_tokens)
        heavy = {"numpy", "onnxruntime", "tokenizers", "ollama", "httpx", "anyio", "pydantic", "ssl"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == len(EMBEDDERS)


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (EmbedderChoice("word2vec"), "no embedder 'word2vec'"),
        (EmbedderChoice("openai"), "needs a model"),
        (EmbedderChoice("bundled", "nomic-embed-text"), "one model"),
        (EmbedderChoice("ollama", url="ftp://localhost"), "no plain http or https address"),
        (EmbedderChoice("ollama", api_key="two words"), "api_key"),
        (EmbedderChoice("ollama", proxy="nonsense"), "embedder.proxy"),
    ],
)
def test_a_choice_that_cannot_work_is_refused(choice: EmbedderChoice, says: str) -> None:
    with pytest.raises(SettingsError, match=says) as caught:
        make_embedder(choice)
    assert caught.value.hint


def test_a_key_is_never_shown() -> None:
    choice = EmbedderChoice("ollama", api_key="sk-very-secret")
    with pytest.raises(SettingsError) as caught:
        make_embedder(EmbedderChoice("ollama", api_key="sk-very secret"))
    assert "very" not in repr(choice) + str(caught.value) + caught.value.hint
