"""Prefect's server as docs/prefect.md starts it: it opens to nobody without the password, and a hook has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import ROOT, Ran, make_repo
from tests.flows.conftest import answers, free_port, until

pytestmark = pytest.mark.slow
PASSWORD = "muniment:" + "not-a-secret-" * 2
FOREIGN = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}


def documented(port: int) -> dict[str, str]:
    """The variables that the page sets, for this port."""
    page = (ROOT / "docs" / "prefect.md").read_text()
    block = page.partition("<<EOF\n")[2].partition("EOF\n")[0]
    text = block.replace("$PASSWORD", PASSWORD).replace(":4200", f":{port}")
    return dict(re.findall(r"^export (\w+)=(.*)$", text, re.M))


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of such a server's API."""
    port = free_port()
    home = tmp_path_factory.mktemp("closed")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    environ = inherited | documented(port) | {"PREFECT_HOME": str(home)}
    start = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    url = environ["PREFECT_API_URL"]
    with (
        (home / "log").open("w") as log,
        httpx.Client() as client,
        subprocess.Popen(start, cwd=home, env=environ, stdout=log, stderr=log) as server,
    ):
        try:
            until(lambda: answers(client, url, server))
            yield url
        finally:
            server.terminate()


def test_nobody_is_let_in_without_the_password(closed: str) -> None:
    event = [{"event": "muniment.repo.pulled"}]
    assert httpx.post(f"{closed}/flows/filter", json={}).status_code == 401
    assert httpx.post(f"{closed}/events", json=event).status_code == 401
    assert httpx.post(f"{closed}/flows/filter", json={}, auth=("muniment", "wrong")).status_code == 401
    user, _, password = PASSWORD.partition(":")
    let_in = httpx.post(f"{closed}/flows/filter", json={}, auth=(user, password))
    assert let_in.status_code == 200


def test_no_other_page_may_call_it(closed: str) -> None:
    foreign = httpx.options(f"{closed}/flows/filter", headers=FOREIGN)
    assert "access-control-allow-origin" not in foreign.headers
    own = httpx.options(f"{closed}/flows/filter", headers=FOREIGN | {"Origin": closed.removesuffix("/api")})
    assert own.headers["access-control-allow-origin"] == closed.removesuffix("/api")


def test_a_hook_finds_the_password_where_prefect_keeps_it(
    muniment: Callable[..., Ran], closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words_only: None
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"})
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "event")
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    settings = [f"PREFECT_API_URL={closed}", f"PREFECT_API_AUTH_STRING={PASSWORD}"]
    subprocess.run([sys.executable, "-m", "prefect", "config", "set", *settings], check=True, capture_output=True)
    ran = muniment("hook", "run", repo)
    assert (ran.err, ran.out) == ("", f"told Prefect at {closed}\n")
    (tmp_path / "prefect" / "profiles.toml").unlink()
    monkeypatch.setenv("PREFECT_API_URL", closed)
    assert "does not let us in (HTTP 401)" in muniment("hook", "run", repo).err
