"""settings.toml: typed, versioned, written whole or not at all."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import tomli_w
from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)

from storage.errors import SettingsError
from storage.files import write_atomically
from storage.setting_types import (
    BUNDLED_EMBEDDER,
    DatabaseUrl,
    EmbedderChoice,
    EngineWeight,
    FieldNames,
    FolderPath,
    HttpUrl,
    Section,
    StatusWords,
    Timezone,
    as_tuple,
)
from storage.settings_sentences import sentence_for
from storage.usage_settings import MetricsSettings, Prices

if TYPE_CHECKING:
    from storage.paths import Home

VERSION = 1


class Appearance(Section):
    theme: Literal["system", "light", "dark"] = "system"


class Kitchen(Section):
    timezone: Timezone = "Asia/Kolkata"
    phone: str = Field(default="020 5550 0142", min_length=1)


class OrderSettings(Section):
    """`base_url` None = the bundled demo order system. `auth_value_secret` names a secret; None = no such header.

    `statuses` (its word -> ours) and `fields` (our name -> its name, dots lead into objects) are the dialect of a
    kitchen's own system; the demo speaks ours. `clock_tolerance_s` is how far its clock may be from ours.
    """

    base_url: HttpUrl | None = None
    auth_header: str = Field(default="Authorization", min_length=1)
    auth_value_secret: str | None = None
    lookup_timeout_s: float = Field(default=3.0, gt=0, le=60)
    statement_max_age_s: float = Field(default=2.0, gt=0, le=60)
    clock_tolerance_s: float = Field(default=5.0, ge=0, le=60)
    statuses: StatusWords = Field(default_factory=dict)
    fields: FieldNames = Field(default_factory=dict)


class KnowledgeSettings(Section):
    """`threshold` is the score from which a passage may be used for an answer; it belongs to the embedder.

    `versions_kept` is how many published texts of an article are kept, the one that answers included. What is put
    into `watched_folder` becomes an article by itself; None = no folder is watched.
    """

    chunk_tokens: int = Field(default=200, ge=32, le=8192)
    chunk_overlap: int = Field(default=30, ge=0)
    threshold: float = Field(default=0.47, ge=-1, le=1)
    passages: int = Field(default=4, ge=1, le=20)
    versions_kept: int = Field(default=50, ge=1, le=10_000)
    watched_folder: FolderPath | None = None
    qdrant_url: HttpUrl | None = None
    embedder: EmbedderChoice = BUNDLED_EMBEDDER
    embedder_model: str | None = Field(default=None, min_length=1)
    embedder_max_tokens: int = Field(default=512, ge=128, le=32768)
    embedder_key_secret: str | None = Field(default=None, min_length=1)

    @property
    def watched_path(self) -> Path | None:
        return Path(self.watched_folder).expanduser() if self.watched_folder else None

    @model_validator(mode="after")
    def _overlap_within_chunk(self) -> Self:
        if self.chunk_overlap >= self.chunk_tokens:
            raise ValueError(f"chunk_overlap must be less than chunk_tokens, which is {self.chunk_tokens}")
        return self

    @model_validator(mode="after")
    def _model_of_a_server(self) -> Self:
        if self.embedder.startswith(("http://", "https://")) and self.embedder_model is None:
            raise ValueError("embedder_model must name the model that the embedding server serves")
        return self


class StorageSettings(Section):
    """`database_url` None = the SQLite file in the home folder."""

    database_url: DatabaseUrl | None = None


class MoreEngine(Section):
    """A further engine of the pool: attached at `url`, None = another one that this program starts.

    `number` is what it is called by, and its place in the home; None = by its position, the first of them is 2.
    """

    url: HttpUrl | None = None
    weight: EngineWeight = 1.0
    number: int | None = Field(default=None, ge=2, le=99)


MoreEngines = Annotated[tuple[MoreEngine, ...], BeforeValidator(as_tuple), Field(max_length=15)]


class EngineSettings(Section):
    """`attach_url` None = an engine that this program starts; `python` None = the runtime in the home folder.

    `attach_ca_file` holds the certificates that an attached https server is checked by, None = the machine's own.
    `keep_running`: an engine outlives the program that started it. It has `start_limit_s` to become ready, and
    `drain_s` to finish its answers when it is stopped. An engine that dies is started again, at most `restarts` times
    within `restart_window_s`. `canary`: an engine that claims to be well is asked for a token when it shows no sign.
    `more` are engines beside the first one; each gets requests by its `weight`, as the first one by its own.
    `profile` names the profile that a start uses; empty = the one that the options of this section describe.
    """

    attach_url: HttpUrl | None = None
    profile: str = Field(default="", max_length=60)
    python: str | None = None
    kv_space_gib: float = Field(default=1.0, gt=0)
    max_num_seqs: int = Field(default=32, ge=1)
    max_model_len: int = Field(default=4096, ge=256)
    max_num_batched_tokens: int = Field(default=2048, ge=1)
    enforce_eager: bool = True
    prefix_caching: bool = True
    max_queued: int = Field(default=64, ge=1)
    attach_ca_file: str | None = Field(default=None, min_length=1)
    attach_verify: bool = True
    keep_running: bool = False
    start_limit_s: float = Field(default=900.0, ge=10, le=86_400)
    drain_s: float = Field(default=10.0, ge=0, le=600)
    restarts: int = Field(default=3, ge=0, le=20)
    restart_window_s: float = Field(default=600.0, ge=10, le=86_400)
    canary: bool = True
    weight: EngineWeight = 1.0
    more: MoreEngines = ()

    @model_validator(mode="after")
    def _numbers_differ(self) -> Self:
        numbers = [one.number or position for position, one in enumerate(self.more, start=2)]
        twice = next((one for one in numbers if numbers.count(one) > 1), None)
        if twice is not None:
            raise ValueError(f"two engines of engine.more must not have the number {twice}")
        return self

    @property
    def ca_file(self) -> Path | None:
        return Path(self.attach_ca_file).expanduser() if self.attach_ca_file else None


class AlertSettings(Section):
    """Who is told when an alert fires or clears: the desktop, and the program at `webhook_url`, None = no other one.

    What is watched is in alerts.toml of the home folder.
    """

    desktop_notice: bool = True
    webhook_url: HttpUrl | None = None


class LiveSettings(Section):
    """`twice_a_second`: while the Live page is open, its gauges are read once more between two seconds."""

    twice_a_second: bool = False


class Settings(Section):
    version: Literal[1] = VERSION
    appearance: Appearance = Appearance()
    kitchen: Kitchen = Kitchen()
    orders: OrderSettings = OrderSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    storage: StorageSettings = StorageSettings()
    engine: EngineSettings = EngineSettings()
    alerts: AlertSettings = AlertSettings()
    live: LiveSettings = LiveSettings()
    prices: Prices = Prices()
    metrics: MetricsSettings = MetricsSettings()


def load_settings(home: Home) -> Settings:
    """The settings of this home; a missing file means the defaults. Raises SettingsError."""
    try:
        text = home.settings_file.read_bytes().decode()
    except FileNotFoundError:
        return Settings()
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"settings.toml can't be read: byte {error.start + 1} is not UTF-8 text. Save the file as UTF-8."
        ) from error
    except OSError as error:
        raise SettingsError(
            f"settings.toml can't be read: {error.strerror}. Check the permissions of the file."
        ) from error
    return parse_settings(text)


def parse_settings(text: str) -> Settings:
    """Settings from the text of a settings.toml. Raises SettingsError."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"settings.toml is not valid TOML: {error}. Correct that line.") from error
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise SettingsError(sentence_for(error.errors(include_url=False), Settings)) from error


def save_settings(home: Home, settings: Settings) -> None:
    """Write settings.toml (0600) in one step. Raises SettingsError; the file is then as it was before."""
    values: dict[str, Any] = settings.model_dump(exclude_none=True)  # TOML has no null: an absent key is None
    try:
        home.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(home.settings_file, tomli_w.dumps(values).encode())
    except OSError as error:
        raise SettingsError(
            f"settings.toml can't be written: {error.strerror}. Make room in {home.root} or check its permissions."
        ) from error
