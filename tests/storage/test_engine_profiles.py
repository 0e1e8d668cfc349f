from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from storage.errors import NoSuchRecord
from storage.queries.engine_profiles import delete_profile, list_profiles, profile_versions, save_profile
from tests.storage.kitchen import NOON

if TYPE_CHECKING:
    from storage.database import Database
    from storage.profile_records import ProfileRow

DAY: dict[str, Any] = {"model": "smol", "values": {"max_num_seqs": 8}, "extra": []}
NIGHT: dict[str, Any] = {"model": "smol", "values": {"max_num_seqs": 64}, "extra": ["--seed", "7"]}


async def save(db: Database, name: str, body: dict[str, Any], note: str = "", minutes: int = 0) -> ProfileRow:
    return await db.run(lambda s: save_profile(s, name, body, note, NOON + timedelta(minutes=minutes)))


async def test_that_each_save_is_a_version_of_its_own(db: Database) -> None:
    first = await save(db, "Evening", DAY)
    second = await save(db, "Evening", NIGHT, "for Diwali", 1)
    assert (first.version, second.version) == (1, 2)
    assert await db.run(lambda s: profile_versions(s, "Evening")) == (second, first)
    assert second.body == NIGHT


async def test_that_saving_what_is_kept_already_makes_no_version(db: Database) -> None:
    first = await save(db, "Evening", DAY, "a note")
    assert await save(db, "Evening", DAY, "a note", 5) == first
    assert (await save(db, "Evening", DAY, "another note", 6)).version == 2


async def test_that_the_list_shows_the_newest_of_each(db: Database) -> None:
    await save(db, "Lunch", DAY)
    await save(db, "Evening", DAY)
    newest = await save(db, "Evening", NIGHT)
    listed = await db.run(list_profiles)
    assert [(row.name, row.version) for row in listed] == [("Evening", 2), ("Lunch", 1)]
    assert listed[0] == newest


async def test_that_deleting_takes_every_version(db: Database) -> None:
    await save(db, "Evening", DAY)
    await save(db, "Evening", NIGHT)
    assert await db.run(lambda s: delete_profile(s, "Evening")) == 2
    assert await db.run(lambda s: profile_versions(s, "Evening")) == ()
    with pytest.raises(NoSuchRecord, match="no saved profile Evening"):
        await db.run(lambda s: delete_profile(s, "Evening"))
    assert (await save(db, "Evening", DAY)).version == 1
