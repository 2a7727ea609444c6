"""deploy/compose.yaml and its image: by the official schema, and by what they promise."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
import yaml

from muniment import __version__
from muniment.cli.parser import make_parser
from tests.conftest import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_it_meets_the_schema_of_compose_files() -> None:
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
    jsonschema.validate(COMPOSE, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(COMPOSE | {"services": {"serve": {"prots": []}}}, schema)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_little(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "cap_add", "devices", "network_mode", "pid", "ipc", "user"}
    # Nobody but this machine reaches a port, and nothing of the host is written.
    assert all(str(port).startswith("127.0.0.1:") for port in service.get("ports", ()))
    for volume in service["volumes"]:
        place, _, options = volume.partition(":/")
        assert place in COMPOSE["volumes"] or options.endswith(":ro")


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "ollama"])
def test_our_image_runs_what_there_is(name: str) -> None:
    service = SERVICES[name]
    assert service["image"] == f"muniment:{__version__}"
    assert service["read_only"] is True
    if "entrypoint" in service:
        assert service["entrypoint"] == ["prefect"]
        assert service["env_file"] == "prefect.env"
    else:
        assert make_parser().parse_args(service["command"])


def test_what_is_named_is_there() -> None:
    for service in SERVICES.values():
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", ())) <= set(SERVICES)
    build = SERVICES["serve"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


def test_nothing_secret_stands_in_it() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert not re.search(r"PASSWORD|AUTH|KEY|TOKEN", name), (name, value)


def test_the_image_is_made_of_what_there_is_and_run_by_nobody_special() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    sent = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"}
    copied = {word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]}
    assert copied == sent
    assert not [name for name in copied if not (ROOT / name).exists()]
    assert [line for line in lines if line.startswith("USER ")] == ["USER muniment"]
    assert any("--require-hashes -r requirements.lock" in line for line in lines)
    assert re.match(r"FROM python:3\.\d+-slim-\w+$", next(line for line in lines if line.startswith("FROM")))
    (python,) = re.findall(r"^FROM python:(3\.\d+)", "\n".join(lines), re.M)
    assert f"{python}" in {"3.11", "3.12", "3.13"}
