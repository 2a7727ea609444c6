"""Embeddings from an Ollama server, through its own client."""

from collections.abc import Awaitable
from typing import Any

from muniment.embedders import Embedder, EmbedderChoice
from muniment.embedders.endpoint import choose_endpoint
from muniment.embedders.remote import RemoteEmbedder
from muniment.endpoints.endpoint import Endpoint
from muniment.endpoints.ollama import client_library

URL = "http://127.0.0.1:11434"
MODEL = "nomic-embed-text"


def make(choice: EmbedderChoice) -> Embedder:
    """The embedder of an Ollama server; raises SettingsError and Refused as `choose_endpoint` does."""
    model = choice.model or MODEL
    return RemoteEmbedder(choice, choose_endpoint(choice, URL, MODEL, f"run: ollama pull {model}"), _ask)


def _ask(endpoint: Endpoint, texts: list[str], options: dict[str, Any]) -> Awaitable[object]:
    return _embed(client_library().AsyncClient(host=endpoint.url, **options), endpoint.model, texts)


async def _embed(client: Any, model: str, texts: list[str]) -> object:
    try:
        # Where the server's own cut works it is exact; where it does not, it answers that a text is too long.
        answer = await client.embed(model=model, input=texts, truncate=True)
    except TypeError as error:
        # The client unpacks any JSON as if it were an object.
        raise ValueError("the answer is no JSON object") from error
    finally:
        await client.close()
    return answer.embeddings
