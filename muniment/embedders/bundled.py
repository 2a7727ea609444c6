"""The default embedder: all-MiniLM-L6-v2 run here by onnxruntime, offline, with nothing to set up."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from muniment.embedders import Embedder, EmbedderChoice, Role, Vectors
from muniment.embedders.fingerprint import spell_fingerprint
from muniment.embedders.text import encodable
from muniment.embedders.weights import TOKENIZER, WEIGHTS
from muniment.errors import SettingsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MODEL = "all-MiniLM-L6-v2"
DIMENSION = 384
MAX_TOKENS = 256
MAX_THREADS = 8
# A batch of 64 takes 3.1 GB and half the speed of 2; texts of 20 tokens gain half again from 4 at a time.
MAX_BATCH = 4
MAX_BATCH_TOKENS = 256
_RULES = {"weights": WEIGHTS.sha256, "tokenizer": TOKENIZER.sha256, "pooling": "mean", "prefixes": "none"}


class BundledEmbedder:
    """One single-threaded session that several threads run at once, a few short texts or one long text each.

    That gives the very same vectors as onnxruntime's own threads, 1.15 times as fast, for 50 MB more with each thread,
    and leaves none behind that spins or that a fork would lose.
    """

    fingerprint = spell_fingerprint("bundled", MODEL, DIMENSION, MAX_TOKENS, _RULES)
    dimension = DIMENSION
    max_tokens = MAX_TOKENS
    fixed = True

    def __init__(self, threads: int) -> None:
        self._threads = threads or min(os.cpu_count() or 1, MAX_THREADS)
        self._lock = Lock()
        self._tokenizers: dict[bool, Tokenizer] = {}
        self._session: Any = None

    def __str__(self) -> str:
        return "embedder 'bundled'"

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each text, the two special ones included; loads the tokenizer, not the model."""
        tokenizer = self._tokenizer(cut=False)
        return [len(tokenizer.encode(encodable(text)).ids) for text in texts]

    def embed(self, texts: list[str], role: Role = "document") -> Vectors:  # noqa: ARG002
        """Unit vectors, the same for documents and queries; of a longer text, of its first 256 tokens.

        Raises ProviderError when the model's files are missing or altered.
        """
        import numpy as np

        from muniment.embedders.validate import unit_vectors

        tokenizer, session = self._tokenizer(cut=True), self._loaded_session()
        ids = [tokenizer.encode(encodable(text)).ids for text in texts]
        means = np.empty((len(texts), DIMENSION), np.float32)
        batches = plan_batches([len(each) for each in ids])
        if len(batches) == 1:  # a question: it need not wait for threads to start
            means[batches[0]] = _pool(session, [ids[i] for i in batches[0]])
            return unit_vectors(means, str(self))
        with ThreadPoolExecutor(self._threads) as pool:
            pooled = pool.map(partial(_pool, session), [[ids[i] for i in batch] for batch in batches])
            for batch, rows in zip(batches, pooled, strict=True):
                means[batch] = rows
        return unit_vectors(means, str(self))

    def embed_tokens(self, texts: list[str]) -> "list[NDArray[np.float32]]":
        """Unit vectors of each text's tokens, in their order and without the two special ones.

        Raises ProviderError when the model's files are missing or altered.
        """
        import numpy as np

        tokenizer, session = self._tokenizer(cut=True), self._loaded_session()
        ids = [tokenizer.encode(encodable(text)).ids for text in texts]
        found = [np.empty((0, DIMENSION), np.float32)] * len(texts)
        batches = plan_batches([len(each) for each in ids])
        with ThreadPoolExecutor(self._threads) as pool:
            hidden = pool.map(partial(_hidden, session), [[ids[i] for i in batch] for batch in batches])
            for batch, (rows, _) in zip(batches, hidden, strict=True):
                for place, row in zip(batch, rows, strict=True):
                    tokens = row[1 : len(ids[place]) - 1]
                    found[place] = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
        return found

    def _tokenizer(self, *, cut: bool) -> "Tokenizer":
        from tokenizers import Tokenizer

        with self._lock:
            if cut not in self._tokenizers:
                tokenizer = Tokenizer.from_file(str(TOKENIZER.find()))
                # The genuine file pads to 128 tokens and cuts at 128.
                tokenizer.no_padding()
                if cut:
                    tokenizer.enable_truncation(MAX_TOKENS)
                else:
                    tokenizer.no_truncation()
                self._tokenizers[cut] = tokenizer
            return self._tokenizers[cut]

    def _loaded_session(self) -> Any:
        # Read when it is loaded: from then on its builds report to their makers, and `disable_telemetry_events` alone
        # lets a first report out and an id of the machine be kept in the user's cache.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime

        with self._lock:
            if self._session is None:
                onnxruntime.disable_telemetry_events()
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = options.inter_op_num_threads = 1
                options.add_session_config_entry("session.intra_op.allow_spinning", "0")
                # Every batch has another shape: kept buffers would only add up.
                options.enable_cpu_mem_arena = options.enable_mem_pattern = False
                options.log_severity_level = 3
                self._session = onnxruntime.InferenceSession(str(WEIGHTS.find()), options, ["CPUExecutionProvider"])
            return self._session


def plan_batches(lengths: list[int]) -> list[list[int]]:
    """Positions of texts grouped by like length, longest first, each group a small one when padded."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    batches = []
    start = 0
    while start < len(order):
        size = min(MAX_BATCH, max(1, MAX_BATCH_TOKENS // lengths[order[start]]))
        batches.append(order[start : start + size])
        start += size
    return batches


def make(choice: EmbedderChoice) -> Embedder:
    """The bundled embedder; raises SettingsError when another model is asked of it."""
    if choice.model not in ("", MODEL):
        raise SettingsError(
            f"embedder 'bundled' has one model, '{MODEL}', and not '{choice.model}'",
            hint="leave embedder.model empty, or set embedder.name to the server that has it",
        )
    return _shared(choice.threads)


# One session a process: loading it takes as long as a dozen texts, and a server runs many flows and questions.
@cache
def _shared(threads: int) -> BundledEmbedder:
    return BundledEmbedder(threads)


def _pool(session: Any, ids: list[list[int]]) -> "NDArray[np.float32]":
    """The mean of each text's token vectors, padding left out."""
    import numpy as np

    hidden, mask = _hidden(session, ids)
    weights = mask[..., None].astype(np.float32)
    means: NDArray[np.float32] = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return means


def _hidden(session: Any, ids: list[list[int]]) -> "tuple[NDArray[np.float32], NDArray[np.int64]]":
    """A vector for each token of each text, padding included; and 1 where a token stands, 0 where padding does."""
    import numpy as np

    tokens = np.zeros((len(ids), max(map(len, ids))), np.int64)
    mask = np.zeros_like(tokens)
    for row, each in enumerate(ids):
        tokens[row, : len(each)] = each
        mask[row, : len(each)] = 1
    feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    return session.run(None, feed)[0], mask
