"""Which profile a start uses when nobody names one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.engine.errors import StartFailed
from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_chosen import chosen_profile
from engine_host.engine.profile_shelf import ProfileShelf
from storage.database import Database
from storage.paths import Home
from storage.settings import EngineSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(Home(tmp_path / "home").make())
    yield opened
    await opened.close()


async def test_that_the_settings_describe_it_until_one_is_chosen(database: Database) -> None:
    described = await chosen_profile(EngineSettings(max_num_seqs=5), QWEN_7B, database)
    assert (described.model, described.max_num_seqs) == (QWEN_7B, 5)


async def test_that_the_newest_version_of_the_chosen_one_is_used_however_it_is_spelt(database: Database) -> None:
    shelf = ProfileShelf(database)
    for seqs in (3, 4):
        await shelf.save(EngineProfile("Evening shift", SMOLLM2, {"max_num_seqs": seqs}))
    chosen = await chosen_profile(EngineSettings(profile="evening-shift", max_num_seqs=5), QWEN_7B, database)
    assert (chosen.name, chosen.version, chosen.model, chosen.max_num_seqs) == ("Evening shift", 2, SMOLLM2, 4)


async def test_that_a_chosen_profile_that_is_gone_is_said_and_nothing_else_is_started(database: Database) -> None:
    with pytest.raises(StartFailed, match=r"there is no profile Evening any more\. Choose another one"):
        await chosen_profile(EngineSettings(profile="Evening"), SMOLLM2, database)
