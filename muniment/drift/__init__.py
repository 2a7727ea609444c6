"""How the drift report is shown, and what is silenced in it."""

from collections.abc import Callable, Mapping

from muniment.drift import github, json_document, markdown, patch, sarif, text
from muniment.drift.view import View
from schemas.claims import DriftReport

Format = Callable[[DriftReport, View], str]
"""Makes the whole document, which ends in a line break or is empty; what comes from a repository is inert in it."""

FORMATS: Mapping[str, Format] = {
    "text": text.render,
    "json": json_document.render,
    "sarif": sarif.render,
    "markdown": markdown.render,
    "github": github.render,
    "patch": patch.render,
}
"""Name -> format. Each is one file."""
