"""Events go to JSON and come back as they were."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import get_args

import pytest

from engine_host.answering.event_json import event_from_json, event_to_json
from engine_host.answering.events import (
    Ended,
    ModelCalled,
    Opened,
    PassagesFound,
    Quoted,
    Resumed,
    Routed,
    Stated,
    Text,
    ToolCalled,
    TurnEvent,
    Withheld,
    Writing,
)
from engine_host.orders.port import OrderStatus, VerifiedCustomer
from storage.records import TokenUse, TurnOutcome, TurnTimes
from tests.fakes.answering import order, passage

NOW = datetime(2026, 11, 30, 7, 11, 5, 123456, tzinfo=UTC)
EVENTS: list[TurnEvent] = [
    Opened("t", "c", NOW, VerifiedCustomer("kamala", "C-2291", NOW), "hi-Latn"),
    Opened("t", "c", NOW, None, "en"),
    Routed(True, False, "where is my …", "", ("KD-4821",), 0.25),
    ToolCalled("GET /customers/C-2291/orders", 200, (order(NOW),), 3.5, ""),
    ToolCalled("GET /x", None, (), 3000.0, "The order system gave no answer."),
    ToolCalled("GET /x", 200, (), 3.0, "", unmapped=("in_oven",)),
    ModelCalled("look_up_order", '{"order_number": "KD-1"}', False, "no tool here"),
    PassagesFound((passage("A refund takes 2 days."), passage("नहीं", language="hi", given=False)), 0.35, 40, 7.0),
    Stated("Packed.", order(NOW, status=OrderStatus.PACKED, courier_first_name=None), 0.4, True),
    Text("It takes 2 days.", (1, 2)),
    Quoted("It takes 2 days.", 1),
    Withheld("Your order left.", "it says where a box is now"),
    Writing(120.5),
    Resumed(420.5, "cpu-demo at 127.0.0.1:1", "cpu-demo at 127.0.0.1:2", "The connection broke."),
    Ended(TurnOutcome.ANSWERED, "", "why", TokenUse(100, 64, 9), TurnTimes(total=12.5, ttft=None)),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_that_an_event_comes_back_as_it_was(event: TurnEvent) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_that_every_kind_of_event_is_tried() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(TurnEvent))


@pytest.mark.parametrize(
    "data", [{}, {"event": "Exploded"}, {"event": "Text"}, {"event": "Text", "text": 1, "citations": []}]
)
def test_that_what_is_no_event_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"event|validation"):
        event_from_json(data)
