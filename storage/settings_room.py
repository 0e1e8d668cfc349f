"""Changes to settings.toml that keep what others wrote there: read, change, check and write as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from pydantic import ValidationError

from storage.errors import SettingsError
from storage.settings import Settings, load_settings, save_settings
from storage.settings_sentences import sentence_for, sentences_by_key
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.paths import Home

LOCK_TIMEOUT_S = 5.0


async def change_settings(home: Home, change: Callable[[Settings], Settings]) -> Settings:
    """Apply `change` to the settings as they are on disk now; returns what was written. Raises SettingsError."""
    worker = Worker("settings")
    try:
        return await worker.run_to_end(_change, home, change)
    finally:
        await worker.aclose()


async def read_settings(home: Home) -> Settings:
    """The settings on disk, read in a thread. Raises SettingsError."""
    worker = Worker("settings")
    try:
        return await worker.run(load_settings, home)
    finally:
        await worker.aclose()


def checked(settings: Settings) -> Settings:
    """The same settings after every rule was asked. Raises SettingsError."""
    try:
        return Settings.model_validate(settings.model_dump())
    except ValidationError as error:
        raise SettingsError(sentence_for(error.errors(include_url=False), Settings)) from error


def faults_of(settings: Settings) -> dict[str, str]:
    """A sentence for each dotted key whose value is not allowed; empty when all are."""
    try:
        Settings.model_validate(settings.model_dump())
    except ValidationError as error:
        return sentences_by_key(error.errors(include_url=False))
    return {}


def _change(home: Home, change: Callable[[Settings], Settings]) -> Settings:
    try:
        with FileLock(home.make().run / "settings.lock", timeout=LOCK_TIMEOUT_S):
            changed = checked(change(load_settings(home)))
            save_settings(home, changed)
            return changed
    except Timeout as error:
        raise SettingsError("settings.toml can't be written: another process keeps it locked. Try again.") from error
