"""What the fields of another assembler's log mean: a small TOML file, checked once."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from muniment.errors import UsageError

HINT = "docs/effectiveness.md shows a mapping"


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"no such time zone: {name!r}") from error
    return name


Fields = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_listed)]
"""Where a value stands: `name`, `a.b` for one inside another, or several of these, of which the first that is there."""


class Mapping(BaseModel):
    """Their names for what we call id, type and so on; what is left empty their log does not say."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    at: Fields = Field(description="when it was assembled")
    time: str = Field("", description="strptime format of `at`; empty: ISO 8601, or seconds to nanoseconds since 1970")
    zone: Annotated[str, AfterValidator(_known_zone)] = Field("UTC", description="zone of times that name none")
    assembly: Fields = Field((), description="what tells one assembly from another; empty: the whole line")
    items: Fields = Field((), description="a list of objects or texts; empty: the record holds a list for each field")
    id: Fields = Field((), description="in an item, or a list in the record")
    type: Fields = Field((), description="likewise")
    kind: Fields = Field((), description="likewise; where there is none: note")
    section: Fields = Field((), description="likewise")
    used: Fields = Field((), description="likewise: whether it was used")
    content: Fields = Field((), description="in an item, or in the record: text whose blocks start with `[Type] title`")
    types: tuple[str, ...] = Field((), description="the only prefixes that start a block of `content`; empty: any word")
    used_ids: Fields = Field(
        (), description="in the record: ids that were used (of `content`, titles too), or true for all"
    )

    @model_validator(mode="after")
    def _says_the_type(self) -> Mapping:
        if not (self.type or self.content or self.items):
            raise ValueError("type, content or items must be given")
        return self


PREFIXED = Mapping(
    at=("at", "timestamp", "time", "ts"),
    content=("content", "context"),
    used_ids=("used", "cited", "citations"),
)
"""The older convention: a record with its time and one text, each block of which starts with `[Type] title`."""


def read_mapping(path: Path) -> Mapping:
    """The mapping in a TOML file. Raises UsageError that names the first thing wrong with it."""
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return Mapping(**values)
    except OSError as error:
        raise UsageError(f"can't read '{path}': {error.strerror}", HINT) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "mapping"
        said = "no such field" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{path}: {where}: {said[0].lower()}{said[1:]}", HINT) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"'{path}' is not TOML: {error}", HINT) from error
