"""Reading another assembler's records: ids, types and times; never a text, and of a foreign id only its hash."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from muniment.assembly import Assembly
from tasks.effectiveness.items import Item, read_items, value_at
from tasks.effectiveness.times import read_moment
from tasks.effectiveness.unusable import Unusable

if TYPE_CHECKING:
    from tasks.effectiveness.mapping import Mapping

SURFACE = "import"


def read_record(line: bytes, names: Mapping) -> Assembly:
    """The assembly that a line of another log tells of; the same line always has the same id.

    Raises Unusable.
    """
    record = _parsed(line)
    at = read_moment(value_at(record, names.at), names.time, names.zone)
    items = read_items(record, names)
    cited = value_at(record, names.used_ids)
    ids = [_hashed(item.names[0]) for item in items]
    known = value_at(record, names.assembly)
    return Assembly(
        assembly=f"{at:%Y%m%d}-{_hashed(line if known is None else str(known))[:12]}",
        at=at.isoformat(timespec="milliseconds"),
        act="ask",
        surface=SURFACE,
        generation=0,
        elapsed_ms=0.0,
        chunk_ids=tuple(ids),
        kinds=tuple(item.kind for item in items),
        types=tuple(item.type for item in items),
        sections=tuple(item.section for item in items),
        ranks=tuple(range(1, len(items) + 1)),
        used=tuple(id_ for id_, item in zip(ids, items, strict=True) if item.used or _cites(cited, item)),
    )


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unusable("not JSON") from None
    if not isinstance(record, dict):
        raise Unusable("not a JSON object")
    return record


def _cites(cited: object, item: Item) -> bool:
    """Whether what a record says of all its items names this one; plain `true` names them all."""
    if isinstance(cited, list):
        return any(str(one) in item.names for one in cited)
    return cited is True or (isinstance(cited, str) and cited in item.names)


def _hashed(name: bytes | str) -> str:
    """Sixteen hexadecimal digits for a name, which may be a title."""
    return hashlib.sha256(name if isinstance(name, bytes) else name.encode(errors="replace")).hexdigest()[:16]
