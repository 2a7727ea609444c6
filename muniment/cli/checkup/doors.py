"""The doors: hooks in the repositories, tokens and address of `muniment serve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.cli.hook import hook_command
from muniment.cli.terminal import one_line
from muniment.endpoints.address import is_loopback
from muniment.errors import MunimentError
from muniment.hook import ABSENT, EDITED, FOREIGN, INSTALLED, OUTDATED, hook_states, hooks_folder
from muniment.tokens import FILE, read_tokens
from muniment.worded import counted

_TROUBLE = {
    EDITED: "was changed by somebody",
    OUTDATED: "calls another muniment, home or settings file",
}


def hooks(case: Case) -> Iterator[Check]:
    """Whether pulls are told of, repository by repository."""
    gate = case.settings.index.on_pull
    states = case.generation.sources.values() if case.generation else ()
    told, silent = [], []
    for source in states:
        if source.kind != "git":
            continue
        try:
            found = _hooks(case, source.path)
        except MunimentError:
            continue  # the source has a line of its own, or its hooks are none of ours
        for name, state in found.items():
            if state in _TROUBLE:
                said = f"{one_line(source.name)}: {name} {_TROUBLE[state]}"
                yield Check("hook", WARN, said, f"write it again: muniment hook install {one_line(source.path)}")
        kinds = set(found.values())
        told += [one_line(source.name)] * (INSTALLED in kinds)
        silent += [one_line(source.name)] * (kinds <= {ABSENT, FOREIGN})
    if told:
        off = gate == "off"
        said = f"a pull in {', '.join(told)} is told; index.on_pull is {gate}"
        yield Check("hook", WARN if off else OK, said, "index.on_pull = 'auto' lets the hooks do something")
    if silent:
        yield Check("hook", OK, f"none in {', '.join(silent)}: a timer, or 'muniment hook install', would keep up")


def _hooks(case: Case, path: str) -> dict[str, str]:
    named = case.environ.get("MUNIMENT_CONFIG")
    return hook_states(hooks_folder(path), hook_command(case.home, named))


def serve(case: Case) -> Iterator[Check]:
    """Whether `muniment serve` would start, and who could ask it."""
    tokens = read_tokens(case.home)
    host, port = case.settings.serve.host, case.settings.serve.port
    local = is_loopback(host)
    if not tokens and not local:
        said = f"other machines reach '{host}', and there is no token: 'muniment serve' refuses to start"
        yield Check("serve", FAIL, said, "make one with 'muniment token create NAME'")
        return
    if not tokens and (case.settings.serve.proxies or case.settings.serve.allowed_hosts):
        said = "there is no token, so everybody whom the proxy lets in may ask, and start runs"
        yield Check("serve", WARN, said, "make one with 'muniment token create NAME'")
        return
    who = f"asks for one of {counted(len(tokens), 'token')}" if tokens else "everybody on this machine may ask"
    yield Check("serve", OK, f"would listen at {host}:{port}; {who}")
    if tokens and (mode := (case.home / FILE).stat().st_mode & 0o077):
        yield Check("serve", WARN, f"'{Path(case.home / FILE)}' is open to others ({mode:03o})", "chmod 600 it")
