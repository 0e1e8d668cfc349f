"""A turn is the same while it streams and when the ledger gives it back."""

from __future__ import annotations

from dataclasses import replace

from console.chat.tracked import (
    BROKE_OFF,
    UNREADABLE,
    cited_numbers,
    from_ledger,
    source_name,
    source_of,
    with_events,
)
from storage.records import SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.chat.kitchen import PASSAGES
from tests.console.chat.made import FIRST, FOUND, HELD, HELP, NOON, OPENED, QUOTED, SECOND, ended, kept, turn

EVENTS = (OPENED, HELP, FOUND, FIRST, HELD, SECOND, ended())


def test_that_a_turn_from_the_ledger_has_the_events_that_were_streamed() -> None:
    streamed = with_events(replace(turn(running=True), turn_id=None), EVENTS)
    assert streamed.turn_id == "t1"
    assert from_ledger(kept(*EVENTS)).events == streamed.events


def test_that_opened_gives_a_turn_its_time() -> None:
    later = replace(OPENED, asked_at=NOON.replace(minute=31))
    assert with_events(turn(running=True), (later,)).asked_at == later.asked_at


def test_that_a_turn_whose_program_died_says_so() -> None:
    broken = replace(kept(), settled=SettledTurn("t1", TurnOutcome.FAILED, "", "", TokenUse(), TurnTimes()))
    assert from_ledger(broken).fault == BROKE_OFF


def test_that_events_of_another_version_are_told_and_not_shown() -> None:
    strange = kept(OPENED)
    assert strange.settled is not None
    strange = replace(strange, settled=replace(strange.settled, events=({"event": "Sung"},)))
    assert from_ledger(strange) == replace(from_ledger(strange), fault=UNREADABLE, events=())


def test_that_an_open_turn_of_another_process_has_no_fault() -> None:
    assert from_ledger(replace(kept(), settled=None)).fault == ""


def test_that_citations_lead_to_the_passages_that_were_given() -> None:
    assert cited_numbers(turn(FOUND, SECOND, FIRST, QUOTED)) == (2, 1)
    assert source_of(turn(FOUND), 2) == PASSAGES[1]
    assert source_of(turn(FOUND), 3) is None  # the third is under the threshold
    assert source_of(turn(), 1) is None
    assert source_name(PASSAGES[0]) == "Refunds and cancellations › Before 09:00"
    assert source_name(replace(PASSAGES[0], heading_path=())) == "Refunds and cancellations"
