"""Turns as they come from the desk, for the tests of what is derived from them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from console.chat.tracked import TrackedTurn
from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import (
    Ended,
    Opened,
    PassagesFound,
    Quoted,
    Routed,
    Stated,
    Text,
    ToolCalled,
    TurnEvent,
    Withheld,
    Writing,
)
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.console.chat.kitchen import PASSAGES, order

NOON = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)  # 12:00 in Pune
ROW = order(now=NOON)
OPENED = Opened("t1", "c1", NOON, None, "en")
HELP = Routed(order=False, help=True, order_rule="", help_rule="refund", order_ids=(), elapsed_ms=2.0)
ORDER = Routed(order=True, help=False, order_rule="where is my", help_rule="", order_ids=(), elapsed_ms=0.2)
BOTH = replace(ORDER, help=True, help_rule="can I change")
FOUND = PassagesFound(PASSAGES, 0.45, 214, 64.0)
CALLED = ToolCalled("GET /customers/C-2291/orders?active=true", 200, (ROW,), 118.0, "")
STATED = Stated("Your lunch left the kitchen. As of 12:00:00.", ROW, 0.02, False)
FIRST = Text("It is returned.", (1,))
SECOND = Text("Cards take longer.", (2, 1))
QUOTED = Quoted("If you cancel before 09:00.", 1)
HELD = Withheld("Ravi comes at 12:50.", "it speaks of the customer's order")
WRITING = Writing(90.0)
TIMES = TurnTimes(
    queue=18, retrieve=64, lookup=118, prefill=214, decode=1674, gate=9, first_text=200, ttft=300, inter_token=62,
    total=2097,
)  # fmt: skip
USE = TokenUse(742, 512, 28)


def ended(outcome: TurnOutcome = TurnOutcome.ANSWERED, say: str = "", why: str = "") -> Ended:
    return Ended(outcome, say, why, USE, TIMES)


def turn(*events: TurnEvent, running: bool = False) -> TrackedTurn:
    return TrackedTurn("k", "where is my lunch?", NOON, "Meera Joshi", "t1", events, running)


def kept(*events: TurnEvent, turn_id: str = "t1", outcome: TurnOutcome = TurnOutcome.ANSWERED) -> Turn:
    opened = NewTurn(turn_id, "c1", "kamala", "C-2291", "Meera Joshi", "where is my lunch?", NOON, None)
    settled = SettledTurn(turn_id, outcome, "en", "…", USE, TIMES, tuple(event_to_json(event) for event in events))
    return Turn(opened, settled)
