"""Sources as the settings describe them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from muniment.home import Config
from muniment.settings import Settings
from muniment.settings.sections import SourceSettings, VaultSettings
from schemas.files import NoteRules, Source


def configured_sources(settings: Settings, config: Config) -> tuple[Source, ...]:
    """The sources of the settings file, with absolute paths."""
    base = config.path.absolute().parent if config.path else Path.cwd()
    return tuple(_configured(source, settings, base) for source in settings.sources)


def _configured(source: SourceSettings, settings: Settings, base: Path) -> Source:
    made = Source(
        name=source.name,
        path=str((base / source.path.expanduser()).absolute()),
        kind=source.kind,
        worktree=source.worktree and source.kind == "git",
        include=settings.index.include + source.include,
        exclude=settings.index.exclude + source.exclude,
        max_bytes=largest(source.kind, settings),
        withhold_secrets=settings.index.secrets == "withhold",
    )
    if source.kind != "vault":
        return made
    own = source.vault.model_dump(include=source.vault.model_fields_set) if source.vault else {}
    return as_vault(made, settings.vault.model_copy(update=own))


def largest(kind: str, settings: Settings) -> int:
    """The size cap of a kind of source, in bytes."""
    return settings.archive.max_bytes if kind == "archive" else settings.index.max_bytes


def as_vault(source: Source, own: VaultSettings) -> Source:
    """The source with what the settings say of vaults."""
    rules = own.model_dump(exclude={"exclude", "folders"})
    notes = NoteRules(**rules, folders=tuple(own.folders.items()))
    return replace(source, exclude=own.exclude + source.exclude, notes=notes)
