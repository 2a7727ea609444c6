"""A chat model of an Ollama server, through its own client."""

from collections.abc import Awaitable
from dataclasses import asdict
from typing import Any

from muniment.endpoints.endpoint import Endpoint
from muniment.endpoints.ollama import client_library
from muniment.models import Model, ModelChoice
from muniment.models.hosted import HostedModel, Wording

URL = "http://127.0.0.1:11434"


def make(choice: ModelChoice) -> Model:
    """The model of the Ollama servers; raises SettingsError and Refused as `check_endpoint` does."""

    def chat(endpoint: Endpoint, wording: Wording) -> Awaitable[tuple[object, object]]:
        # A prompt over num_ctx is cut without a word, and the default is a few thousand tokens: always say it.
        options = {"temperature": 0, "seed": 1, "num_ctx": choice.context_tokens, "num_predict": choice.max_tokens}
        return _chat(_client(endpoint, wording.options), endpoint.model, wording, options, choice.keep_alive)

    return HostedModel(choice, (URL,), chat, _probe, f"run: ollama pull {choice.model}")


def _client(endpoint: Endpoint, options: dict[str, Any]) -> Any:
    return client_library().AsyncClient(host=endpoint.url, **options)


async def _chat(
    client: Any, model: str, wording: Wording, options: dict[str, Any], keep_alive: str
) -> tuple[object, object]:
    messages = [asdict(message) for message in wording.messages]
    try:
        answer = await client.chat(
            model, messages, format=wording.schema, options=options, keep_alive=keep_alive, think=False
        )
    except TypeError as error:
        # The client unpacks any JSON as if it were an object.
        raise ValueError("the answer is no JSON object") from error
    finally:
        await client.close()
    return answer.message.content, answer.done_reason


async def _probe(endpoint: Endpoint, options: dict[str, Any]) -> str:
    client = _client(endpoint, options)
    try:
        listed = [model.model or "" for model in (await client.list()).models]
    except TypeError as error:
        raise ValueError("the answer is no JSON object") from error
    finally:
        await client.close()
    if _full(endpoint.model) not in [_full(name) for name in listed]:
        raise endpoint.unusable("does not have this model", endpoint.missing_hint)
    return f"has '{endpoint.model}'"


def _full(name: str) -> str:
    """A model's name as Ollama compares it."""
    return name.lower() if ":" in name.rpartition("/")[2] else f"{name.lower()}:latest"
