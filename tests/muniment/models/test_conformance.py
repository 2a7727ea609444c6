"""What every model that talks to a server must do; runs over the whole table."""

import json
from collections.abc import Callable

import pytest

from muniment.errors import ProviderReply, ProviderUnavailable, Refused, SettingsError
from muniment.models import MODELS, ModelChoice, make_model
from tests.muniment.embedders.servers import Dialect
from tests.muniment.models.conftest import SCHEMA, TALK, Make
from tests.muniment.models.servers import ModelHandler, ModelServer


def test_a_model_says_what_the_server_says(make: Make, server: ModelServer) -> None:
    server.conduct.say = lambda request: '{"answer": "für 5 m, 日本"}'
    reply = make().reply(TALK, SCHEMA, 20)
    assert (reply.text, reply.cut, reply.host) == ('{"answer": "für 5 m, 日本"}', False, server.url)


def test_messages_and_schema_arrive_as_given(make: Make, server: ModelServer) -> None:
    make().reply(TALK, SCHEMA, 20)
    (request,) = server.chats
    assert request.schema == SCHEMA
    assert request.body["messages"] == [{"role": one.role, "content": one.content} for one in TALK]


def test_window_and_length_are_always_said(make: Make, dialect: Dialect, server: ModelServer) -> None:
    make(context_tokens=2_048, max_tokens=77).reply(TALK, SCHEMA, 20)
    body = server.chats[0].body
    if dialect == "ollama":
        assert body["options"] == {"temperature": 0, "seed": 1, "num_ctx": 2_048, "num_predict": 77}
        assert (body["stream"], body["think"], body["keep_alive"]) == (False, False, "10m")
    else:
        assert (body["max_tokens"], body["temperature"]) == (77, 0)


def test_a_reply_at_the_limit_of_tokens_is_cut(make: Make, server: ModelServer) -> None:
    server.conduct.say = lambda request: json.dumps({"answer": "so on " * 50})
    assert make(max_tokens=16).reply(TALK, SCHEMA, 20).cut


def test_making_a_model_contacts_nothing(make: Make, server: ModelServer) -> None:
    assert make().label.endswith(":chatty")
    assert not server.requests


FAULTS: dict[str, tuple[Callable[[ModelHandler], None], type[Exception], str]] = {
    "500": (lambda handler: handler.fail(500, "oops"), ProviderReply, "HTTP 500"),
    "503": (lambda handler: handler.fail(503, "busy"), ProviderUnavailable, "HTTP 503"),
    "too long": (lambda handler: handler.fail(400, "exceeds the available context size"), ProviderReply, "too long"),
    "HTML": (lambda handler: handler.answer(200, b"<p>It works!</p>"), ProviderReply, "not what was asked"),
    "a list": (lambda handler: handler.answer(200, b"[]"), ProviderReply, "no chat|not what was asked|no message"),
    "no choice": (lambda handler: handler.answer(200, b'{"choices": []}'), ProviderReply, "no chat|not what|message"),
    "reset": (ModelHandler.reset, ProviderUnavailable, "broke off"),
    "hang": (ModelHandler.hang, ProviderUnavailable, r"within 0\.3 s"),
    "drip": (
        lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"),
        ProviderUnavailable,
        r"within 0\.3 s",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_gets_its_name(make: Make, server: ModelServer, fault: str) -> None:
    server.conduct.instead, error, says = FAULTS[fault]
    with pytest.raises(error, match=says) as caught:
        make(timeout_s=0.3).reply(TALK, SCHEMA, 20)
    assert "how long?" not in str(caught.value)


def test_the_budget_of_time_ends_a_wait(make: Make, server: ModelServer) -> None:
    server.conduct.instead = ModelHandler.hang
    with pytest.raises(ProviderUnavailable, match="did not answer within"):
        make().reply(TALK, SCHEMA, 0.3)


def test_a_model_that_the_server_lacks_is_named(make: Make) -> None:
    with pytest.raises(ProviderReply, match="'missing'"):
        make(model="missing").reply(TALK, SCHEMA, 20)


def test_the_first_healthy_host_serves(make: Make, server: ModelServer, second: ModelServer) -> None:
    with ModelServer() as third:
        gone = third.url
    hosts = (gone, second.url, server.url)
    assert make(hosts=hosts).reply(TALK, SCHEMA, 20).host == second.url
    assert not server.requests
    said = make(hosts=hosts).health()
    assert [one.ok for one in said] == [False, True, True]
    assert "can't be reached" in said[0].said


def test_a_host_that_fails_while_asked_is_passed_over(make: Make, server: ModelServer, second: ModelServer) -> None:
    second.conduct.busy = True
    assert make(hosts=(second.url, server.url)).reply(TALK, SCHEMA, 20).host == server.url


def test_the_preferred_host_is_blamed_when_none_serves(make: Make, server: ModelServer, second: ModelServer) -> None:
    server.conduct.busy = second.conduct.busy = True
    with pytest.raises(ProviderUnavailable, match=second.url):
        make(hosts=(second.url, server.url)).reply(TALK, SCHEMA, 20)


def test_each_host_must_be_this_machine_or_acknowledged(make: Make, server: ModelServer) -> None:
    with pytest.raises(Refused, match=r"model\.hosts"):
        make(hosts=(server.url, "http://192.0.2.1"))
    assert make(hosts=(server.url, "http://192.0.2.1"), egress_ack=True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"model": ""}, "needs a model"), ({"hosts": ("localhost:1",)}, "no plain http"), ({"api_key": "a b"}, "api_key")],
)
def test_a_wrong_choice_is_a_wrong_setting(make: Make, changes: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        make(**changes)


def test_no_model_is_the_default() -> None:
    assert make_model(ModelChoice()) is None
    with pytest.raises(SettingsError, match="no model 'gpt'") as caught:
        make_model(ModelChoice("gpt"))
    assert all(name in caught.value.hint for name in MODELS)
