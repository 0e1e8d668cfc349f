"""What a person does on the Settings page: change fields, save them whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Slot

from console.settings.values import (
    SECRETS,
    Value,
    derive_faults,
    derive_pending,
    rebased,
    values_of,
    with_running,
    with_values,
)
from console.theme.style import theme_from_setting
from console.widgets.notices import Notice
from console.widgets.presenter import Presenter
from storage.settings_room import change_settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from console.bridge.loop_thread import LoopThread
    from console.house_engines import HouseEngines
    from console.theme.style import Theme
    from knowledge.watching import FolderWatch
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import Settings


class SettingsHouse(Protocol):
    @property
    def home(self) -> Home: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def secrets(self) -> SecretRoom: ...
    @property
    def engines(self) -> HouseEngines: ...
    @property
    def watching(self) -> FolderWatch: ...


@dataclass(frozen=True, slots=True)
class SettingsView:
    """`opened` are those the program runs with, `saved` those on disk, `values` what the fields hold."""

    opened: Settings
    saved: Settings
    values: Mapping[str, Value]
    faults: Mapping[str, str] = field(default_factory=dict[str, str])
    saving: bool = False

    @property
    def dirty(self) -> bool:
        return dict(self.values) != values_of(self.saved)

    @property
    def pending(self) -> tuple[str, ...]:
        return derive_pending(self.opened, self.saved)


class SettingsPresenter(Presenter["SettingsView"]):
    def __init__(
        self, bridge: LoopThread, house: SettingsHouse, theme: Theme, notify: Callable[[Notice], None]
    ) -> None:
        super().__init__()
        self._bridge, self._house, self._theme, self._notify = bridge, house, theme, notify
        settings = house.settings
        self.state = SettingsView(settings, settings, values_of(settings))
        self.refresh()

    def refresh(self) -> None:
        """Read the file again: the rail's theme switch and the Engine page write it too."""
        call = self._bridge.submit(lambda: read_settings(self._house.home), "read settings")
        call.done.connect(self._read)
        call.failed.connect(self._told)

    def edit(self, key: str, value: Value) -> None:
        """Faults that stand go away as soon as they are corrected; new ones come with Save."""
        values = {**self.state.values, key: value}
        known = derive_faults(self.state.saved, values)
        faults = {name: said for name, said in self.state.faults.items() if name in known}
        self._show(values=values, faults=faults)

    def revert(self) -> None:
        self._show(values=values_of(self.state.saved), faults={})

    def save(self) -> None:
        """Check, then write settings.toml whole; new secrets go to the secrets first."""
        values = dict(self.state.values)
        faults = derive_faults(self.state.saved, values)
        self._show(faults=faults)
        if faults or self.state.saving or not self.state.dirty:
            return
        house, before = self._house, self.state.saved
        secrets = {name: str(values[key]) for key, name in SECRETS.items() if values[key]}

        async def write() -> Settings:
            for name, secret in secrets.items():
                await house.secrets.set(name, secret)
            saved = await change_settings(house.home, lambda kept: with_values(kept, rebased(values, before, kept)))
            await house.watching.follow(saved.knowledge.watched_path)
            house.watching.start()
            return saved

        self._show(saving=True)
        call = self._bridge.submit(write, "save settings")
        call.done.connect(self._saved)
        call.failed.connect(self._told)
        call.finished.connect(self._save_ended)

    @Slot(object)
    def _read(self, saved: Settings) -> None:
        opened = with_running(self.state.opened, self._house.engines.more)
        self._show(opened=opened, saved=saved, values=rebased(self.state.values, self.state.saved, saved))

    @Slot(object)
    def _saved(self, saved: Settings) -> None:
        self._show(saved=saved, values=values_of(saved), faults={})
        self._theme.set_name(theme_from_setting(saved.appearance.theme))

    @Slot()
    def _save_ended(self) -> None:
        self._show(saving=False)

    @Slot(object)
    def _told(self, error: Exception) -> None:
        self._notify(Notice("settings", "error", str(error)))
