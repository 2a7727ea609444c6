"""Settings: where they come from, who wins, and what a wrong one says."""

import os
from pathlib import Path

import platformdirs
import pytest

from muniment.errors import SettingsError
from muniment.home import data_home, find_config
from muniment.settings import load_settings
from muniment.settings.sources import configured_sources


def config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "muniment.toml"
    path.write_text(text)
    return path


def test_without_a_file_the_defaults_hold() -> None:
    settings = load_settings(find_config(None, {}))
    assert settings.embedder.name == "bundled"
    assert settings.index.max_bytes == 512_000
    assert not settings.egress_ack


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_config(str(config(tmp_path, '[embedder]\nname = "none"\nbatch = 4\n')), {})
    monkeypatch.setenv("MUNIMENT_EMBEDDER__BATCH", "8")
    settings = load_settings(found)
    assert (settings.embedder.name, settings.embedder.batch) == ("none", 8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[embeder]\n", "setting 'embeder'"),
        ("[embedder]\nbatch = 0\n", "greater than or equal to 1 (it is 0)"),
        ('[embedder]\nname = "word2vec"\n', "'embedder.name'"),
        ('[[sources]]\nname = "a/b"\npath = "."\n', "'sources.0.name'"),
        ('[[sources]]\nname = "a"\npath = "."\n[[sources]]\nname = "a"\npath = "x"\n', "two sources are named 'a'"),
        ("[index\n", "is not TOML"),
        ('[index]\ninclude = "*.md,*.txt"\n', "'index.include'"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(find_config(str(config(tmp_path, text)), {}))
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(find_config(str(config(tmp_path, "[embedder]\napi_key = 5\n")), {}))
    assert "it is" not in caught.value.message
    settings = load_settings(find_config(str(config(tmp_path, '[embedder]\napi_key = "sesame"\n')), {}))
    assert "sesame" not in repr(settings)
    assert "sesame" not in settings.model_dump_json()


def test_a_missing_named_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't read"):
        find_config(str(tmp_path / "no.toml"), {})


@pytest.mark.parametrize("given", [True, False], ids=["XDG_CONFIG_HOME", "home"])
def test_the_file_is_found_where_the_platform_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    if given:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    folder = platformdirs.user_config_path("muniment", appauthor=False)
    folder.mkdir(parents=True)
    path = config(folder, "egress_ack = true\n")
    found = find_config(None, os.environ)
    assert found.path == path
    assert load_settings(found).egress_ack


def test_a_file_in_the_working_folder_sets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the repository that lies there: data, never settings."""
    config(tmp_path, 'egress_ack = true\n[embedder]\nurl = "http://evil.example"\n')
    monkeypatch.chdir(tmp_path)
    settings = load_settings(find_config(None, {}))
    assert not settings.egress_ack
    assert not settings.embedder.url


def test_source_paths_are_relative_to_their_file(tmp_path: Path) -> None:
    found = find_config(
        str(config(tmp_path, '[index]\nexclude = ["a"]\n[[sources]]\nname = "s"\npath = "repo"\nexclude = ["b"]\n')), {}
    )
    (source,) = configured_sources(load_settings(found), found)
    assert source.path == str(tmp_path / "repo")
    assert source.exclude == ("a", "b")


def test_the_home_is_looked_for_in_this_order(tmp_path: Path) -> None:
    found = find_config(str(config(tmp_path, 'home = "kept"\n')), {})
    assert data_home("/flag", {"MUNIMENT_HOME": "/env"}, found) == Path("/flag")
    assert data_home(None, {"MUNIMENT_HOME": "/env"}, found) == Path("/env")
    assert data_home(None, {}, found) == tmp_path / "kept"
    # This very checkout has a prefect.yaml, so its own data folder comes next.
    assert data_home(None, {}, find_config(None, {})).name == "data"
