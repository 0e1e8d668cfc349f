"""What a person does on the Engine page, and the one frozen state that the page shows."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, cast

from PySide6.QtCore import QObject, Signal, Slot

from console.engine.home_facts import HomeFacts, read_facts
from console.engine.log_feed import log_news
from console.engine.profile_shown import derive_faults, same_profile, shorter_context, with_profile_of
from console.widgets.notices import Notice
from engine_host.engine.attaching import attach_with_kept_key, keep_engine
from engine_host.engine.errors import StartStopped
from engine_host.engine.models import SMOLLM2, ModelSpec, model_named
from engine_host.engine.profile import profile_from
from engine_host.engine.start_times import StartTimes, last_start
from engine_host.engine.state import EngineState, EngineStatus
from storage.settings_room import change_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.engine.profile_fields import FieldKey
    from engine_host.engine.session import EngineSession
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import EngineSettings, Settings


class EngineHouse(Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def home(self) -> Home: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def secrets(self) -> SecretRoom: ...
    @property
    def engine(self) -> EngineSession: ...


@dataclass(frozen=True, slots=True)
class EngineView:
    """`saved` is the profile on disk, with which a start is made, `draft` the one in the form."""

    engine: EngineState
    saved: EngineSettings
    draft: EngineSettings
    model: ModelSpec = SMOLLM2
    facts: HomeFacts | None = None
    cancelling: bool = False
    saving: bool = False

    @property
    def dirty(self) -> bool:
        return not same_profile(self.saved, self.draft)

    @property
    def faults(self) -> Mapping[FieldKey, str]:
        return derive_faults(self.draft, self.model, on_gpu=self.on_gpu)

    @property
    def on_gpu(self) -> bool:
        return self.facts.on_gpu if self.facts else False

    @property
    def last(self) -> StartTimes | None:
        """The start before the one that is shown, of the same kind."""
        starts = self.facts.starts if self.facts else ()
        return last_start(starts, self.model.name, eager=self.saved.enforce_eager, besides=self.engine.run)


class EnginePresenter(QObject):
    """`changed` follows every change of `state`; `logged(tuple of LogNews)` brings lines of the engine's log."""

    changed = Signal()
    logged = Signal(tuple)

    def __init__(self, bridge: LoopThread, house: EngineHouse, notify: Callable[[Notice], None]) -> None:
        super().__init__()
        self._bridge = bridge
        self._house = house
        self._notify = notify
        self._starting: Call | None = None
        self._began: float | None = None
        self._mirror = bridge.mirror(house.engine.state)
        saved = house.settings.engine
        self.state = EngineView(cast("EngineState", self._mirror.value), saved, saved)
        self._note_begin(self.state.engine, seen_from_the_start=False)
        self._mirror.changed.connect(self._engine_changed)
        self._log = bridge.stream(lambda: log_news(house.engine.log), "engine log")
        self._log.batch.connect(self.logged)
        self.refresh_facts()

    @property
    def elapsed_s(self) -> float | None:
        """Seconds since the process of this start began; None while there is none."""
        return None if self._began is None else time.monotonic() - self._began

    def refresh_facts(self) -> None:
        house = self._house
        settings = house.settings.model_copy(update={"engine": self.state.saved})
        call = self._bridge.submit(lambda: read_facts(house.home, settings, house.engine.run_file), "engine facts")
        call.done.connect(self._facts_read)
        call.failed.connect(self._told)

    # The form

    def edit(self, key: FieldKey, value: float | bool) -> None:
        self._show(draft=self.state.draft.model_copy(update={key: value}))

    def choose_model(self, name: str) -> None:
        """For the next start; one of those on this machine."""
        self._show(model=model_named(name))

    def revert(self) -> None:
        self._show(draft=self.state.saved)

    def save(self) -> None:
        """Write the form into settings.toml; the next start uses it."""
        if self.state.faults or self.state.saving or not self.state.dirty:
            return
        home, draft = self._house.home, self.state.draft

        def change(kept: Settings) -> Settings:
            return kept.model_copy(update={"engine": with_profile_of(kept.engine, draft)})

        self._show(saving=True)
        call = self._bridge.submit(lambda: change_settings(home, change), "save profile")
        call.done.connect(self._saved)
        call.failed.connect(self._told)
        call.finished.connect(self._save_ended)

    # The engine

    def start(self) -> None:
        """Start with the profile that is saved."""
        profile = profile_from(self.state.saved, self.state.model)
        self._starting = self._bridge.submit(lambda: self._house.engine.start(profile), "start engine")
        self._starting.failed.connect(self._start_failed)
        self._starting.finished.connect(self._start_ended)

    def stop(self) -> None:
        """Stop the engine, or cancel a start; an attached one is let go."""
        self._show(cancelling=True)
        if self._starting is not None and self._starting.running:
            self._starting.cancel()
            return
        self._run(self._house.engine.stop, "stop engine")

    def detach(self) -> None:
        self._run(self._house.engine.detach, "detach engine")

    def adopt(self) -> None:
        """Take the engine that an earlier start left, or end what is left of it."""
        self._run(self._house.engine.adopt, "take over engine")

    def attach(self, url: str, key: str, *, keep: bool) -> Call:
        """The caller shows how it ended; the state follows by itself."""
        house = self._house

        async def ask() -> None:
            await attach_with_kept_key(house, url, key)
            if keep:
                await keep_engine(house, url, key)

        return self._bridge.submit(ask, "attach engine")

    def fix_context(self) -> None:
        self.edit("max_model_len", self.shorter_context)

    def fix_kv_space(self) -> None:
        self.edit("kv_space_gib", self.smaller_kv_gib)

    @property
    def shorter_context(self) -> int:
        """What the engine itself said would do, in tokens; else what is reckoned here."""
        told = self.state.engine.change.get("max_model_len")
        return int(told) if told else shorter_context(self.state.saved, self.state.model)

    @property
    def smaller_kv_gib(self) -> float:
        """As `shorter_context`, in GiB; larger than now when the KV space was too small."""
        told = self.state.engine.change.get("kv_space_gib")
        return float(told) if told else max(round(self.state.saved.kv_space_gib / 2, 1), 0.1)

    def _run(self, work: Any, name: str) -> None:
        call = self._bridge.submit(work, name)
        call.failed.connect(self._told)
        call.finished.connect(self._run_ended)

    # What comes back

    @Slot(object)
    def _engine_changed(self, engine: EngineState) -> None:
        before = self.state.engine
        self._note_begin(engine, seen_from_the_start=before.status is EngineStatus.STARTING)
        self._show(engine=engine)
        told = engine.status is before.status or (engine.is_well and before.is_well)
        if not told and engine.status is not EngineStatus.STARTING:
            self.refresh_facts()

    def _note_begin(self, engine: EngineState, *, seen_from_the_start: bool) -> None:
        """From when on this start counts: its process is made a moment after it was asked for."""
        if engine.status is not EngineStatus.STARTING:
            self._began = None
        elif engine.process_group is not None and self._began is None:
            asked_before = (datetime.now(UTC) - engine.since).total_seconds() if engine.since else 0.0
            self._began = time.monotonic() - (0.0 if seen_from_the_start else asked_before)

    @Slot(object)
    def _facts_read(self, facts: HomeFacts) -> None:
        self._show(facts=facts)

    @Slot(object)
    def _saved(self, settings: Settings) -> None:
        self._house.engine.settings = settings
        self._show(saved=settings.engine)
        self.refresh_facts()

    @Slot()
    def _save_ended(self) -> None:
        self._show(saving=False)

    @Slot(object)
    def _start_failed(self, error: Exception) -> None:
        shown = cast("EngineState", self._mirror.newest()).status is EngineStatus.FAILED
        if not shown and not isinstance(error, StartStopped):
            self._told(error)

    @Slot()
    def _start_ended(self) -> None:
        self._starting = None
        self._show(cancelling=False)

    @Slot()
    def _run_ended(self) -> None:
        self._show(cancelling=False)
        self.refresh_facts()

    @Slot(object)
    def _told(self, error: Exception) -> None:
        self._notify(Notice("engine", "error", str(error)))

    def _show(self, **changes: Any) -> None:
        state = replace(self.state, **changes)
        if state != self.state:
            self.state = state
            self.changed.emit()
