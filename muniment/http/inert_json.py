"""JSON that is inert where somebody reads it as it comes: on a terminal, in a log, in a browser's viewer."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from muniment.inert import inert_json


class InertJson(JSONResponse):
    """The same document for a program, with controls and marks of direction spelled as JSON spells them."""

    def render(self, content: Any) -> bytes:
        """The body."""
        # Not as the class above has it: a path need not be UTF-8, and can only be encoded once that is spelled out.
        document = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return inert_json(document).encode()
