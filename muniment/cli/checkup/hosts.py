"""What muniment talks to: embedder, model, Prefect; and what of that is not this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from muniment.chosen import embedder_choice, model_choice
from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.cli.pulled import prefect_access
from muniment.endpoints.address import is_loopback
from muniment.errors import MunimentError
from muniment.hook_event import DEPLOYMENT, has_deployment
from muniment.settings import Settings


def embedder(case: Case) -> Iterator[Check]:
    """Whether text becomes vectors."""
    from muniment.embedders import make_embedder

    choice = embedder_choice(case.settings)
    if choice.name == "none":
        yield Check("embedder", OK, "none: search by words only")
        return
    made = make_embedder(choice)
    width = made.embed(["how is the weather"], "query").shape[1]
    yield Check("embedder", OK, f"{made.fingerprint}, {width} dimensions")


def model(case: Case) -> Iterator[Check]:
    """One line a host; only a host that is looked for in vain fails, not one that stands by."""
    from muniment.models import make_model

    made = make_model(model_choice(case.settings))
    if made is None:
        yield Check("model", OK, "none: answers are sentences of the documents")
        return
    states = made.health()
    serving = next((state for state in states if state.ok), None)
    for state in states:
        use = "serves" if state is serving else "stands by" if state.ok else "is passed over"
        said = f"{made.label} at {state.host} {use}: {state.said}"
        yield Check("model", FAIL if serving is None else OK, said, state.hint)


def prefect(case: Case) -> Iterator[Check]:
    """Whether Prefect's API answers, where one is configured."""
    api = prefect_access(case.environ)
    event = case.settings.index.on_pull == "event"
    if api is None:
        said = "no API is configured; 'muniment index' runs by itself"
        hint = "prefect config set PREFECT_API_URL=..., or index.on_pull = 'auto'"
        yield Check("prefect", WARN if event else OK, f"{said}; index.on_pull waits for one" if event else said, hint)
        return
    try:
        deployed = has_deployment(api)
    except MunimentError as error:
        # With --engine auto, 'muniment index' would end with 13.
        yield Check("prefect", FAIL, error.message, error.hint)
        return
    said = f"{api} answers, and has {'the' if deployed else 'no'} deployment {DEPLOYMENT}"
    yield Check("prefect", WARN if event and not deployed else OK, said, "deploy it: docs/prefect.md")


def egress(case: Case) -> Iterator[Check]:
    """What leaves this machine, where the operator has said that it may."""
    named: dict[str, Sequence[str]] = {"embedder": [case.settings.embedder.url], "model": case.settings.model.hosts}
    if not case.settings.ask.enabled:
        del named["model"]
    elsewhere = [f"text for the {what} to {host}" for what, urls in named.items() for host in _elsewhere(urls)]
    if (api := prefect_access(case.environ)) and (hosts := _elsewhere([api.url])):
        elsewhere.append(f"names, paths and numbers of runs to Prefect at {hosts[0]}")
    if (url := case.settings.scale.url) and _elsewhere([_store(case.settings) or url]):
        elsewhere.append(f"generations with their text to {url}")
    if not elsewhere:
        yield Check("egress", OK, "nothing leaves this machine")
    elif case.settings.egress_ack:
        yield Check("egress", OK, "; ".join(elsewhere))
    else:
        yield Check("egress", WARN, "; ".join(elsewhere), "text is held back until egress_ack = true; Prefect is told")


def _store(settings: Settings) -> str:
    endpoint = settings.scale.storage_options.get("endpoint")
    return endpoint.get_secret_value() if endpoint else ""


def _elsewhere(urls: Sequence[str]) -> list[str]:
    """The hosts that are not this machine by their very name."""
    hosts = [urlsplit(url).hostname or "" for url in urls]
    return [host for host in hosts if host and not is_loopback(host)]
