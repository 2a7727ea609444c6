"""JSON that is inert where somebody reads it as it comes: on a terminal, in a log, in a browser's viewer."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse

from muniment.inert import inert_json


class InertJson(JSONResponse):
    """The same document for a program, with controls and marks of direction spelled as JSON spells them."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return inert_json(super().render(content).decode()).encode()
