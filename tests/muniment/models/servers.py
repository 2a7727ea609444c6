"""A loopback server to Ollama's wire contract, chat and embeddings, and to OpenAI's; what it says is up to the test.

After ollama/ollama at fb30760 (server/routes.go, api/types.go, openai/openai.go, docs/api.md).
"""

import base64
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.muniment.embedders.servers import LOCAL_HOST, Dialect, EmbeddingServer, Handler, hash_vector

BUSY = "server busy, please try again.  maximum pending requests exceeded"
UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Held:
    """A model that the server has."""

    capability: str
    """completion or embedding."""
    width: int = 0
    context: int = 2048


@dataclass
class Request:
    """One request as it arrived."""

    path: str
    body: dict[str, Any]

    @property
    def question(self) -> dict[str, Any]:
        """What the first user message of a chat asks, as muniment puts it."""
        user = next(message for message in self.body["messages"] if message["role"] == "user")
        asked: dict[str, Any] = json.loads(user["content"])
        return asked

    @property
    def schema(self) -> Any:
        """The schema that the reply should have."""
        wanted = self.body.get("response_format")
        return wanted["json_schema"]["schema"] if wanted else self.body.get("format")


@dataclass
class Conduct:
    """What the server holds and says, and what is wrong with it."""

    models: dict[str, Held] = field(
        default_factory=lambda: {"chatty:latest": Held("completion"), "tiny:latest": Held("embedding", 8)}
    )
    say: Callable[[Request], str] = lambda request: "Nothing."
    """The content of a chat reply."""
    busy: bool = False
    instead: "Callable[[ModelHandler], None] | None" = None
    """Does anything at all instead of answering a chat."""


