"""Rows, histories and turns for the tests of the order-truth bench."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from console.bench.order_truth.cases import Ask, Case, Fault, State, Turn
from console.bench.order_truth.history import History
from console.bench.order_truth.judge import Judge, Piece, Seen, Verdict
from engine_host.orders.port import Order, OrderItem, OrderStatus

NOON = datetime(2026, 11, 30, 7, 11, 7, tzinfo=UTC)
"""12:41:07 in the kitchen."""
MAX_AGE = timedelta(seconds=2)
PHONE = "020 5550 0142"


def row(case: Case, place: int = 0, **changes: Any) -> Order:
    """An order that left the kitchen at 12:10 with Salim, is expected by 13:05, was placed at 10:30 and is Rs 160."""
    made = Order(
        order_id=case.order_id(place),
        customer_id=case.customer,
        status=OrderStatus.OUT_FOR_DELIVERY,
        status_changed_at=NOON - timedelta(minutes=31),
        version=4,
        items=(OrderItem("Low-sugar lunch", 1, "low-sugar"),),
        total_amount=160.0,
        total_currency="INR",
        placed_at=NOON - timedelta(hours=2, minutes=11),
        left_kitchen_at=NOON - timedelta(minutes=31),
        expected_at=NOON + timedelta(minutes=24),
        delivered_at=None,
        courier_first_name="Salim",
        as_of=NOON,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def case_of(*turns: Turn, language: str = "en", state: State = State.OUT) -> Case:
    return Case(1, 0, language, state, turns[0].fault if turns else Fault.NONE, turns or (Turn(Ask.ORDER, "where"),))


def history_of(case: Case, *rows: Order) -> History:
    history = History()
    history.add_customer(case.customer)
    for one in rows or (row(case),):
        history.add(one, NOON - timedelta(hours=1))
    stranger = row(case, 7, customer_id=case.stranger, courier_first_name="Yusuf")
    history.add(stranger, NOON - timedelta(hours=1))
    return history


def verdict_on(text: str, *rows: Order, case: Case | None = None, help: bool = False, **seen: Any) -> Verdict:  # noqa: A002
    """What the judge says when the customer read `text` at noon."""
    case = case or case_of()
    judge = Judge(history_of(case, *rows), MAX_AGE, (PHONE,))
    pieces = tuple(Piece(part, NOON, help) for part in text.split("\n\n") if part)
    return judge.verdict(case, len(case.turns) - 1, Seen(NOON - timedelta(seconds=1), pieces, **seen))  # type: ignore[arg-type]
