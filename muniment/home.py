"""Where things live: the data home and the operator's settings file. Standard library only (no-op path)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from muniment.errors import SettingsError

_PLATFORM: str = sys.platform  # a name of our own: the type checker would take the other branch for dead
CHECKOUT = Path(__file__).resolve().parent.parent
REPORTS = "reports"
"""Folder of the home for pages that people read."""


class Config(NamedTuple):
    """The operator's settings file as found: raw, not yet checked."""

    path: Path | None
    text: str
    values: dict[str, Any]


def find_config(flag: str | None, environ: Mapping[str, str]) -> Config:
    """The operator's muniment.toml: from the flag, else MUNIMENT_CONFIG, else the user configuration folder.

    The working folder is not searched: a file there belongs to a repository and may only narrow what is indexed
    (`tasks/narrow.py`). Raises SettingsError when a named file can't be read or is not TOML.
    """
    named = flag or environ.get("MUNIMENT_CONFIG")
    if named:
        return read_config(Path(named))
    path = _config_folder(environ) / "muniment.toml"
    return read_config(path) if path.is_file() else Config(None, "", {})


def read_config(path: Path) -> Config:
    """The parsed settings file. Raises SettingsError when it can't be read or is not TOML."""
    import tomllib  # 18 ms, and most runs have no such file

    try:
        text = path.read_text(encoding="utf-8")
        return Config(path, text, tomllib.loads(text))
    except OSError as error:
        raise SettingsError(f"can't read settings file '{path}': {error.strerror}", "check --config") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"settings file '{path}' is not TOML: {error}", "see docs/reference.md") from error


def data_home(flag: str | None, environ: Mapping[str, str], config: Config) -> Path:
    """The folder of index, logs and reports; it need not exist yet.

    Flag, MUNIMENT_HOME, `home` in the settings file, `data/` beside prefect.yaml in a checkout, else the
    platform's user data folder. A relative `home` in a file is relative to that file.
    """
    if named := flag or environ.get("MUNIMENT_HOME"):
        return Path(named).absolute()
    if isinstance(home := config.values.get("home"), str) and config.path:
        return (config.path.absolute().parent / home).absolute()
    if (CHECKOUT / "prefect.yaml").is_file():
        return CHECKOUT / "data"
    import platformdirs

    return platformdirs.user_data_path("muniment", appauthor=False)


def _config_folder(environ: Mapping[str, str]) -> Path:
    if _PLATFORM == "linux":  # what platformdirs says there; importing it is a third of a run with nothing to do
        return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "muniment"
    import platformdirs

    return platformdirs.user_config_path("muniment", appauthor=False)
