"""One order turn on a book in memory: how it is asked, and what it yielded."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from engine_host.answering.events import Question, Routed, Stated, ToolCalled
from engine_host.answering.way import TurnAtHand, WayEnd
from engine_host.orders.port import OrderItem, VerifiedCustomer
from tests.fakes.answering import CUSTOMER, KAMALA, order, voice

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.answering.way import WayItem
    from engine_host.orders.port import Order

MAX_AGE = 2.0


def at_hand(text: str, *, expires_in_s: float = 600, verified: bool = True) -> TurnAtHand:
    customer = VerifiedCustomer("kamala", CUSTOMER, datetime.now(UTC) + timedelta(seconds=expires_in_s))
    return TurnAtHand(
        question=Question(text, "kamala", "token"),
        tenant=KAMALA,
        customer=customer if verified else None,
        identity="" if verified else "The customer's identity is not verified: there is no token.",
        language="en",
        voice=voice(),
        routed=Routed(True, False, "a test", "", tuple(re.findall(r"KD-\d{4}", text)), 0.0),
        history=(),
    )


async def gather(
    items: AsyncGenerator[WayItem, None], meanwhile: Callable[[WayItem], None] | None = None
) -> tuple[list[ToolCalled], list[Stated], WayEnd]:
    """All items; `meanwhile` is what the consumer does with each before it asks for the next."""
    got: list[WayItem] = []
    async for item in items:
        got.append(item)
        if meanwhile:
            meanwhile(item)
    ends = [item for item in got if isinstance(item, WayEnd)]
    assert got[-1] is ends[0]
    return [i for i in got if isinstance(i, ToolCalled)], [i for i in got if isinstance(i, Stated)], ends[0]


def says(key: str) -> str:
    return voice().say(key)


def many(*boxes: str) -> list[Order]:
    return [
        order(order_id=f"KD-50{number:02d}", items=(OrderItem(box, 1, "regular"),)) for number, box in enumerate(boxes)
    ]


LUNCHES = ("Regular lunch", "Jain lunch", "Mini lunch", "Protein lunch")
