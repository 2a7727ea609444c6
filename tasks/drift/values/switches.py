"""Switches: `on`, `true`, `1`, `yes` and `enabled` against `off`, `false`, `0`, `no` and `disabled`."""

from __future__ import annotations

from schemas.claims import Verdict

_ON = ("on", "true", "yes", "y", "t", "enabled", "enable", "1")
_OFF = ("off", "false", "no", "n", "f", "disabled", "disable", "0")
SWITCHES = dict.fromkeys(_ON, True) | dict.fromkeys(_OFF, False)
"""Word in lower case -> whether it is on."""

WORDED = frozenset({"enabled", "enable", "disabled", "disable"})
"""Those which describe more often than they are written as a value."""

_LETTERS = frozenset({"y", "n", "t", "f"})


def switch_of(text: str) -> bool | None:
    """Whether a text says on or off; None where it says neither."""
    return SWITCHES.get(text.lower())


def switches(left: str, right: str, _option: str) -> Verdict | None:
    """Whether two switches stand alike. Of two digits or letters nothing says that they mean on or off."""
    one, other = switch_of(left), switch_of(right)
    if one is None or other is None or (_unsaid(left) and _unsaid(right)):
        return None
    return "agrees" if one is other else "disagrees"


def _unsaid(text: str) -> bool:
    return text.isdigit() or text.lower() in _LETTERS
