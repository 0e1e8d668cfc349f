from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from console.bench.help.turns import Answered, WrittenSentence, turn_of
from engine_host.answering.events import Ended, PassagesFound, Quoted, Text, Withheld, Writing
from knowledge.evaluate import KnownQuestion, Support
from storage.records import TokenUse, TurnOutcome, TurnTimes
from tests.fakes.answering import passage

if TYPE_CHECKING:
    from engine_host.answering.events import TurnEvent

NAMES = {"a1": "late.en", "a2": "prices.en", "a3": "upi.en"}
QUESTION = KnownQuestion("1", "q", "en", "kamala", (Support("late.en", "Late."),), also=("upi.en",))
OPEN = KnownQuestion("2", "q", "en", "kamala")


def found(*ids: str, given: bool = True) -> PassagesFound:
    passages = tuple(replace(passage("A late box is free."), article_id=one, given=given) for one in ids)
    return PassagesFound(passages, 0.47, 10, 1.0)


def ended(outcome: TurnOutcome) -> Ended:
    return Ended(outcome, "", "", TokenUse(), TurnTimes())


UNKNOWN, DONE = ended(TurnOutcome.DOES_NOT_KNOW), ended(TurnOutcome.ANSWERED)


@pytest.mark.parametrize(
    ("events", "answered"),
    [
        ((found("a1"), Text("x", (1,)), DONE), Answered.GENERATED),
        ((found("a3"), Quoted("x", 1), DONE), Answered.QUOTED),
        ((found("a1", "a2"), Quoted("x", 2), DONE), Answered.WRONG),
        ((found("a1", "a2"), Text("x", (1,)), Text("y", (2,)), DONE), Answered.WRONG),
        ((found("a1", given=False), UNKNOWN), Answered.UNKNOWN),
        ((found("a1"), Withheld("x", "why"), UNKNOWN), Answered.UNKNOWN),
        ((DONE,), Answered.OTHERWISE),
        ((), Answered.OTHERWISE),
    ],
)
def test_that_a_turn_counts_by_the_articles_that_its_answer_came_from(
    events: tuple[TurnEvent, ...], answered: Answered
) -> None:
    assert turn_of(QUESTION, events, NAMES).answered is answered


def test_that_an_answer_to_a_question_that_no_article_answers_is_wrong() -> None:
    assert turn_of(OPEN, (found("a1"), Quoted("x", 1), DONE), NAMES).answered is Answered.WRONG


def test_that_sentences_passages_and_the_first_token_are_kept() -> None:
    events = (found("a2", "a1"), Writing(120.0), Text("x", (1,)), Withheld("y", "why"), DONE)
    turn = turn_of(QUESTION, events, NAMES)
    assert turn.written == (WrittenSentence("x"), WrittenSentence("y", "why"))
    assert (len(turn.given), turn.found_right, turn.ttft_ms, turn.shown) == (2, True, 120.0, ("x",))
    assert turn.searched
    assert not turn_of(QUESTION, (UNKNOWN,), NAMES).searched
    assert not turn_of(QUESTION, (found("a2"), found("a1", given=False)), NAMES).found_right
