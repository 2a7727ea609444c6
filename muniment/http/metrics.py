"""Numbers for Prometheus, of this app alone."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from muniment.inert import one_line
from schemas.generations import Generation

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counters and gauges; their labels are names of routes and outcomes, never what was asked."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "muniment_http_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "muniment_http_request_seconds", "Time to answer.", ("route",), registry=self._registry, buckets=_SECONDS
        )
        self._answers = Counter(
            "muniment_answers", "Questions by outcome: answered, or why not.", ("outcome",), registry=self._registry
        )
        self._generation = Gauge("muniment_generation", "Number of the published generation.", registry=self._registry)
        self._pending = Gauge("muniment_chunks_pending", "Chunks without a vector yet.", registry=self._registry)
        self._documents = Gauge("muniment_documents", "Documents by source.", ("source",), registry=self._registry)
        self._chunks = Gauge("muniment_chunks", "Chunks by source.", ("source",), registry=self._registry)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts one answered request."""
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_answer(self, outcome: str) -> None:
        """Counts one question."""
        self._answers.labels(outcome).inc()

    def exposition(self, generation: Generation | None) -> bytes:
        """Everything in Prometheus' text format, with the state of the index as it is now."""
        for gauge in (self._documents, self._chunks):
            gauge.clear()
        self._generation.set(generation.number if generation else 0)
        self._pending.set(generation.pending if generation else 0)
        for source in generation.sources.values() if generation else ():
            self._documents.labels(one_line(source.name)).set(source.documents)
            self._chunks.labels(one_line(source.name)).set(source.chunks)
        return generate_latest(self._registry)
