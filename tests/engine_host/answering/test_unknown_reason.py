"""Every way to "I do not know" has its reason, read from the events that a real turn leaves."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import Ended, ModelCalled, ToolCalled, TurnEvent
from engine_host.answering.unknown_reason import UnknownReason, unknown_reason, unmapped_words
from engine_host.client.errors import EngineLost
from knowledge.errors import IndexUnavailable
from storage.queries.usage import usage_by_day
from storage.queries.usage_totals import turn_totals
from storage.records import TokenUse, TurnOutcome, TurnTimes
from tests.engine_host.answering.desk import ended
from tests.fakes.answering import found, order, passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.engine_host.answering.desk import Desk

WHERE = "where is my dabba"
HELP = "how long does a upi refund take"


def nobody(desk: Desk) -> dict[str, object]:
    return {"text": WHERE, "token": None}


def order_system_down(desk: Desk) -> dict[str, object]:
    desk.book.down = True
    return {"text": WHERE}


def too_old_to_state(desk: Desk) -> dict[str, object]:
    desk.book.lies = [found(order(), read_at=desk.book.clock() - 60) for _ in range(4)]
    return {"text": WHERE}


def customer_unknown(desk: Desk) -> dict[str, object]:
    desk.book.lies = [found(read_at=desk.book.clock(), http_status=404)]
    return {"text": WHERE}


def unknown_number(desk: Desk) -> dict[str, object]:
    desk.book.orders = [order()]
    return {"text": "where is order KD-9999"}


def order_of_another(desk: Desk) -> dict[str, object]:
    desk.book.orders = [order(order_id="KD-4830", customer_id="C-1")]
    return {"text": "where is order KD-4830"}


def nothing_near(desk: Desk) -> dict[str, object]:
    desk.library.passages = (passage("Boxes are round.", given=False, score=0.2),)
    return {"text": HELP}


def nothing_to_quote(desk: Desk) -> dict[str, object]:
    desk.library.passages = (passage("Your order KD-4821 left at 12:31."),)
    desk.engine.pieces = ("Your order has left.",)
    return {"text": HELP}


def engine_lost(desk: Desk) -> dict[str, object]:
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days. The bank dec",)
    desk.engine.error = EngineLost("The engine broke off.")
    return {"text": HELP}


def articles_lost(desk: Desk) -> dict[str, object]:
    desk.library.error = IndexUnavailable("The index can't be read.")
    return {"text": HELP}


def order_down_beside_help(desk: Desk) -> dict[str, object]:
    desk.book.down = True
    return {"text": "where is my dabba and what is the refund policy"}


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        (nobody, UnknownReason.NOT_SIGNED_IN),
        (order_system_down, UnknownReason.ORDER_SYSTEM),
        (too_old_to_state, UnknownReason.ORDER_SYSTEM),
        (customer_unknown, UnknownReason.ORDER_SYSTEM),
        (unknown_number, UnknownReason.UNKNOWN_ORDER),
        (order_of_another, UnknownReason.UNKNOWN_ORDER),
        (nothing_near, UnknownReason.NO_PASSAGE),
        (nothing_to_quote, UnknownReason.NOTHING_PASSED),
        (engine_lost, UnknownReason.NO_ENGINE),
        (articles_lost, UnknownReason.OTHER),
        (order_down_beside_help, UnknownReason.ORDER_SYSTEM),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
async def test_that_a_turn_that_does_not_know_tells_why(
    desk: Desk, arrange: Callable[[Desk], dict[str, object]], reason: UnknownReason
) -> None:
    fields = arrange(desk)
    events = await desk.ask(str(fields.pop("text")), **fields)
    assert ended(events).say
    assert unknown_reason(events) is reason
    (day,) = await desk.database.run(lambda session: usage_by_day(session, date.min, date.max))
    kept = await desk.database.run(lambda session: turn_totals(session, (1.0,), day.tenant_id, day.day))
    assert [(one.unknown, one.turns) for one in kept] == [(reason.name.lower(), 1)]


async def test_that_an_answered_turn_has_no_reason(desk: Desk) -> None:
    desk.book.orders = [order()]
    assert unknown_reason(await desk.ask(WHERE)) is None
    assert unknown_reason(await desk.ask(HELP)) is None
    assert unknown_reason(await desk.ask("")) is None
    assert unknown_reason(()) is None


async def test_that_a_status_that_nobody_mapped_is_told_before_anything_else(desk: Desk) -> None:
    desk.book.down = True
    said = ToolCalled("GET /orders", 200, (), 4.0, "", unmapped=("in_oven", "in_oven", "boxed"))
    events: list[TurnEvent] = [*(await desk.ask(WHERE))[:-1], said, end(TurnOutcome.DOES_NOT_KNOW)]
    assert unknown_reason(events) is UnknownReason.UNMAPPED_STATUS
    assert unmapped_words(events) == ("in_oven", "boxed")


async def test_that_a_look_up_that_the_model_asked_for_counts_as_one_of_the_order(desk: Desk) -> None:
    called = ModelCalled("look_up_order", "{}", True, "It named no order.")
    down = ToolCalled("GET /orders", None, (), 3000.0, "The order system gave no answer.")
    begun = (await desk.ask(HELP))[:-1]
    assert unknown_reason([*begun, called, down, end(TurnOutcome.DOES_NOT_KNOW)]) is UnknownReason.ORDER_SYSTEM
    assert unknown_reason([*begun, called, end(TurnOutcome.DOES_NOT_KNOW)]) is UnknownReason.NOT_SIGNED_IN


def test_that_a_turn_that_broke_off_without_a_word_said_nothing_of_not_knowing() -> None:
    assert unknown_reason([end(TurnOutcome.FAILED, say="")]) is None


def end(outcome: TurnOutcome, say: str = "We do not know.") -> Ended:
    return Ended(outcome, say, "", TokenUse(), TurnTimes())
