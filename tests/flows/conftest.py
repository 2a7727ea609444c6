"""A Prefect server of the session's own, started once and only when a test asks for it, and an endpoint for vectors."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.muniment.embedders.servers import EmbeddingServer

PATIENCE_S = 120
EMBEDDER = {"NAME": "openai", "MODEL": "tiny", "TIMEOUT_S": "20"}


@dataclass(frozen=True)
class Api:
    """Prefect's API, as far as a test looks into it."""

    url: str

    def find(self, what: str, **query: Any) -> Any:
        """The objects of a kind that match."""
        return httpx.post(f"{self.url}/{what}/filter", json=query).raise_for_status().json()

    def last_run(self) -> Any:
        """The flow run that started last."""
        return self.find("flow_runs", sort="START_TIME_DESC", limit=1)[0]

    def tasks(self, flow_run: Any) -> list[Any]:
        """The task runs of a flow run in the order of their start, once all that began are booked as finished."""
        only = {"flow_runs": {"id": {"any_": [flow_run["id"]]}}}

        def booked() -> list[Any] | None:
            found = self.find("task_runs", **only, sort="EXPECTED_START_TIME_ASC")
            done = len(found) == len(self.said(flow_run, "Finished in state")) - 1
            return found if done and all(run["state"]["type"] in ("COMPLETED", "FAILED") for run in found) else None

        return until(booked)

    def said(self, flow_run: Any, words: str = "") -> list[str]:
        """What was logged in a flow run and its tasks, once the last line is there; only messages with these words."""
        only = {"flow_run_id": {"any_": [flow_run["id"]]}}

        def logged() -> list[str] | None:
            lines = self.find("logs", logs=only, sort="TIMESTAMP_ASC", limit=200)
            messages = [line["message"] for line in lines]
            ended = any(line["name"] == "prefect.flow_runs" and "Finished in" in line["message"] for line in lines)
            return messages if ended else None

        return [message for message in until(logged) if words in message]


def until[T](look: Callable[[], T | None]) -> T:
    """What the look finds once it finds something; the server books what it is told a moment later."""
