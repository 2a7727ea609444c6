"""Keys in tracked files: none gets into the index or out of any door, and everything around them does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment.store.reader import open_reader
from schemas.columns import TABLES
from tests.attack.planted import planted
from tests.attack.stand_ins import STAND_INS
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.http.doors import opened
from tests.test_house import RUN, loaded_by

pytestmark = pytest.mark.usefixtures("words_only")

KEYS = planted()
PAGE = (
    "# Kestrel {number}\n\nThe kestrel job copies the archive.\n\n## Access\n\nSet this first:\n\n{text}\n\n"
    "## Nights\n\nIt runs at night.\n"
)
"""A document of which one part of three holds a key."""


def page(name: str) -> str:
    return PAGE.format(number=list(KEYS).index(name), text=KEYS[name][0])


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A document for each key."""
    return make_repo(tmp_path / "repo", {f"docs/{name.replace(' ', '-')}.md": page(name) for name in KEYS})


def stored(home: Path) -> str:
    """Every string of every table, and every file that is text."""
    with open_reader(home / "index", admit_sensitive=True) as reader:
        cells = [
            str(cell)
            for table in ("documents", "chunks", "skipped", "claims")
            for column in TABLES[table]
            if column.type == "string"
            for cell in reader.rows(table, [column.name])[column.name].to_pylist()
        ]
    files = (path for path in home.rglob("*") if path.is_file())
    return "\n".join([*cells, *(path.read_bytes().decode("latin-1") for path in files)])


def leaked(text: str) -> list[str]:
    return [name for name, (_, value) in KEYS.items() if value in text]


def test_no_key_is_stored_or_told(muniment: Any, repo: Path, own_place: Path) -> None:
    said = [muniment("index", repo), muniment("index", repo, "--force", "--json"), muniment("status")]
    said += [
        muniment("search", "access set this first", "--limit", "50", "--explain"),
        muniment("ask", "How is it set?"),
    ]
    assert [ran.code for ran in said] == [0] * 5
    assert leaked(stored(own_place)) == []
    assert leaked("".join(ran.out + ran.err for ran in said)) == []


