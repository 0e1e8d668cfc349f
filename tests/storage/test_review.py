"""The review list: what is in a segment, and counts that hold for everything and not only for what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.queries.conversations import set_feedback, set_flag
from storage.queries.review import review_list
from storage.queries.turns import open_turn, settle_turn
from tests.storage.kitchen import PORTLAND, ending, furnish, question

if TYPE_CHECKING:
    from storage.database import Database


async def _filled(db: Database) -> None:
    await db.run(furnish)
    await db.run(lambda s: open_turn(s, question("t1")))
    await db.run(lambda s: settle_turn(s, ending("t1", withheld=2)))
    await db.run(lambda s: open_turn(s, question("t2", PORTLAND, 5, "Is it Jain?")))


async def test_that_each_segment_holds_its_own_conversations(db: Database) -> None:
    await _filled(db)
    found = await db.run(lambda s: review_list(s, "withheld"))
    assert [c.conversation_id for c in found.conversations] == ["talk-kamala"]
    assert (found.all, found.review, found.withheld) == (2, 0, 1)


async def test_that_a_thumb_down_or_a_flag_puts_a_conversation_on_the_review_list(db: Database) -> None:
    await _filled(db)
    await db.run(lambda s: set_feedback(s, "t2", -1))
    await db.run(lambda s: set_flag(s, "talk-kamala", flagged=True))
    found = await db.run(lambda s: review_list(s, "review"))
    assert {c.conversation_id for c in found.conversations} == {"talk-kamala", "talk-portland"}
    assert found.disliked == {"talk-portland"}
    await db.run(lambda s: set_feedback(s, "t2", 1))
    assert (await db.run(review_list)).review == 1


async def test_that_counts_hold_for_the_search_and_beyond_the_limit(db: Database) -> None:
    await _filled(db)
    found = await db.run(lambda s: review_list(s, limit=1))
    assert (len(found.conversations), found.all) == (1, 2)
    found = await db.run(lambda s: review_list(s, search="jain"))
    assert (found.all, found.withheld) == (1, 0)
