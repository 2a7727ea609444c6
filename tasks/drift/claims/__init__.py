"""Claims: what documents, headers and comments say the value of an option is."""

from collections.abc import Callable, Iterator, Mapping

from schemas.claims import Claim
from tasks.drift.claims.arrow import arrow_claims
from tasks.drift.claims.key_comment import key_comment_claims
from tasks.drift.claims.marked import marked_value_claims, switched_claims
from tasks.drift.claims.numpydoc import numpydoc_claims
from tasks.drift.claims.own_line import own_line_claims
from tasks.drift.claims.paren import paren_claims
from tasks.drift.claims.prose import prose_claims
from tasks.drift.claims.role import role_claims
from tasks.drift.claims.table import table_claims, value_table_claims
from tasks.drift.claims.typed import typed_claims
from tasks.drift.tree import TextFile
from tasks.drift.values import is_value

Shape = Callable[[TextFile], Iterator[Claim]]

SHAPES: Mapping[str, Shape] = {
    "table": table_claims,
    "value-table": value_table_claims,
    "typed": typed_claims,
    "numpydoc": numpydoc_claims,
    "paren": paren_claims,
    "own-line": own_line_claims,
    "prose": prose_claims,
    "arrow": arrow_claims,
    "marked-value": marked_value_claims,
    "switched": switched_claims,
    "key-comment": key_comment_claims,
    "role": role_claims,
}
"""Name -> what recognises it. Each is one file."""


def find_claims(file: TextFile) -> tuple[Claim, ...]:
    """The claims of one file, by line; of two shapes that see the same value, the first in the table has it."""
    taken: dict[tuple[int, int], str] = {}
    claims: dict[tuple[int, int, str], Claim] = {}
    for name, shape in SHAPES.items():
        for claim in shape(file):
            if is_value(claim.documented) and taken.setdefault((claim.line, claim.column), name) == name:
                claims.setdefault((claim.line, claim.column, claim.option), claim)
    return tuple(claims[key] for key in sorted(claims))
