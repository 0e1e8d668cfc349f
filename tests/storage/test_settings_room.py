"""Two places that change settings.toml keep each other's work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage.errors import SettingsError
from storage.paths import Home
from storage.settings import Appearance, Settings, load_settings
from storage.settings_room import change_settings, read_settings

if TYPE_CHECKING:
    from pathlib import Path


def dark(kept: Settings) -> Settings:
    return kept.model_copy(update={"appearance": Appearance(theme="dark")})


def eight(kept: Settings) -> Settings:
    return kept.model_copy(update={"engine": kept.engine.model_copy(update={"max_num_seqs": 8})})


async def test_that_a_change_keeps_what_another_one_wrote(tmp_path: Path) -> None:
    home = Home(tmp_path)
    await change_settings(home, dark)
    written = await change_settings(home, eight)
    assert (written.appearance.theme, written.engine.max_num_seqs) == ("dark", 8)
    assert await read_settings(home) == load_settings(home) == written


async def test_that_a_value_that_is_not_allowed_is_never_written(tmp_path: Path) -> None:
    home = Home(tmp_path)
    await change_settings(home, dark)

    def none_at_once(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"max_num_seqs": 0})})

    with pytest.raises(SettingsError, match=r"engine\.max_num_seqs is 0"):
        await change_settings(home, none_at_once)
    assert load_settings(home).engine.max_num_seqs == 32
