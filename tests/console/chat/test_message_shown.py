"""What the transcript says of a turn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from console.chat.message_shown import (
    HeadShown,
    SaidNote,
    SaidQuote,
    SaidStatement,
    SaidText,
    SaidWithheld,
    derive_head,
    derive_pieces,
    derive_released,
    derive_streaming,
)
from engine_host.orders.port import OrderStatus
from storage.records import TurnOutcome
from tests.console.chat.made import (
    BOTH,
    CALLED,
    FIRST,
    FOUND,
    HELD,
    HELP,
    OPENED,
    ORDER,
    QUOTED,
    SECOND,
    STATED,
    WRITING,
    ended,
    turn,
)

if TYPE_CHECKING:
    from console.chat.tracked import TrackedTurn


def test_that_pieces_follow_the_order_of_the_events() -> None:
    shown = derive_pieces(turn(OPENED, BOTH, CALLED, STATED, FOUND, FIRST, HELD, QUOTED, ended(say="Call us.")))
    assert shown == (
        SaidStatement("KD-4821", STATED.text, OrderStatus.OUT_FOR_DELIVERY),
        SaidText("It is returned.", (1,)),
        SaidWithheld("Ravi comes at 12:50.", "It speaks of the customer's order."),
        SaidQuote("If you cancel before 09:00.", 1),
        SaidText("Call us."),
    )


def test_that_what_code_says_of_all_orders_is_a_statement_too() -> None:
    none = replace(STATED, text="We see no active order.", order=None)
    assert derive_pieces(turn(ORDER, none)) == (SaidStatement("", none.text, None),)
    assert derive_released(turn(ORDER, none)) == none.text


@pytest.mark.parametrize(
    ("outcome", "note"),
    [
        (TurnOutcome.FAILED, SaidNote("The engine died.", is_fault=True)),
        (TurnOutcome.CANCELLED, SaidNote("The engine died.", is_fault=False)),
        (TurnOutcome.REFUSED, SaidNote("The engine died.", is_fault=False)),
    ],
)
def test_that_a_turn_without_an_answer_says_why(outcome: TurnOutcome, note: SaidNote) -> None:
    assert derive_pieces(turn(HELP, ended(outcome, "Please try later.", "The engine died."))) == (
        SaidText("Please try later."),
        note,
    )


def test_that_a_reason_beside_a_good_answer_is_not_in_the_transcript() -> None:
    assert derive_pieces(turn(HELP, QUOTED, ended(why="No engine is ready."))) == (SaidQuote(QUOTED.text, 1),)


@pytest.mark.parametrize(
    ("shown", "meta", "time"),
    [
        (turn(OPENED, HELP, FOUND, FIRST, SECOND, ended()), "Help, 2 sources", "2.10 s"),
        (turn(OPENED, ORDER, CALLED, STATED, ended(TurnOutcome.ORDER_STATED)), "Order", "2.10 s"),
        (turn(OPENED, BOTH, STATED, QUOTED, ended()), "Order and help, 1 source, quoted", "2.10 s"),
        (turn(HELP, FOUND, ended(TurnOutcome.DOES_NOT_KNOW, "I do not know.")), "Help, does not know", "2.10 s"),
        (turn(replace(OPENED, language="hi"), HELP, FIRST, ended()), "Help, 1 source, Hindi", "2.10 s"),
        (turn(replace(HELP, help=False), ended()), "Small talk", "2.10 s"),
        (turn(ended(TurnOutcome.CANCELLED)), "stopped", "2.10 s"),
        (turn(OPENED, HELP), "Help, not ended yet", ""),
    ],
)
def test_that_the_head_says_way_sources_outcome_and_time(shown: TrackedTurn, meta: str, time: str) -> None:
    assert derive_head(shown) == HeadShown(meta, "text-3", time, "text-3")


def test_that_the_head_of_a_running_turn_says_for_how_long() -> None:
    assert derive_head(turn(OPENED, HELP, WRITING, running=True), 2.34) == HeadShown(
        "Help", "text-3", "writing 2.3 s", "accent"
    )
    assert derive_head(turn(OPENED, running=True), 0.5).time == "0.5 s"


def test_that_a_failed_turn_is_told_in_the_colour_of_an_error() -> None:
    assert derive_head(turn(HELP, ended(TurnOutcome.FAILED))).meta_tone == "error"
    assert derive_head(replace(turn(), fault="The disk is full.")).meta == "failed"


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (turn(running=True), "the question is being read"),
        (turn(OPENED, ORDER, running=True), "the order is being looked up"),
        (turn(OPENED, HELP, running=True), "passages are being looked for"),
        (turn(OPENED, HELP, FOUND, running=True), "waiting for the engine"),
        (turn(OPENED, HELP, FOUND, WRITING, FIRST, running=True), "next sentence is being checked"),
        (replace(turn(OPENED, HELP, FOUND, WRITING, running=True), stopping=True), "stopping…"),
        (turn(OPENED, HELP, FOUND, FIRST, ended(), running=True), ""),
        (turn(OPENED, HELP), ""),
    ],
)
def test_that_a_running_turn_says_what_happens_now(shown: TrackedTurn, words: str) -> None:
    assert derive_streaming(shown) == words


def test_that_only_what_the_customer_read_is_copied() -> None:
    shown = turn(STATED, FIRST, HELD, ended(TurnOutcome.FAILED, "Sorry.", "The engine died."))
    assert derive_released(shown) == f"{STATED.text}\n{FIRST.text}\nSorry."