def test_all_keys_are_stored_where_that_is_asked_for(
    muniment: Any, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is the setting that keeps them out, and the test above would see them."""
    monkeypatch.setenv("MUNIMENT_INDEX__SECRETS", "ignore")
    assert "secret" not in muniment("index", repo).out
    assert leaked(stored(own_place)) == list(KEYS)


def test_each_is_listed_by_its_lines_and_the_rest_lands(muniment: Any, repo: Path) -> None:
    ran = muniment("index", repo, "--json")
    listed = {skip["path"]: skip for skip in ran.json["skips"]}
    assert len(listed) == len(KEYS)
    assert {skip["reason"] for skip in listed.values()} == {"secret"}
    lines = KEYS["github"][0].count("\n") + 1
    assert listed["docs/github.md"]["detail"] == f"lines 5-{8 + lines} GitHub Token"
    (source,) = ran.json["sources"]
    assert (source["indexed"], source["secrets"], source["skipped"]) == (len(KEYS), len(KEYS), {})
    assert source["chunks"] == 2 * len(KEYS)
    found = muniment("search", "it runs at night", "--json", "--limit", "50").json
    assert {hit["title"] for hit in found["hits"]} == {"Nights"}


def test_people_are_told_how_many_and_where(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(
        tmp_path / "repo", {"a.md": page("github"), "b.md": page("stripe") + f"\n## Two\n\n{KEYS['npm'][0]}\n"}
    )
    ran = muniment("index", repo)
    assert "  secrets: 3 parts that look like holding a key left out (index.secrets)" in ran.out
    assert "skipped: a.md: secret (lines 5-9 GitHub Token)" in ran.err
    assert "skipped: b.md: secret (lines 5-9 Stripe Access Key, 15-17 " in ran.err
    assert "secrets: 3 parts that look like holding a key left out" in muniment("status").out


def test_a_file_of_which_nothing_is_left_is_skipped_and_remembered(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": f"Use {KEYS['github'][0]} here.\n", "b.md": "# B\n\nText.\n"})
    first = muniment("index", repo, "--json").json["sources"][0]
    assert (first["indexed"], first["skipped"]) == (1, {"secret": 1})
    write(repo, {"b.md": "# B\n\nOther text.\n"})
    commit_all(repo)
    second = muniment("index", repo, "--json").json["sources"][0]
    assert (second["indexed"], second["skipped"]) == (1, {"secret": 1})
    write(repo, {"a.md": "Use the keychain.\n"})
    commit_all(repo)
    assert muniment("index", repo, "--json").json["sources"][0]["documents"] == 2


def test_templates_raise_nothing(muniment: Any, tmp_path: Path) -> None:
    files = {}
    for number, text in enumerate(STAND_INS):
        files[f"conf/{number}.conf.template"] = f"# What it is for.\n{text}\n"
        files[f"{number}.md"] = f"# Kestrel\n\n{text}\n"
        lines = "\n".join(f"# {line}" for line in text.split("\n"))
        files[f"{number}.sh"] = f"#!/bin/sh\n# copies\n#\n{lines}\n"
    ran = muniment("index", make_repo(tmp_path / "repo", files), "--json")
    assert ran.json["skips"] == []
    assert ran.json["sources"][0]["secrets"] == 0
    assert ran.json["sources"][0]["documents"] == len(files)


def test_a_key_in_a_heading_takes_what_is_below_along(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    text = f"# A\n\nFirst.\n\n## {KEYS['github'][0]}\n\nSecond.\n\n### Below\n\nThird.\n\n## Beside\n\nFourth.\n"
    ran = muniment("index", make_repo(tmp_path / "repo", {"a.md": text}), "--json")
    assert leaked(stored(own_place)) == []
    assert ran.json["skips"][0]["detail"] == "lines 5-7 GitHub Token, 9-11 GitHub Token"
    found = muniment("search", "first second third fourth", "--json").json["hits"]
    assert {hit["line_start"] for hit in found} == {1, 13}


def test_a_key_in_the_title_takes_the_document_along(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    """Every part of it is embedded with its title."""
    files = {
        "a.md": f"# {KEYS['github'][0]}\n\n## Below\n\nOne.\n",
        "b.md": f"---\ntitle: {KEYS['npm'][0]}\n---\n\n# B\n",
    }
    ran = muniment("index", make_repo(tmp_path / "repo", files), "--json")
    assert leaked(stored(own_place)) == []
    assert ran.json["sources"][0]["skipped"] == {"secret": 2}


def test_a_long_key_is_withheld_in_all_its_parts(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    """It is longer than a chunk may be, so that most parts have no line that names it."""
    block = planted()["rsa key"][0].split("\n")
    body = [line for seed in range(12) for line in planted(seed)["rsa key"][0].split("\n")[1:-1]]
    text = "\n".join(["# Long", "", "Before.", "", block[0], *body, block[-1], "", "## After", "", "After that."])
    ran = muniment("index", make_repo(tmp_path / "repo", {"a.md": text}), "--json")
    assert ran.json["sources"][0]["secrets"] > 1
    kept = stored(own_place)
    assert not [line for line in body if line in kept]
    assert muniment("search", "after that", "--json").json["hits"]


def test_another_setting_reads_again_only_what_it_concerns(
    muniment: Any, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": page("github"), "b.md": "# B\n\nText.\n", "c.md": KEYS["npm"][0]})
    muniment("index", repo)
    monkeypatch.setenv("MUNIMENT_INDEX__SECRETS", "ignore")
    ignoring = muniment("index", repo, "--json").json["sources"][0]
    assert (ignoring["indexed"], ignoring["unchanged"], ignoring["chunks"]) == (2, 1, 5)
    monkeypatch.delenv("MUNIMENT_INDEX__SECRETS")
    again = muniment("index", repo, "--json").json["sources"][0]
    assert (again["indexed"], again["skipped"], again["chunks"]) == (1, {"secret": 1}, 3)
    with open_reader(own_place / "index") as reader:
        assert leaked(str(reader.chunks(["text"])["text"].to_pylist())) == []


def test_a_repository_can_only_ask_for_more_care(
    muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": page("github"), "muniment.toml": '[index]\nsecrets = "ignore"\n'})
    ran = muniment("index", repo)
    assert "1 part that looks like holding a key" in ran.out
    assert "muniment.toml in the repository also sets index.secrets: ignored" in ran.err
    monkeypatch.setenv("MUNIMENT_INDEX__SECRETS", "ignore")
    assert muniment("index", repo, "--json").json["sources"][0]["secrets"] == 0
    write(repo, {"muniment.toml": '[index]\nsecrets = "withhold"\n'})
    commit_all(repo)
    assert muniment("index", repo, "--json").json["sources"][0]["secrets"] == 1
    write(repo, {"muniment.toml": ""})
    commit_all(repo)
    assert muniment("index", repo, "--json").json["sources"][0]["secrets"] == 0


def test_working_copies_and_vaults_are_looked_at_too(
    muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nText.\n"})
    write(repo, {"a.md": page("github")})
    assert muniment("index", repo, "--worktree", "--json").json["sources"][0]["secrets"] == 1
    write(tmp_path / "notes", {"b.md": f"---\ntype: Intel\n---\n{page('stripe')}"})
    settings = tmp_path / "muniment.toml"
    settings.write_text('[[sources]]\nname = "notes"\nkind = "vault"\npath = "notes"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    assert muniment("index", "--json", "--home", tmp_path / "other").json["sources"][0]["secrets"] == 1


def drifting(tmp_path: Path) -> Path:
    """A repository whose every disagreement has a key in it or beside it."""
    documented, actual = KEYS["api key"][0].partition("=")[2], planted(12)["api key"][0].partition("=")[2]
    return make_repo(
        tmp_path / "repo",
        {
            "docs/a.md": f"# A\n\n- `API_TOKEN` (default: `{documented}`): who asks\n\nUse {KEYS['github'][0]}\n"
            f"- `HTTP_PORT` (default: `80`): where\n- `--{KEYS['npm'][0]}` (default: `7`): what\n",
            "conf/a.conf.template": f"# Who.\nAPI_TOKEN={actual}\n\n# Where.\nHTTP_PORT=81\n",
            "bin/a.sh": "#!/bin/sh\n# a.sh --port N\ncase $1 in --port) ;; esac\n",
        },
    )


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown", "github", "patch"])
def test_no_report_of_drift_shows_a_key(form: str, muniment: Any, tmp_path: Path) -> None:
    hidden = planted(12)["api key"][0].partition("=")[2]
    ran: Ran = muniment("drift", drifting(tmp_path), "--format", form, "--all")
    assert leaked(ran.out + ran.err) == []
    assert hidden not in ran.out + ran.err
    assert "HTTP_PORT" in ran.out or form == "patch"
    assert "suggested edit" in ran.out or form != "patch"


@pytest.mark.slow
def test_no_night_leaves_a_key_behind(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    hidden = planted(12)["api key"][0].partition("=")[2]
    assert muniment("index", drifting(tmp_path)).code == 0
    ran = muniment("nightly")
    kept = stored(own_place)
    assert leaked(kept + ran.out + ran.err) == []
    assert hidden not in kept + ran.out + ran.err
    assert "HTTP_PORT" in kept


NAMED = {
    f"docs/{KEYS['github'][1]}.md": "# One\n\nThe kestrel job copies the archive.\n",
    f"{KEYS['npm'][1]}/readme.md": "# Two\n\nThe kestrel job runs at night.\n",
    f"assets/{KEYS['stripe'][1]}.png": "no picture",
    "a.md": "# Three\n\nThe kestrel job is slow. See [one](docs/missing.md).\n\n- `HTTP_PORT` (default: `80`): where\n",
    f"conf/{KEYS['aws id'][1]}.conf.template": "# Where.\nHTTP_PORT=81\n",
    "bin/b.sh": "#!/bin/sh\n# b.sh\n",
}
"""Files of which some have a key in their path; one of them has a truth."""


def said_of_names(muniment: Any, *where: object) -> str:
    """All that the commands print that tell of files."""
    said = [muniment("index", *where), muniment("index", *where, "--force", "--json"), muniment("status", "--json")]
    said += [muniment("search", "kestrel job", "--json"), muniment("verify"), muniment("doctor"), muniment("quality")]
    return "".join(ran.out + ran.err for ran in said)


def test_a_key_in_a_file_name_withholds_the_file(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    repo = make_repo(tmp_path / "repo", NAMED)
    ran = muniment("index", repo)
    assert "skipped: docs/[secret].md: secret (its name: GitHub Token)" in ran.err
    assert "skipped: [secret]/readme.md: secret (its name: npm token)" in ran.err
    assert "png" not in ran.err
    assert muniment("search", "kestrel job", "--json").json["hits"][0]["path"] == "a.md"
    assert leaked(ran.out + ran.err + said_of_names(muniment, repo)) == []
    assert leaked(stored(own_place)) == []


@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown", "github", "patch"])
def test_no_report_of_drift_names_such_a_file(form: str, muniment: Any, tmp_path: Path) -> None:
    ran = muniment("drift", make_repo(tmp_path / "repo", NAMED), "--format", form, "--all")
    assert leaked(ran.out + ran.err) == []
    assert "missing.md" in ran.out or form == "patch"


@pytest.mark.slow
def test_no_night_names_such_a_file(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    assert muniment("index", make_repo(tmp_path / "repo", NAMED)).code == 0
    ran = muniment("nightly")
    assert leaked(stored(own_place) + ran.out + ran.err) == []


def test_no_server_names_such_a_file(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    muniment("index", make_repo(tmp_path / "repo", NAMED))
    with opened(own_place) as door:
        pages = ["/api/documents", "/api/index/status", "/api/drift", "/api/search?q=kestrel", "/metrics"]
        replies = [door.get(page) for page in pages]
    assert {reply.status_code for reply in replies} == {200}
    assert leaked("".join(reply.text for reply in replies)) == []
    assert "a.md" in replies[0].text


def test_working_copies_and_vaults_withhold_such_files_too(
    muniment: Any, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a run remembers of files, to know them by their stat, holds no such name either."""
    repo = make_repo(tmp_path / "repo", NAMED)
    assert leaked(said_of_names(muniment, repo, "--worktree") + stored(own_place)) == []
    write(tmp_path / "notes", {name: text for name, text in NAMED.items() if name.endswith(".md")})
    settings = tmp_path / "muniment.toml"
    settings.write_text('[[sources]]\nname = "notes"\nkind = "vault"\npath = "notes"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    assert muniment("index", "--json").json["sources"][0]["skipped"] == {"secret": 2}
    assert leaked(said_of_names(muniment) + stored(own_place)) == []


def test_such_a_file_is_indexed_where_that_is_asked_for(
    muniment: Any, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__SECRETS", "ignore")
    repo = make_repo(tmp_path / "repo", NAMED)
    assert muniment("index", repo, "--json").json["sources"][0]["skipped"].get("secret") is None
    assert set(leaked(stored(own_place))) == {"github", "npm", "aws id"}
    monkeypatch.delenv("MUNIMENT_INDEX__SECRETS")
    assert muniment("index", repo, "--json").json["sources"][0]["skipped"]["secret"] == 3
    with open_reader(own_place / "index") as reader:
        assert leaked(str(reader.rows("documents", ["path"])["path"].to_pylist())) == []


def test_what_is_left_out_is_left_out_by_its_name_too(
    muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__EXCLUDE", '["docs/", "conf/", "np*/"]')
    ran = muniment("index", make_repo(tmp_path / "repo", NAMED), "--json")
    assert ran.json["sources"][0]["skipped"]["excluded"] == 3
    assert ran.json["skips"] == []


@pytest.mark.slow
def test_the_scanner_is_loaded_only_for_what_may_hold_a_key(tmp_path: Path, muniment: Any) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n\nThe kestrel job copies the archive.\n"})
    assert "detect_secrets" not in loaded_by(RUN, "index", repo)
    assert "detect_secrets" not in loaded_by(RUN, "search", "kestrel")
    assert "detect_secrets" not in loaded_by(RUN, "drift", repo)
    write(repo, {"a.md": page("github")})
    commit_all(repo)
    assert "detect_secrets" in loaded_by(RUN, "index", repo)
    assert "detect_secrets" not in loaded_by(RUN, "index", repo)
