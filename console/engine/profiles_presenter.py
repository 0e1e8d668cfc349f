"""What a person does with profiles: open, change, save as a new version, choose, compare, carry in and out."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal, Slot

from console.engine.profile_reads import (
    FlagsRead,
    Saved,
    ShelfRead,
    export_file,
    import_file,
    read_fit,
    read_flags,
    read_has,
    read_shelf,
    read_steps,
    save_profiles,
    use_profile,
)  # fmt: skip
from console.engine.profiles_state import DESCRIBED, FitKnown, ProfilesView, words_of
from console.widgets.notices import Notice
from console.widgets.presenter import Presenter
from engine_host.engine.models import model_named
from engine_host.engine.profile_file import KeptProfile
from engine_host.engine.profile_shelf import ProfileShelf, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.engine.home_facts import HomeFacts
    from console.engine.profile_reads import ProfileRooms
    from engine_host.engine.options import OptionValue
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_reported import Has
    from engine_host.engine.state import EngineState
    from storage.settings import Settings

REST_MS = 250
"""A fit is worked out when a person has stopped typing for so long."""


class ProfilesPresenter(Presenter["ProfilesView"]):
    """`changed` follows every change of `state`; `kept(KeptProfile)` comes after a version was saved;
    `settings_changed(Settings)` after another profile was taken into use."""

    kept = Signal(object)
    settings_changed = Signal(object)

    def __init__(self, bridge: LoopThread, rooms: ProfileRooms, notify: Callable[[Notice], None]) -> None:
        super().__init__()
        self._bridge, self._rooms, self._notify = bridge, rooms, notify
        self.state = ProfilesView()
        self._wanted = ""
        self._engine: EngineState | None = None
        self._fitting: Call | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._work_out_fit)
        self.reload()
        self._submit(lambda: read_flags(rooms), "read vLLM's flags", self._flags_read)

    # What a person does

    def open(self, key: str) -> None:
        """Put a profile into the form; what was not saved of another one is let go."""
        profile = self.state.find(key)
        if profile is not None:
            self._open(profile)

    def edit(self, key: str, value: OptionValue | None) -> None:
        """None gives an option its default back."""
        self._draft(self.state.draft.with_values(**{key: value}))

    def choose_model(self, name: str) -> None:
        self._draft(replace(self.state.draft, model=model_named(name), version=0))

    def edit_extra(self, typed: str) -> None:
        words = words_of(typed)
        self._show(extra=typed)
        if words is not None:
            self._draft(replace(self.state.draft, extra=words, version=0))

    def revert(self) -> None:
        self._open(self.state.base)

    def save(self, name: str = "") -> None:
        """Keep the form as a new version, under another name when one is given. What was in use stays in use."""
        state = self.state
        if state.faults or state.saving or not (state.dirty or name):
            return
        profile = replace(state.draft, name=name or state.draft.name)
        use = not name and state.key == state.in_use_key
        self._show(saving=True)
        work = save_profiles(self._rooms, (KeptProfile(profile, ""),), use=use)
        self._submit(work, "save profile", self._saved)

    def use(self, key: str) -> None:
        """From now on a start uses this one."""
        profile = self.state.find(key)
        if profile is not None and key != self.state.in_use_key:
            self._use("" if key == DESCRIBED else profile.name)

    def delete(self, key: str) -> None:
        """Every version of it; when it is in use, that of the settings is used again."""
        profile = self.state.find(key)
        if profile is None:
            return
        if key == self.state.in_use_key:
            self._use("")
        shelf = ProfileShelf(self._rooms.database)
        self._submit(lambda: shelf.delete(profile.name), "delete profile", self._gone)

    def export(self, key: str, path: Path) -> None:
        kept = self.state.kept_of(key) or KeptProfile(self.state.base, "")
        self._submit(lambda: export_file(kept, path), "export profile")

    def take_in(self, path: Path) -> None:
        """Import every profile of a file, each as a new version; all of them or none."""
        self._submit(lambda: import_file(self._rooms, path), "import profiles", self._saved)

    def versions(self, name: str) -> Call:
        """`done` brings a tuple of KeptProfile, newest first."""
        return self._submit(lambda: ProfileShelf(self._rooms.database).versions(name), "read versions")

    def steps(self) -> Call:
        """`done` brings what to type where, as text."""
        base = self.state.base
        return self._submit(lambda: read_steps(self._rooms, base), "read steps")

    # What the page tells it

    def reload(self) -> None:
        self._submit(lambda: read_shelf(self._rooms), "read profiles", self._shelf_read)

    def facts_known(self, facts: HomeFacts) -> None:
        if (facts.on_gpu, facts.models) != (self.state.on_gpu, self.state.models):
            self._show(on_gpu=facts.on_gpu, models=facts.models)
            self._rest.start()

    def engine_known(self, engine: EngineState) -> None:
        """The engine whose figures stand beside the form: asked anew for each run that becomes ready."""
        before, self._engine = self._engine, engine
        ready = (engine.run if engine.can_answer else None, engine.url)
        if before is not None and ready == (before.run if before.can_answer else None, before.url):
            return
        self._show(has={})
        self._rest.start()
        if engine.can_answer and engine.hosted:
            asked, on_gpu = self.state.base, self.state.on_gpu
            self._submit(lambda: read_has(engine.url, asked, on_gpu=on_gpu), "ask engine", self._has_read)

    @Slot()
    def _work_out_fit(self) -> None:
        state, engine = self.state, self._engine
        if self._fitting is not None:
            self._fitting.drop()
            self._fitting = None
        if not state.draft.name or state.faults:
            return
        group = engine.process_group if engine is not None else None
        call = self._submit(
            lambda: read_fit(self._rooms, state.draft, group, on_gpu=state.on_gpu), "work out fit", self._fit_read
        )
        self._fitting = call

    @Slot(object)
    def _fit_read(self, fit: FitKnown) -> None:
        self._fitting = None
        self._show(fit=fit)

    @Slot(object)
    def _has_read(self, has: Mapping[str, Has]) -> None:
        self._show(has=has)

    @Slot(object)
    def _flags_read(self, read: FlagsRead) -> None:
        self._show(table=read.table, unchecked=read.unchecked)

    @Slot(object)
    def _shelf_read(self, read: ShelfRead) -> None:
        first = not self.state.base.name
        was_described, clean = self.state.is_described, not self.state.dirty
        self._show(kept=read.kept, damaged=read.damaged, described=read.described, in_use=read.in_use)
        wanted, self._wanted = self._wanted, ""
        if wanted:
            self.open(wanted)
        elif first:
            self.open(self.state.in_use_key)
        elif clean:
            same = None if was_described else self.state.find(folded(self.state.base.name))
            self._open(same or read.described)

    @Slot(object)
    def _saved(self, saved: Saved) -> None:
        self._wanted = folded(saved.kept[0].name)
        self._show(saving=False)
        if saved.settings is not None:
            self._used(saved.settings)
        else:
            self.reload()
        self.kept.emit(saved.kept[0])

    @Slot(object)
    def _used(self, settings: Settings) -> None:
        self._show(in_use=settings.engine.profile)
        self.settings_changed.emit(settings)
        self.reload()

    @Slot(object)
    def _gone(self, _count: int) -> None:
        self._wanted = self.state.in_use_key
        self.reload()

    @Slot(object)
    def _told(self, error: Exception) -> None:
        self._show(saving=False)
        self._notify(Notice("profiles", "error", str(error)))

    def _use(self, name: str) -> None:
        self._submit(lambda: use_profile(self._rooms, name), "use profile", self._used)

    def _open(self, profile: EngineProfile) -> None:
        self._show(base=profile, draft=profile, extra=shlex.join(profile.extra), fit=None)
        self._rest.start()

    def _draft(self, draft: EngineProfile) -> None:
        self._show(draft=draft)
        self._rest.start()

    def _submit(self, work: Any, name: str, done: Callable[[Any], None] | None = None) -> Call:
        call = self._bridge.submit(work, name)
        if done is not None:
            call.done.connect(done)
        call.failed.connect(self._told)
        return call
