"""The order system of the bench: speaks the order API from a History, and fails each customer as it is told to."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from console.bench.order_truth.cases import Fault
from console.bench.order_truth.wire_server import WireServer
from engine_host.orders.wire import order_fields

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from console.bench.order_truth.history import History
    from console.bench.order_truth.wire_server import Request, Wire

SLOW_S = (0.1, 1.4)
STALE_S = (2.05, 2.5)
"""Longer than a row may be old when it is stated, shorter than the bot waits for an answer."""
SKEW = (timedelta(seconds=75), timedelta(hours=3))
HTML = b"<!doctype html><title>Login</title><p>Order KD-1 was delivered at 12:10.</p>"


@dataclass(slots=True)
class Arming:
    """What happens to one customer's look-ups. `move` is what changes the orders, once, at the first of them.

    `stranger_order` is the order of somebody else that a mixed-up order system sends.
    """

    fault: Fault
    rng: Random
    stranger_order: str = ""
    move: Callable[[], None] | None = None
    asked: int = 0


class OrderServer(WireServer):
    """`async with OrderServer(history) as orders:` serves at `orders.url`. Arm a customer before each question."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self.history = history
        self.armed: dict[str, Arming] = {}

    async def answer(self, request: Request, wire: Wire) -> None:
        match request.parts:
            case ("customers", customer, "orders"):
                await self._fail(customer, None, wire)
            case ("customers", customer, "orders", order_id):
                await self._fail(customer, order_id, wire)
            case _:
                wire.whole(404, {"detail": "Not found."})

    async def _fail(self, customer: str, order_id: str | None, wire: Wire) -> None:
        """Compute the answer as it stands now, let happen what is armed, and send what is left of the answer."""
        arming = self.armed.get(customer)
        status, body = self._true_answer(customer, order_id)
        if arming is None or arming.fault is Fault.NONE:
            wire.whole(status, body)
            return
        arming.asked += 1
        if arming.asked == 1 and arming.fault in (Fault.MOVES_SLOW, Fault.APPEARS):
            await asyncio.sleep(arming.rng.uniform(*STALE_S) / 2)
        if arming.asked == 1 and arming.move is not None:
            arming.move()
        await self._send(arming, status, body, wire)

    async def _send(self, arming: Arming, status: int, body: Any, wire: Wire) -> None:
        fault, rng = arming.fault, arming.rng
        if fault is Fault.SLOW or (fault in (Fault.MOVES_SLOW, Fault.APPEARS) and arming.asked == 1):
            low, high = SLOW_S if fault is Fault.SLOW else STALE_S
            await asyncio.sleep(rng.uniform(low, high) / (1 if fault is Fault.SLOW else 2))
        match fault:
            case Fault.HANG:
                await wire.closing.wait()
            case Fault.HTTP_404:
                wire.whole(404, {"detail": "Not found."})
            case Fault.HTTP_500:
                wire.whole(500, body)
            case Fault.EMPTY:
                wire.whole(200, b"")
            case Fault.HTML:
                wire.whole(200, HTML, rng.choice(("text/html", "application/json")))
            case Fault.MALFORMED | Fault.TRUNCATED | Fault.RESET:
                await _broken(fault, json.dumps(body).encode(), wire, rng)
            case Fault.OTHER_CUSTOMER:
                wire.whole(200, self._mixed_up(arming, body))
            case Fault.WRONG_ORDER | Fault.UNMAPPED | Fault.CLOCK_AHEAD | Fault.CLOCK_BEHIND:
                wire.whole(200, _falsified(fault, body, rng))
            case _:
                wire.whole(status, body)

    def _mixed_up(self, arming: Arming, body: Any) -> Any:
        """Somebody else's order, beside or instead of the customer's own, or under the number that was asked for."""
        row = self.history.order(arming.stranger_order)
        if row is None:
            raise KeyError(arming.stranger_order)
        other = order_fields(row)
        if "orders" in body:
            return {"orders": [*(body["orders"] if arming.rng.random() < 0.5 else ()), other]}
        return other if arming.rng.random() < 0.5 else other | {"order_id": body.get("order_id", "")}

    def _true_answer(self, customer: str, order_id: str | None) -> tuple[int, Any]:
        now = datetime.now(UTC)
        if order_id is None:
            rows = self.history.active(customer, now)
            known = self.history.knows(customer)
            return (200, {"orders": [order_fields(row) for row in rows]}) if known else _unknown()
        row = self.history.order(order_id, now)
        return (200, order_fields(row)) if row and row.customer_id == customer else _unknown()


def _unknown() -> tuple[int, Any]:
    return 404, {"detail": "Not found."}


async def _broken(fault: Fault, data: bytes, wire: Wire, rng: Random) -> None:
    part = data[: rng.randrange(1, max(2, len(data) - 1))]
    if fault is Fault.MALFORMED:
        wire.whole(200, rng.choice((part, data[:-1] + b",}", b"'" + data + b"'", data + data, b"\xff\xfe" + data)))
        return
    wire.head(200, "application/json", len(data))
    await wire.piece(part)
    if fault is Fault.RESET:
        wire.reset()


def _falsified(fault: Fault, body: Any, rng: Random) -> Any:
    """The answer with every row of it made wrong."""
    if "orders" in body:
        return {"orders": [_wrong_row(fault, row, rng) for row in body["orders"]]}
    return _wrong_row(fault, body, rng) if "order_id" in body else body


def _wrong_row(fault: Fault, row: dict[str, Any], rng: Random) -> dict[str, Any]:
    match fault:
        case Fault.WRONG_ORDER:
            return row | {"order_id": row["order_id"][:-1] + str((int(row["order_id"][-1]) + 3) % 10)}
        case Fault.UNMAPPED:
            return row | {"status": rng.choice(("handed_to_hub", "DELIVERED?", "", "in_transit_2"))}
        case _:
            skew = rng.choice(SKEW) * (1 if fault is Fault.CLOCK_AHEAD else -1)
            return row | {name: _shifted(row[name], skew) for name in row if name == "as_of" or name.endswith("_at")}


def _shifted(moment: str | None, skew: timedelta) -> str | None:
    return (datetime.fromisoformat(moment) + skew).isoformat() if moment else None
