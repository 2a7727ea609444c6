"""The quality flow where the far side of a socket fails."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.quality import make_quality_job, quality
from muniment.errors import ProviderUnavailable
from muniment.runner import Direct
from muniment.settings.sections import QualitySettings
from tests.muniment.sample_index import indexed_sample


class Silent:
    """An embedder whose endpoint does not answer."""

    def embed(self, texts: list[str], kind: str = "document") -> Any:
        raise ProviderUnavailable("no answer from http://127.0.0.1:1")


def test_an_embedder_that_does_not_answer_is_a_finding(tmp_path: Path) -> None:
    settings = QualitySettings.model_validate({"canaries": [{"question": "what is the spool", "path": "README.md"}]})
    with indexed_sample(tmp_path, ["README.md"]) as reader:
        job = make_quality_job(settings, tmp_path, pages=False)
        report = quality(job, reader, Silent(), Direct(first_wait_s=0), datetime.now(UTC))  # type: ignore[arg-type]  # a search asks an embedder for nothing else
    assert [one.name for one in report.failed] == ["configured_found", "titles_found"]
    assert report.failed[0].sample[0].place == ("what is the spool -> README.md (no answer from http://127.0.0.1:1)")
