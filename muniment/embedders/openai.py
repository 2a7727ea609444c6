"""Embeddings from any server that speaks OpenAI's /v1/embeddings: llama.cpp, vLLM, LM Studio, TEI, OpenAI itself."""

from typing import Any
from urllib.parse import urlsplit

from muniment.embedders import Embedder, EmbedderChoice
from muniment.embedders.endpoint import choose_endpoint
from muniment.embedders.remote import RemoteEmbedder
from muniment.endpoints.endpoint import Endpoint

URL = "http://127.0.0.1:8080/v1"


def make(choice: EmbedderChoice) -> Embedder:
    """The embedder of an OpenAI-compatible server; raises SettingsError and Refused as `choose_endpoint` does."""
    return RemoteEmbedder(choice, choose_endpoint(choice, URL, "", "set embedder.model to a model it serves"), _ask)


async def _ask(endpoint: Endpoint, texts: list[str], options: dict[str, Any]) -> object:
    import httpx

    base = endpoint.url if urlsplit(endpoint.url).path else f"{endpoint.url}/v1"
    async with httpx.AsyncClient(**options) as client:
        response = await client.post(f"{base}/embeddings", json={"model": endpoint.model, "input": texts})
    return _in_order(endpoint, response.json())


def _in_order(endpoint: Endpoint, answer: Any) -> list[object]:
    """The vectors of an answer in the order of their texts, which the answer need not keep."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise endpoint.unusable("answered with something that is not embeddings")
    vectors = {item["index"]: item.get("embedding") for item in data if isinstance(item.get("index"), int)}
    if vectors.keys() != set(range(len(data))):
        raise endpoint.unusable("did not number its vectors from 0 upwards")
    return [vectors[i] for i in range(len(data))]
