"""The sections of the settings: every field with its meaning, unit and bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, field_validator, model_validator

from schemas.claims import CHECKS

SourceName = Annotated[str, StringConstraints(pattern=r"^[^/\\\x00-\x1f]{1,100}$")]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class VaultSettings(_Section):
    """Which notes of a vault are indexed, and what says of which type they are."""

    types: tuple[str, ...] = Field(
        ("ENT", "Docu", "Seed", "MissionBrief", "Intel", "TechSpec", "IDEA", "IN"),
        min_length=1,
        description="types of notes that are indexed, in any case; `*`: all",
    )
    untyped: bool = Field(True, description="notes that no key, name or folder gives a type are indexed, as type note")
    type_keys: tuple[str, ...] = Field(
        ("type", "fcf_type"), description="keys of the front matter that hold the type; the first that says one counts"
    )
    namespace_keys: tuple[str, ...] = Field(
        ("mission", "fcf_mission", "namespace"), description="keys of the front matter that hold the namespace"
    )
    folders: dict[str, str] = Field(
        {}, description="a table: gitignore pattern -> type of the notes beneath that neither key nor name gives one"
    )
    exclude: tuple[str, ...] = Field(
        (
            *("artefacts/", ".obsidian/", ".claude/", ".trash/", "[Tt]emplates/", "temporal/", "[Mm]edia/"),
            "node_modules/",
        ),
        description="gitignore patterns for every vault, before those of index and source",
    )


class ArchiveSettings(_Section):
    """How archives of personal documents are read, and what of them is shown."""

    admit_sensitive: bool = Field(
        False, description="confidential and restricted documents are found, counted and answered from like all others"
    )
    max_bytes: int = Field(
        20_000_000, ge=1_000, le=256_000_000, description="larger files of an archive are skipped; bytes"
    )


class SourceSettings(_Section):
    """One `[[sources]]` table."""

    name: SourceName = Field(description="what hits call this source")
    kind: Literal["git", "vault", "archive"] = Field("git", description="how its documents are listed and read")
    path: Path = Field(
        description="the repository (or a folder in one), vault or archive; relative to the settings file"
    )
    worktree: bool = Field(False, description="read the working copies of tracked files instead of HEAD")
    include: tuple[str, ...] = Field((), description="gitignore patterns; only matching files are indexed")
    exclude: tuple[str, ...] = Field((), description="gitignore patterns; matching files are left out")
    vault: VaultSettings | None = Field(
        None, description="a table of keys of the `vault` section; for this vault they win over those there"
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        for key, kind in (("worktree", "git"), ("vault", "vault")):
            if getattr(self, key) and self.kind != kind:
                raise ValueError(f"'{key}' is for sources of kind '{kind}', and '{self.name}' is of kind '{self.kind}'")
        return self


class IndexSettings(_Section):
    """What is indexed, and which guards apply."""

    max_bytes: int = Field(512_000, ge=1_000, le=64_000_000, description="larger files are skipped; bytes")
    include: tuple[str, ...] = Field((), description="gitignore patterns for every source")
    exclude: tuple[str, ...] = Field((), description="gitignore patterns for every source")
    keep_generations: int = Field(2, ge=1, le=100, description="published generations kept, the current included")
    secrets: Literal["withhold", "ignore"] = Field(
        "withhold", description="parts of documents that look like holding a key: left out and listed, or indexed"
    )
    on_pull: Literal["auto", "event", "index", "off"] = Field(
        "auto",
        description="what `muniment hook run` does: `event` tells Prefect, `index` indexes here, in the background;"
        " `auto`: tells Prefect where it has the post-pull deployment, else indexes; `off`: nothing",
    )


class EmbedderSettings(_Section):
    """What turns text into vectors."""

    name: Literal["bundled", "ollama", "openai", "none"] = Field("bundled", description="the embedder")
    model: str = Field("", description="model name at the endpoint; empty: nomic-embed-text for ollama")
    url: str = Field("", description="endpoint; empty: http://127.0.0.1:11434 for ollama")
    api_key: SecretStr = Field(
        SecretStr(""), description="bearer token for the endpoint; better set in the environment"
    )
    dimension: int = Field(0, ge=0, le=8192, description="vector width; 0: known from the model or asked")
    max_tokens: int = Field(0, ge=0, le=32_768, description="most tokens of one text; 0: known from the model")
    timeout_s: float = Field(60.0, gt=0, le=3600, description="total time for one request; seconds")
    batch: int = Field(32, ge=1, le=1024, description="texts in one request")
    document_prefix: str | None = Field(None, description="put before each document; unset: known from the model")
    query_prefix: str | None = Field(None, description="put before each query; unset: known from the model")
    proxy: str = Field("", description="proxy for the endpoint; the environment's is not used")
    threads: int = Field(0, ge=0, le=256, description="threads of the bundled model; 0: all cores")


class RankingSettings(_Section):
    """What moves hits beside words and vectors."""

    effectiveness_prior: float = Field(
        0.0,
        ge=0,
        le=0.1,
        description="most that is added to the score of a type that gets used; only once `muniment eval --prior` showed"
        " no loss",
    )


class AskSettings(_Section):
    """How questions are answered."""

    enabled: bool = Field(False, description="a model may word answers; off: answers are sentences of the documents")
    max_docs: int = Field(8, ge=1, le=20, description="most excerpts that an answer is taken from")
    excerpt_chars: int = Field(400, ge=80, le=4_000, description="longest excerpt; characters")
    max_tokens: int = Field(400, ge=16, le=4_096, description="longest reply of a model; tokens")
    timeout_s: float = Field(60.0, gt=0, le=3600, description="total time for all requests of one answer; seconds")
    evidence: float = Field(
        0.4, ge=0, le=1, description="likelihood of holding the answer under which a passage is not used"
    )


class ModelSettings(_Section):
    """What words answers, once ask.enabled is set."""

    name: Literal["none", "ollama", "openai"] = Field("none", description="the model's kind of server")
    model: str = Field("", description="model name at the server")
    hosts: tuple[str, ...] = Field(
        (),
        description="servers in order of preference, the first healthy one serves; empty: http://127.0.0.1:11434 for"
        " ollama, http://127.0.0.1:8080/v1 for openai",
    )
    api_key: SecretStr = Field(SecretStr(""), description="bearer token for the hosts; better set in the environment")
    context_tokens: int = Field(
        8_192, ge=1_024, le=1_048_576, description="the model's window, for prompt and reply; tokens"
    )
    probe_timeout_s: float = Field(2.0, gt=0, le=60, description="time for a host to show that it is healthy; seconds")
    keep_alive: str = Field("10m", description="how long ollama keeps the model loaded; a duration, or 0")
    proxy: str = Field("", description="proxy for the hosts; the environment's is not used")


class DriftSettings(_Section):
    """What `muniment drift` looks for."""

    checks: tuple[str, ...] = Field(tuple(CHECKS), min_length=1, description="which checks run")
    order: tuple[str, ...] = Field(
        (), description="truth readers that win over all others, the first over the second; empty: the built-in order"
    )
    max_commits: int = Field(
        200, ge=0, le=100_000, description="commits searched for the one from which two places differ; 0: none"
    )

    @field_validator("checks")
    @classmethod
    def _are_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in names if name not in CHECKS]:
            raise ValueError(f"no check '{unknown[0]}', the checks are: {', '.join(CHECKS)}")
        return names


class CanarySettings(_Section):
    """One `[[quality.canaries]]` table."""

    question: str = Field(min_length=1, max_length=1_000, description="what is asked")
    path: str = Field(min_length=1, description="the document that answers it, as hits name it")


class QualitySettings(_Section):
    """What `muniment quality` expects besides what is always expected."""

    max_age_days: float = Field(
        7.0, gt=0, le=36_500, description="a source that has moved on is indexed again within; days"
    )
    count_low: float = Field(0.5, ge=0, le=1, description="fewest documents and chunks, in times their usual number")
    count_high: float = Field(2.0, ge=1, le=1_000, description="most documents and chunks, in times their usual number")
    canaries: tuple[CanarySettings, ...] = Field(
        (), description="tables of question and path: the first five hits of the question name the document"
    )
    auto_canaries: int = Field(20, ge=0, le=1_000, description="titles that are asked for their own document; 0: none")


class ScaleSettings(_Section):
    """What one machine is not enough for."""

    dask_address: str = Field(
        "",
        max_length=300,
        description="Dask scheduler whose workers embed, for runs with the Prefect engine: tcp://HOST:PORT or"
        " tls://HOST:PORT; empty: this machine does",
    )
    url: str = Field(
        "",
        max_length=1_000,
        description="where generations are pushed to, for `muniment pull` on other machines: s3://BUCKET/PREFIX; empty:"
        " nowhere",
    )
    storage_options: dict[str, SecretStr] = Field(
        {},
        description="a table of what the object store's client takes: region, endpoint, allow_http, aws_access_key_id,"
        " aws_secret_access_key, ...; what is not there comes from the AWS_* variables",
    )
    read_in_place: bool = Field(
        False,
        description="search, ask, status, serve, mcp and the Python API read the index in the bucket of scale.url where"
        " it lies; off: the one on this machine's disk",
    )
    orphan_hours: float = Field(
        24.0,
        ge=0,
        le=8_760,
        description="objects in the bucket that no kept generation needs are removed when they are older; hours",
    )

    @model_validator(mode="after")
    def _has_a_bucket(self) -> Self:
        if self.read_in_place and not self.url:
            raise ValueError("read_in_place needs a bucket to read from: set scale.url")
        return self


class ServeSettings(_Section):
    """How `muniment serve` meets the network."""

    host: str = Field(
        "127.0.0.1", min_length=1, description="address to listen at; beyond this machine only with tokens"
    )
    port: int = Field(8765, ge=0, le=65_535, description="port to listen at; 0: any free one")
    allowed_hosts: tuple[str, ...] = Field(
        (), description="names and addresses it is called by, besides localhost and the address it listens at"
    )
    proxies: tuple[str, ...] = Field(
        (), description="addresses or networks of proxies; only their X-Forwarded-For is believed"
    )
    rate: int = Field(5, ge=1, le=1_000, description="questions a second that one client address may ask")
    burst: int = Field(10, ge=1, le=10_000, description="questions that it may ask at once")
    max_body_bytes: int = Field(65_536, ge=1_024, le=16_777_216, description="largest request body; bytes")
    threads: int = Field(8, ge=2, le=64, description="requests worked on at a time, of them half may be questions")
    max_requests: int = Field(64, ge=1, le=10_000, description="requests in progress, waiting ones too; others get 503")
    max_connections: int = Field(256, ge=1, le=10_000, description="open connections; those beyond get 503")
    head_timeout_s: float = Field(10.0, gt=0, le=600, description="time for a client to say what it wants; seconds")
    prefect_ui: str = Field(
        "",
        pattern=r"^(https?://[^\s\x00-\x1f]+)?$",
        max_length=2_000,
        description="address of Prefect's interface, for the page to link to",
    )
