"""`muniment config`: the settings in force, and where they come from."""

import argparse
import json
import os
from collections.abc import Mapping
from typing import Any

from muniment.cli.terminal import one_line, say
from muniment.errors import DONE
from muniment.home import data_home, find_config


def run(args: argparse.Namespace) -> int:
    """Prints every setting with its value and returns DONE; keys and tokens are never shown."""
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    settings = load_settings(config).model_dump(mode="json")
    home = str(data_home(args.home, os.environ, config))
    if args.json:
        say(json.dumps({"file": str(config.path or ""), **settings, "home": home}, indent=1))
        return DONE
    say(f"# {config.path or 'no settings file'}; the environment (MUNIMENT_SECTION__KEY) wins over it")
    _say(settings | {"home": home})
    return DONE


def _say(values: Mapping[str, Any], prefix: str = "") -> None:
    for key, value in values.items():
        if value and isinstance(value, Mapping):
            _say(value, f"{prefix}{key}.")
        else:
            say(f"{prefix}{key} = {one_line(json.dumps(value, ensure_ascii=False))}")
