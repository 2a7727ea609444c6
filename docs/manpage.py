"""Makes docs/muniment.1 from the parser, with what its help can't say: exit codes, files and variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from argparse_manpage.manpage import Manpage

from muniment import __version__
from muniment.cli.parser import make_parser
from muniment.errors import EXIT_CODES

_FILES = {
    "~/.config/muniment/muniment.toml": "Settings of the user, unless --config or MUNIMENT_CONFIG names another file.",
    "~/.local/share/muniment/": "Home of index, logs and reports, unless --home, MUNIMENT_HOME or the settings name"
    " another folder.",
    "HOME/index/": "The index. It can be deleted at any time, and built again.",
    "HOME/log/": "What searches and answers gathered, by ids alone, and what came of each pull.",
    "HOME/reports/": "Pages of the night and of the data's quality.",
}
_VARIABLES = {
    "MUNIMENT_HOME": "Home of index, logs and reports.",
    "MUNIMENT_CONFIG": "Settings file.",
    "MUNIMENT_SECTION__KEY": "Any setting, as MUNIMENT_INDEX__ON_PULL; wins over the settings file.",
    "MUNIMENT_TRACEBACK": "When set, a bug shows where it is.",
    "PREFECT_API_URL": "Prefect's API. Where there is one, it runs what is indexed, and is told of pulls.",
}


def manpage() -> str:
    """The whole page, as man(1) reads it; without a date, so that the same code gives the same page."""
    os.environ["COLUMNS"] = "80"  # argparse wraps to the terminal otherwise
    parser = make_parser()
    parser.epilog = None
    page = Manpage(parser)
    page.description = "search, questions and doubts over a repository's own documentation"
    page.manual = "muniment"
    page.source = f"muniment {__version__}"
    page.date = ""
    codes = {str(code): f"{meaning[0].upper()}{meaning[1:]}." for code, meaning in EXIT_CODES.items()}
    for heading, rows in (("exit status", codes), ("files", _FILES), ("environment", _VARIABLES)):
        page.add_section(heading, "=", _list(rows))
    # The library sets headings on a line of their own, which man(7) takes for the end of one.
    return re.sub(r"^\.SH\n", ".SH ", str(page), flags=re.M)


def _list(rows: Mapping[str, str]) -> str:
    return "\n".join(f".TP\n.B {_escaped(word)}\n{_escaped(said)}" for word, said in rows.items())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("-", "\\-").replace("~", "\\(ti").replace("'", "\\(aq")
