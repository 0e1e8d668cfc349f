"""Settled turns page by page, the newest first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from storage.queries.coverage import asked_turns
from storage.queries.turns import open_turn, settle_turn
from tests.storage.kitchen import NOON, ending, furnish, question

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database


@pytest.fixture(autouse=True)
async def _furnished(db: Database) -> None:
    def ask(session: Session) -> None:
        furnish(session)
        for number, minute in enumerate((0, 1, 1, 2, 3)):
            name = f"t{number}"
            open_turn(session, replace(question(name), asked_at=NOON + timedelta(minutes=minute)))
            settle_turn(session, replace(ending(name), events=({"event": "Routed", "help": True},)))
        open_turn(session, replace(question("open"), asked_at=NOON))

    await db.run(ask)


async def test_that_pages_hold_every_settled_turn_once(db: Database) -> None:
    names: list[str] = []
    last = None
    while page := await db.run(lambda session, after=last: asked_turns(session, NOON, after, 2)):
        names += [turn.turn_id for turn in page]
        last = (page[-1].asked_at, page[-1].turn_id)
    assert names == ["t4", "t3", "t2", "t1", "t0"]


async def test_that_only_turns_since_a_moment_are_read_with_their_events(db: Database) -> None:
    turns = await db.run(lambda session: asked_turns(session, NOON + timedelta(minutes=2), None, 100))
    assert [turn.turn_id for turn in turns] == ["t4", "t3"]
    assert turns[0].events == ({"event": "Routed", "help": True},)
    assert turns[0].question == question("t4").question