class ModelHandler(Handler):
    """One exchange."""

    server: "ModelServer"

    def do_GET(self) -> None:
        listed = self.server.conduct.models
        pages: dict[str, Any] = {
            "/api/tags": {"models": [self.tag(name, held) for name, held in listed.items()]},
            "/api/ps": {"models": []},
            "/api/version": {"version": "0.24.0"},
            "/v1/models": {"object": "list", "data": [{"id": name, "object": "model"} for name in listed]},
        }
        if not LOCAL_HOST.fullmatch(self.headers["Host"]):
            self.answer(403, b"")
        elif self.path == "/":
            self.answer(200, b"Ollama is running", "text/plain")
        elif self.path in pages:
            self.answer_json(pages[self.path])
        else:
            self.answer(405 if self.path in POSTS else 404, b"", "text/plain")

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not LOCAL_HOST.fullmatch(self.headers["Host"]):
            self.answer(403, b"")
        elif self.path not in POSTS:
            self.answer(405 if self.path in ("/api/tags", "/api/version") else 404, b"404 page not found", "text/plain")
        elif not raw:
            self.fail(400, "missing request body")
        else:
            try:
                body = json.loads(raw)
            except ValueError:
                self.fail(400, "invalid character 'x' looking for beginning of value")
                return
            request = Request(self.path, body)
            self.server.requests.append(request)
            if self.server.conduct.busy:
                self.fail(503, BUSY)
            else:
                POSTS[self.path](self, request)

    def chat(self, request: Request) -> None:
        conduct, body = self.server.conduct, request.body
        if conduct.instead:
            conduct.instead(self)
            return
        held = self.held(body)
        if held is None:
            return
        if held.capability != "completion":
            self.fail(400, f'"{body["model"]}" does not support chat')
        elif body.get("think"):
            self.fail(400, f'"{body["model"]}" does not support thinking')
        elif not isinstance(body.get("format", {}), dict) and body["format"] not in ("json", ""):
            self.fail(400, f'invalid format: {body["format"]!r}; expected "json" or a valid JSON Schema object')
        elif (lasts := seconds(body.get("keep_alive", "5m"))) is None:
            self.fail(400, "time: invalid duration")
        elif not body.get("messages"):
            self.answer_json(self.turn(body["model"], "", "unload" if lasts == 0 else "load"))
        else:
            self.talk(request, held)

    def talk(self, request: Request, held: Held) -> None:
        body, options = request.body, request.body.get("options") or {}
        window = min(options.get("num_ctx") or 4096, held.context * 1_000)
        # Oldest first, and without a word: what a prompt over the window comes to.
        while len(body["messages"]) > 1 and sum(len(m["content"].split()) for m in body["messages"]) > window:
            del body["messages"][0]
        words = self.server.conduct.say(request)
        limit = options.get("num_predict", -1) if self.path == "/api/chat" else body.get("max_tokens", -1)
        cut = 0 < limit * 8 < len(words)  # a token is about so long
        said, why = (words[: limit * 8], "length") if cut else (words, "stop")
        if self.path == "/v1/chat/completions":
            message = {"role": "assistant", "content": said}
            choice = {"index": 0, "message": message, "finish_reason": why}
            self.answer_json({"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]})
        elif body.get("stream", True):
            parts = [{**self.turn(body["model"], piece, ""), "done": False} for piece in said.split(" ")]
            lines = [json.dumps(part) for part in [*parts, self.turn(body["model"], "", why)]]
            self.answer(200, "\n".join(lines).encode() + b"\n", "application/x-ndjson")
        else:
            self.answer_json(self.turn(body["model"], said, why))

    def embed_all(self, request: Request) -> None:
        body = request.body
        held, given = self.held(body), body.get("input")
        texts = [given] if isinstance(given, str) else given or []
        if held is None:
            return
        if not all(isinstance(text, str) for text in texts):
            self.fail(400, "invalid input type")
        elif self.path == "/v1/embeddings" and not given and given != "":
            self.fail(400, "invalid input")
        elif body.get("truncate") is False and any(len(text.split()) > held.context for text in texts):
            self.fail(400, "the input length exceeds the context length")
        else:
            if given == "" and self.path == "/api/embed":
                texts = []
            cut = [" ".join(text.split()[: held.context]) for text in texts]
            self.answer_embeddings(body, [shortened(hash_vector(text, held.width), body) for text in cut])

    def answer_embeddings(self, body: Mapping[str, Any], vectors: list[list[float]]) -> None:
        if self.path == "/api/embed":
            self.answer_json({"model": body["model"], "embeddings": vectors})
            return
        encode = encoded if body.get("encoding_format") == "base64" else list
        data = [{"object": "embedding", "index": i, "embedding": encode(v)} for i, v in enumerate(vectors)]
        self.answer_json({"object": "list", "data": data, "model": body["model"]})

    def embed_one(self, request: Request) -> None:
        held, text = self.held(request.body, 'model "{}" not found, try pulling it first'), request.body.get("prompt")
        if held is not None:
            self.answer_json({"embedding": hash_vector(text, held.width) if text else []})

    def show(self, request: Request) -> None:
        held = self.held({"model": request.body.get("model") or request.body.get("name")})
        if held is not None:
            info = {"general.architecture": "bert", "bert.context_length": held.context}
            info |= {"bert.embedding_length": held.width}
            self.answer_json({"details": DETAILS, "model_info": info, "capabilities": [held.capability]})

    def held(self, body: Mapping[str, Any], unknown: str = "model '{}' not found") -> Held | None:
        """The model that a request names; None once it was refused."""
        name = body.get("model")
        if not name:
            self.fail(400, "model is required")
            return None
        full = name.lower() if ":" in name else f"{name.lower()}:latest"
        held = {known.lower(): held for known, held in self.server.conduct.models.items()}.get(full)
        if held is None:
            self.fail(404, unknown.format(name))
        return held

    def turn(self, model: str, said: str, why: str) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        message = {"role": "assistant", "content": said}
        return {
            "model": model,
            "created_at": now,
            "message": message,
            "done": True,
            "done_reason": why,
            "eval_count": 9,
        }

    def tag(self, name: str, held: Held) -> dict[str, Any]:
        known = {
            "name": name,
            "model": name,
            "modified_at": datetime.now(UTC).isoformat(),
            "size": 1,
            "digest": "0" * 64,
        }
        return {**known, "details": DETAILS, "capabilities": [held.capability]}

    def fail(self, status: int, message: str) -> None:
        error: Any = message
        if self.path.startswith("/v1/"):
            kind = {404: "not_found_error", 400: "invalid_request_error"}.get(status, "api_error")
            error = {"message": message, "type": kind, "param": None, "code": None}
        self.answer_json({"error": error}, status)

    def answer_json(self, value: Any, status: int = 200) -> None:
        self.answer(status, json.dumps(value).encode())


DETAILS = {"parent_model": "", "format": "gguf", "family": "bert", "families": ["bert"], "parameter_size": "1M"}
DETAILS |= {"quantization_level": "F16"}
POSTS: dict[str, Callable[[ModelHandler, Request], None]] = {
    "/api/chat": ModelHandler.chat,
    "/api/embed": ModelHandler.embed_all,
    "/api/embeddings": ModelHandler.embed_one,
    "/api/show": ModelHandler.show,
    "/v1/chat/completions": ModelHandler.chat,
    "/v1/embeddings": ModelHandler.embed_all,
}


class ModelServer(EmbeddingServer):
    """Listens on a free loopback port as long as the `with` block lasts."""

    handler = ModelHandler

    def __init__(self, dialect: Dialect = "ollama") -> None:
        super().__init__(dialect)
        self.conduct = Conduct()
        self.requests: list[Request] = []

    @property
    def chats(self) -> list[Request]:
        """The requests for a chat reply so far."""
        return [request for request in self.requests if "chat" in request.path]


def seconds(keep_alive: object) -> float | None:
    """How long a model stays loaded; None for what Ollama refuses."""
    if isinstance(keep_alive, int | float):
        return keep_alive
    if isinstance(keep_alive, str) and keep_alive[-1:] in UNITS and keep_alive[:-1].lstrip("-").isdigit():
        return int(keep_alive[:-1]) * UNITS[keep_alive[-1]]
    return None


def shortened(vector: list[float], body: Mapping[str, Any]) -> list[float]:
    """The vector cut to the dimensions asked for, at length 1 again."""
    wanted = body.get("dimensions") or 0
    if not 0 < wanted < len(vector):
        return vector
    length = sum(x * x for x in vector[:wanted]) ** 0.5
    return [x / length for x in vector[:wanted]]


def encoded(vector: list[float]) -> str:
    """The vector as OpenAI's base64 of float32."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
