"""Why a turn was slow, told in the inspector in the same words as on the Live page."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

from console.chat.figures_shown import Peers, derive_time
from console.chat.why_calls import NOTHING_AROUND, Around, derive_why, read_around
from engine_host.metrics.why_turn import seen_of
from storage.queries.conversations import start_conversation
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.chat.made import HELP, ended, kept, turn

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from console.house import House
    from tests.console.chat.conftest import Desk

ZONE = ZoneInfo("Asia/Kolkata")


def put_turns(session: Session) -> None:
    """Six order turns of a tenth of a second, and one whose look-up took two seconds."""
    now = datetime.now(UTC)
    start_conversation(session, "kamala", None, "", now, "c")
    for number in range(7):
        lookup = 2000.0 if number == 6 else 100.0
        asked = now - timedelta(seconds=60 - number)
        open_turn(session, NewTurn(f"t{number}", "c", "kamala", None, "", "where is it", asked, None))
        times = TurnTimes(lookup=lookup, first_text=lookup + 5, total=lookup + 10, client=0.0)
        events = ({"event": "Routed", "order": True, "help": False}, {"event": "ToolCalled", "elapsed_ms": lookup})
        settle_turn(
            session,
            SettledTurn(f"t{number}", TurnOutcome.ORDER_STATED, "en", "On its way.", TokenUse(), times, events),
        )


def test_that_a_slow_look_up_is_told_of_the_turn_that_had_it(desk: Desk) -> None:
    kitchen = desk.open()
    desk.run(lambda: kitchen.database.run(put_turns))
    around: Around = desk.run(lambda: read_around(cast("House", kitchen)))
    assert derive_why(around, "t6", ZONE) == "Order system took 2.0 s, its peers’ median is 0.10 s."
    assert derive_why(around, "t3", ZONE) == ""
    assert around.names["kamala"] == "Kamala Dabba"


def test_that_a_kitchen_without_turns_has_nothing_around_them(desk: Desk) -> None:
    kitchen = desk.open()
    assert desk.run(lambda: read_around(cast("House", kitchen))) == NOTHING_AROUND
    assert derive_why(NOTHING_AROUND, "t1", ZONE) == ""


def test_that_the_samples_of_the_turns_engine_are_looked_at() -> None:
    seen = seen_of(kept(HELP, ended()))
    assert seen is not None
    slow = replace(seen, lengths={"queue": 3.0}, engine_run="r1")
    told = derive_why(Around(now=slow.ended_at, seen=(slow,)), slow.turn_id, ZONE)
    assert told == "Waited 3.0 s in the engine’s queue; no sample of the engine is left from then."


def test_that_the_inspector_says_why_under_the_times() -> None:
    peers = Peers(5, {"total": 900.0}, "Order system took 2.0 s.")
    assert derive_time(turn(HELP, ended()), peers).note.endswith("Order system took 2.0 s.")
    assert "Order system" not in derive_time(turn(HELP, ended()), replace(peers, why="")).note
