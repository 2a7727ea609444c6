"""A model of any server that speaks OpenAI's /v1/chat/completions: llama.cpp, vLLM, LM Studio, OpenAI itself."""

from collections.abc import Awaitable
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from muniment.endpoints.endpoint import Endpoint
from muniment.models import Model, ModelChoice
from muniment.models.hosted import HostedModel, Wording

URL = "http://127.0.0.1:8080/v1"


def make(choice: ModelChoice) -> Model:
    """The model of OpenAI-compatible servers; raises SettingsError and Refused as `check_endpoint` does."""

    def chat(endpoint: Endpoint, wording: Wording) -> Awaitable[tuple[object, object]]:
        return _chat(endpoint, wording, choice.max_tokens)

    return HostedModel(choice, (URL,), chat, _probe, "set model.model to a model it serves")


async def _chat(endpoint: Endpoint, wording: Wording, max_tokens: int) -> tuple[object, object]:
    import httpx

    body = {
        "model": endpoint.model,
        "messages": [asdict(message) for message in wording.messages],
        "temperature": 0,
        "seed": 1,
        "max_tokens": max_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": wording.schema},
        },
    }
    async with httpx.AsyncClient(**wording.options) as client:
        response = await client.post(f"{_base(endpoint)}/chat/completions", json=body)
    match response.json():
        case {"choices": [{"message": {"content": text}, **rest}, *_]}:
            return text, rest.get("finish_reason")
    raise endpoint.unusable("answered with something that is no chat completion")


async def _probe(endpoint: Endpoint, options: dict[str, Any]) -> str:
    import httpx

    async with httpx.AsyncClient(**options) as client:
        response = await client.get(f"{_base(endpoint)}/models")
    match response.json():
        case {"data": [*listed]}:
            names = [item.get("id") for item in listed if isinstance(item, dict)]
            # Not refused: llama.cpp serves its one model under any name.
            return f"lists '{endpoint.model}'" if endpoint.model in names else f"answers, without '{endpoint.model}'"
    raise endpoint.unusable("answered with something that is no list of models")


def _base(endpoint: Endpoint) -> str:
    return endpoint.url if urlsplit(endpoint.url).path else f"{endpoint.url}/v1"
