"""The length of turns is that of the newest ones that an engine took part in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.queries.token_lengths import newest_turn_lengths
from storage.queries.turns import open_turn, settle_turn
from storage.records import TokenUse
from tests.storage.kitchen import ending, furnish, question

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database


def _talk(session: Session) -> None:
    furnish(session)
    for minute, tokens in enumerate((TokenUse(100, 60, 20), TokenUse(), TokenUse(400, 0, 50))):
        open_turn(session, question(f"t{minute}", minutes=minute))
        settle_turn(session, ending(f"t{minute}", tokens=tokens))


async def test_that_turns_without_an_engine_do_not_count(db: Database) -> None:
    await db.run(_talk)
    assert await db.run(newest_turn_lengths) == (450, 120)
    assert await db.run(lambda session: newest_turn_lengths(session, 1)) == (450,)
