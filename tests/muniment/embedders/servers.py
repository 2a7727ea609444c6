"""Loopback servers that speak the wire formats of Ollama and of OpenAI, and can be made to misbehave."""

import hashlib
import json
import re
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

import numpy as np

Dialect = Literal["ollama", "openai"]
PATHS: dict[Dialect, str] = {"ollama": "/api/embed", "openai": "/v1/embeddings"}
LOCAL_HOST = re.compile(r"(localhost|.+\.localhost|.+\.local|.+\.internal|127\.[\d.]+|\[::1\])(:\d+)?")


def hash_vector(text: str, dimension: int) -> list[float]:
    """A unit vector that depends on nothing but the text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(dimension)
    return [float(x) for x in vector / np.linalg.norm(vector)]


@dataclass
class Received:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    texts: list[str]


@dataclass
class Behaviour:
    """What the server holds, and what is wrong with it."""

    models: dict[str, int] = field(default_factory=lambda: {"nomic-embed-text": 768, "tiny": 8})
    """Name -> width."""
    window_chars: int = 10_000
    cuts: bool = True
    """Whether a longer text is cut to the window; otherwise it is refused."""
    spoil: Callable[[list[str], list[Any]], list[Any]] = lambda texts, vectors: vectors
    """Changes the vectors on their way out."""
    refuse: Callable[[list[str]], tuple[int, str] | None] = lambda texts: None
    """A status and a message instead of vectors."""
    instead: "Callable[[Handler], None] | None" = None
    """Does anything at all instead of answering."""


class Handler(BaseHTTPRequestHandler):
    """One exchange."""

    protocol_version = "HTTP/1.1"
    server: "EmbeddingServer"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        given = body.get("input")
        texts = [given] if isinstance(given, str) else given or []
        self.server.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, texts))
        behaviour = self.server.behaviour
        if behaviour.instead:
            behaviour.instead(self)
        elif not LOCAL_HOST.fullmatch(self.headers["Host"]):
            self.answer(403, b"")
        elif self.path != PATHS[self.server.dialect]:
            self.answer(404, b"404 page not found", "text/plain")
        else:
            self.embed(behaviour, body["model"], texts)

    def embed(self, behaviour: Behaviour, model: str, texts: list[str]) -> None:
        width = behaviour.models.get(model.lower().removesuffix(":latest"))
        if width is None:
            self.refuse(404, f"model '{model}' not found")
        elif refusal := behaviour.refuse(texts):
            self.refuse(*refusal)
        elif not behaviour.cuts and any(len(text) > behaviour.window_chars for text in texts):
            if self.server.dialect == "ollama":
                self.refuse(400, "the input length exceeds the context length")
            else:
                self.refuse(500, "input (902 tokens) is too large to process. increase the physical batch size")
        else:
            vectors = [hash_vector(text[: behaviour.window_chars], width) for text in texts]
            self.answer_vectors(model, behaviour.spoil(texts, vectors))

    def answer_vectors(self, model: str, vectors: list[Any]) -> None:
        if self.server.dialect == "ollama":
            reply = {"model": model, "embeddings": vectors, "total_duration": 5_000_000, "prompt_eval_count": 7}
        else:
            data = [
                vector if isinstance(vector, dict) else {"object": "embedding", "index": i, "embedding": vector}
                for i, vector in enumerate(vectors)
            ]
            reply = {"object": "list", "data": data, "model": model, "usage": {"prompt_tokens": 7, "total_tokens": 7}}
        self.answer(200, json.dumps(reply).encode())

    def refuse(self, status: int, message: str) -> None:
        error: Any = message
        if self.server.dialect == "openai":
            kind = {404: "not_found_error", 400: "invalid_request_error"}.get(status, "api_error")
            error = {"message": message, "type": kind, "param": None, "code": None}
        self.answer(status, json.dumps({"error": error}).encode())

    def answer(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def hang(self) -> None:
        self.close_connection = True
        self.server.closing.wait()

    def drip(self, what: bytes) -> None:
        """Sends a byte every few milliseconds, for ever."""
        self.close_connection = True
        self.wfile.write(what)
        while not self.server.closing.wait(0.005):
            self.wfile.write(b" ")

    def reset(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: tests print nothing."""


class EmbeddingServer(ThreadingHTTPServer):
    """A server on a free loopback port, listening as long as the `with` block lasts."""

    daemon_threads = False
    handler: type[Handler] = Handler

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.dialect = dialect
        self.behaviour = Behaviour()
        self.received: list[Received] = []
        self.closing = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def texts(self) -> list[str]:
        """Every text received so far."""
        return [text for received in self.received for text in received.texts]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a client that gives up is what some tests are about."""
