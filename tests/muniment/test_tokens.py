"""Tokens: made once, kept as hashes, refused once revoked."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import UsageError
from muniment.tokens import FILE, TokenFile, create_token, find_token, read_span, read_tokens

NOW = datetime(2026, 1, 31, tzinfo=UTC)


def test_a_token_is_printed_once_and_never_kept(muniment: Any, own_place: Path) -> None:
    ran = muniment("token", "create", "laptop")
    token = ran.out.strip()
    assert (ran.code, token.startswith("mnm_"), len(token)) == (0, True, 47)
    file = own_place / FILE
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert token not in muniment("token", "list").out
    (kept,) = muniment("token", "list", "--json").json
    assert (kept["name"], kept["scope"]) == ("laptop", "read")
    found = find_token(read_tokens(own_place), token)
    assert found is not None
    assert found.name == "laptop"


def test_a_revoked_token_is_none(muniment: Any, own_place: Path) -> None:
    tokens = TokenFile(own_place)
    assert tokens.current() == []
    made = muniment("token", "create", "ci", "--scope", "write", "--json").json
    assert find_token(tokens.current(), made["token"]).scope == "write"  # type: ignore[union-attr]
    assert muniment("token", "revoke", "ci").code == 0
    assert find_token(tokens.current(), made["token"]) is None
    assert muniment("token", "revoke", "ci").code == 2


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "a\n"])
def test_a_name_is_a_plain_word(muniment: Any, name: str) -> None:
    assert muniment("token", "create", name).code == 2


def test_a_name_is_taken_once(muniment: Any, own_place: Path) -> None:
    assert muniment("token", "create", "a").code == 0
    ran = muniment("token", "create", "a")
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: there is a token 'a'")
    assert len(read_tokens(own_place)) == 1


def test_tokens_made_at_once_are_all_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: create_token(tmp_path, f"t{n}", "read", NOW), range(24)))
    kept = read_tokens(tmp_path)
    assert len(set(made)) == len(kept) == 24
    assert all(find_token(kept, one) for one in made)


def test_a_torn_file_is_an_error_and_left_alone(muniment: Any, own_place: Path) -> None:
    own_place.mkdir()
    (own_place / FILE).write_text("[{")
    assert muniment("token", "create", "a").code == 4
    assert (own_place / FILE).read_text() == "[{"


def test_two_tokens_share_nothing(tmp_path: Path) -> None:
    one, other = (create_token(tmp_path, name, "read", NOW) for name in "ab")
    assert one != other
    digests = [kept["digest"] for kept in json.loads((tmp_path / FILE).read_text())]
    assert len(set(digests)) == 2
    assert find_token(read_tokens(tmp_path), one[:-1]) is None


def test_a_token_may_expire_and_the_list_says_when(muniment: Any, own_place: Path) -> None:
    made = muniment("token", "create", "guest", "--expires", "90d")
    (kept,) = read_tokens(own_place)
    assert datetime.fromisoformat(kept.expires_at) - datetime.fromisoformat(kept.created_at) == timedelta(days=90)
    assert f"it expires {kept.expires_at}" in made.err
    assert f"expires {kept.expires_at}" in muniment("token", "list").out
    create_token(own_place, "late", "read", NOW, timedelta(hours=1))
    assert (
        "late  read  made 2026-01-31T00:00:00+00:00  expired 2026-01-31T01:00:00+00:00" in muniment("token", "list").out
    )
    shown = {one["name"]: one for one in muniment("token", "list", "--json").json}
    assert (shown["guest"]["expires_at"], shown["guest"]["expired"]) == (kept.expires_at, False)
    assert shown["late"]["expired"] is True
    assert muniment("token", "create", "always", "--json").json["expires_at"] is None


@pytest.mark.parametrize(("text", "hours"), [("12h", 12), ("90d", 2_160), ("4w", 672), ("3650d", 87_600)])
def test_a_span_is_hours_days_or_weeks(text: str, hours: int) -> None:
    assert read_span(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "text", ["90", "d", "-1d", "0d", "1.5d", "90 d", "3651d", "999999w", "1y", "9" * 30 + "h", "١d"]
)
def test_any_other_span_is_an_error(muniment: Any, own_place: Path, text: str) -> None:
    with pytest.raises(UsageError, match="can't last"):
        read_span(text)
    assert muniment("token", "create", "a", f"--expires={text}").code == 2
    assert read_tokens(own_place) == []


@pytest.mark.parametrize("written", ["soon", "2026-01-31T00:00:00", 7])
def test_an_expiry_that_is_no_moment_is_a_torn_file(muniment: Any, own_place: Path, written: object) -> None:
    create_token(own_place, "a", "read", NOW, timedelta(days=1))
    (kept,) = json.loads((own_place / FILE).read_text())
    (own_place / FILE).write_text(json.dumps([kept | {"expires_at": written}]))
    assert muniment("token", "list").code == 4
