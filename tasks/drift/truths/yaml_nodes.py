"""YAML as nodes with lines, made of parser events: no tag is built, no alias copied, and depth is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml.events import Event

MAX_DEPTH = 60
MAX_EVENTS = 200_000


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value; an alias of a scalar is that scalar on the alias's line."""

    text: str
    line: int
    plain: bool = True
    """Without quotes and not a block, so that its kind is what it looks like."""
    tag: str = ""
    """As written, for all but the tags of YAML itself."""


@dataclass(slots=True)
class Many:
    """A list, or the keys and values of a map in turn."""

    line: int
    is_map: bool
    items: list[Node] = field(default_factory=list)
    end: int = 0

    @property
    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """Keys with their values."""
        return zip(self.items[::2], self.items[1::2], strict=False)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An alias of a list or a map, which stands where its anchor is."""

    line: int


Node = Scalar | Many | Elsewhere


def read_nodes(text: str) -> list[Node]:
    """The root of each document; none where the text is no YAML or goes over a bound."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for count, event in enumerate(yaml.parse(text, Loader=loader)):
            if count > MAX_EVENTS or not builder.take(event):
                return []
    except (yaml.YAMLError, ValueError):
        return []
    return builder.roots


class _Builder:
    """Nodes out of events, without recursion."""

    def __init__(self) -> None:
        self.roots: list[Node] = []
        self._open: list[Many] = []
        self._anchors: dict[str, Node] = {}

    def take(self, event: Event) -> bool:
        """Take one more event; False where the nesting is too deep."""
        from yaml import events

        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, events.ScalarEvent):
            tag = event.tag if event.tag and not event.tag.startswith("tag:yaml.org,2002:") else ""
            self._add(Scalar(event.value, line, event.implicit[0], tag), event.anchor)
        elif isinstance(event, events.CollectionStartEvent):
            many = Many(line, isinstance(event, events.MappingStartEvent))
            self._add(many, event.anchor)
            self._open.append(many)
        elif isinstance(event, events.CollectionEndEvent):
            self._open.pop().end = line
        elif isinstance(event, events.AliasEvent):
            self._add(self._aliased(event.anchor or "", line), None)
        return len(self._open) <= MAX_DEPTH

    def _add(self, node: Node, anchor: str | None) -> None:
        (self._open[-1].items if self._open else self.roots).append(node)
        if anchor:
            self._anchors[anchor] = node

    def _aliased(self, anchor: str, line: int) -> Node:
        node = self._anchors.get(anchor)
        return Scalar(node.text, line, node.plain, node.tag) if isinstance(node, Scalar) else Elsewhere(line)
