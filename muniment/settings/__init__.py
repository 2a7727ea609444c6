"""The operator's settings, checked once at the door."""

from __future__ import annotations

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as PydanticSettingsError

from muniment.errors import SettingsError
from muniment.home import Config
from muniment.settings.sections import (
    ArchiveSettings,
    AskSettings,
    DriftSettings,
    EmbedderSettings,
    IndexSettings,
    ModelSettings,
    QualitySettings,
    RankingSettings,
    ScaleSettings,
    ServeSettings,
    SourceSettings,
    VaultSettings,
)

ENV_PREFIX = "MUNIMENT_"


class Settings(BaseSettings):
    """Everything the operator can set."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=ENV_PREFIX,
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    home: str = Field("", description="folder of index, logs and reports; relative to the settings file")
    egress_ack: bool = Field(False, description="text may leave this machine for a configured endpoint")
    index: IndexSettings = IndexSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    ranking: RankingSettings = RankingSettings()
    ask: AskSettings = AskSettings()
    model: ModelSettings = ModelSettings()
    drift: DriftSettings = DriftSettings()
    quality: QualitySettings = QualitySettings()
    vault: VaultSettings = VaultSettings()
    archive: ArchiveSettings = ArchiveSettings()
    scale: ScaleSettings = ScaleSettings()
    serve: ServeSettings = ServeSettings()
    sources: tuple[SourceSettings, ...] = Field((), description="what `muniment index` refreshes")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, whose values arrive as arguments; nothing else is read."""
        return env_settings, init_settings


def load_settings(config: Config) -> Settings:
    """The checked settings: defaults, then the file, then `MUNIMENT_SECTION__KEY` from the environment.

    Raises SettingsError that names the first wrong key, its value and where it came from.
    """
    try:
        settings = Settings(**config.values)
    except (ValidationError, PydanticSettingsError) as error:
        raise _settings_error(error, config) from error
    names = [source.name for source in settings.sources]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SettingsError(f"two sources are named '{twice}'", "give each [[sources]] table its own name")
    return settings


def _settings_error(error: ValidationError | PydanticSettingsError, config: Config) -> SettingsError:
    where = f"in '{config.path}' or the environment" if config.path else "in the environment"
    hint = "see docs/reference.md, or run 'muniment config'"
    if not isinstance(error, ValidationError):
        return SettingsError(f"a setting {where} can't be parsed: {error}", hint)
    first = error.errors(include_url=False, include_context=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    said = "no such setting" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
    hidden = "api_key" in key or "storage_options" in key or isinstance(first["input"], dict)
    shown = "" if hidden else f" (it is {first['input']!r})"
    return SettingsError(f"setting '{key}' {where}: {said[0].lower()}{said[1:]}{shown}", hint)
