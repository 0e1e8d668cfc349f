"""What the failover bench counts as lost, missing, repeated and other."""

from __future__ import annotations

import pytest

from console.bench.failover.figures import TARGETS, Changes, Kill, Told, changes, figures_of
from console.bench.failover.listening import Heard
from console.bench.report import judge
from engine_host.client.types import ChatDelta, ChatEngine
from storage.records import TurnOutcome

WHOLE = "Refunds reach the account within 5 working days."
TOLD = Told(TurnOutcome.ANSWERED, WHOLE, WHOLE)


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (WHOLE, Changes()),
        ("Refunds reach account within 5 working days.", Changes(missing=1)),
        ("Refunds reach the reach the account within 5 working days.", Changes(repeated=2)),
        ("Refunds reach the account within 6 working days.", Changes(other=1)),
        ("Refunds reach the acc account within 5 working days.", Changes(repeated=1)),
        ("", Changes(missing=8)),
    ],
)
def test_that_words_are_counted_by_what_became_of_them(told: str, found: Changes) -> None:
    assert changes(WHOLE, told) == found


def test_that_answers_that_moved_word_for_word_hold_every_target() -> None:
    kills = [Kill("q", after, TOLD, TOLD, (100.0 + after,)) for after in range(3)]
    figures = figures_of(kills)
    assert (figures["kills"], figures["before_first_token"], figures["words"]) == (3, 1, 24)
    assert (figures["pause_ms_p50"], figures["pause_ms_max"]) == (101.0, 102.0)
    assert judge("failover", figures, TARGETS).ok


@pytest.mark.parametrize(
    ("kill", "missed"),
    [
        (Kill("q", 3, TOLD, Told(TurnOutcome.FAILED, "Refunds reach ", ""), (9.0,)), {"lost_turns", "missing_words"}),
        (Kill("q", 3, TOLD, TOLD, ()), set[str]()),
        (Kill("q", 3, TOLD, TOLD, (9.0,), back=False), {"engines_not_back"}),
    ],
)
def test_that_what_went_wrong_misses_its_target(kill: Kill, missed: set[str]) -> None:
    holds = judge("failover", figures_of([kill]), TARGETS).holds
    assert {name for name, held in holds.items() if not held} == missed


def test_that_the_engine_that_writes_is_struck_once_when_its_token_came() -> None:
    struck: list[str] = []
    heard = Heard(2, struck.append)
    for event in (ChatEngine("a", "r1", 0.0), ChatDelta("a", 1, 1.0), ChatDelta("b", 2, 2.0), ChatDelta("c", 3, 3.0)):
        heard.take(event)
    assert struck == ["r1"]
    assert (heard.text, heard.tokens) == ("abc", 3)
