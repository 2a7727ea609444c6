"""Where text may be sent."""

import contextlib
import socket
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.endpoints.address import check_address, is_loopback
from muniment.errors import Refused, SettingsError


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434",
        "https://ollama.localhost/api",
        "http://127.0.0.1:1/v1",
        "http://127.9.8.7",
        "http://[::1]:80",
        "http://[::ffff:127.0.0.1]:80",
        "HTTP://LOCALHOST:5",
    ],
)
def test_this_machine_needs_no_acknowledgement(url: str) -> None:
    check_address(url, "embedder.url", egress_ack=False)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://10.0.0.7:11434",
        "http://0.0.0.0:11434",
        "http://localhost.example.com",
        "http://notlocalhost",
        "http://127.0.0.1.example.com",
        "http://127.1",
        "http://2130706433",
        "http://[::]:80",
        "http://[fe80::1]",
        "http://[::ffff:10.0.0.7]",
        "http://[1::2]",
    ],
)
def test_another_machine_needs_an_acknowledgement(url: str) -> None:
    with pytest.raises(Refused) as caught:
        check_address(url, "embedder.url", egress_ack=False)
    assert caught.value.exit_code == 4
    assert "egress_ack" in caught.value.hint
    check_address(url, "embedder.url", egress_ack=True)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "//localhost",
        "ftp://localhost",
        "file:///etc/hostname",
        "http://",
        "http://:80",
        "http://[bad",
        "http://localhost:port",
        "http://localhost:0",
        "http://localhost:99999",
        "http://localhost/?key=1",
        "http://localhost/#x",
        "http://%6cocalhost",
        "http://local host",
        "http://[1]",
        "http://[::1]x",
        "http://localhost\n.example.com",
        "http://localhost\t",
        "http://localhost\\.example.com",
        "http://lоcalhost",  # the first o is Cyrillic
    ],
)
def test_what_is_no_plain_address_is_refused(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_address(url, "embedder.url", egress_ack=True)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("url", ["http://me:hunter2@localhost", "http://hunter2@localhost:x", "http://[hunter2@"])
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_address(url, "embedder.url", egress_ack=True)
    assert "hunter2" not in caught.value.message + caught.value.hint


@given(
    st.sampled_from(["http://", "http://localhost", "http://127.0.0.1", "https://[::1]"]),
    st.text(st.sampled_from("al0127.:/[]%@\\#?-_ \t\u0430\u3002"), max_size=12),
)
def test_the_client_sees_the_host_that_was_checked(start: str, rest: str) -> None:
    with contextlib.suppress(SettingsError, Refused):
        check_address(start + rest, "embedder.url", egress_ack=False)
        assert is_loopback(httpx.URL(start + rest).host)


@given(st.ip_addresses())
def test_only_loopback_numbers_are_this_machine(address: object) -> None:
    text = str(address)
    assert is_loopback(text) == (text.startswith(("127.", "::ffff:7f")) or text == "::1")


@pytest.mark.parametrize("name", ["ollama", "openai"])
@pytest.mark.parametrize("setting", ["url", "proxy"])
def test_no_name_is_looked_up_to_decide(name: str, setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    far: dict[str, Any] = {setting: "http://secret-project.example.com"}
    looked_up: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_: looked_up.append(args))
    with pytest.raises(Refused, match=f"embedder.{setting}"):
        make_embedder(EmbedderChoice(name, "tiny", **far))
    assert not looked_up
