"""The orders that a case begins with, in the state that it names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from console.bench.order_truth.cases import State, seeded
from console.bench.order_truth.data import table
from engine_host.orders.port import Order, OrderItem, OrderStatus

if TYPE_CHECKING:
    from random import Random

    from console.bench.order_truth.cases import Case
    from console.bench.order_truth.history import History

STATUS = {
    State.PLACED_NOW: OrderStatus.PLACED,
    State.PREPARING: OrderStatus.PREPARING,
    State.PACKED: OrderStatus.PACKED,
    State.OUT: OrderStatus.OUT_FOR_DELIVERY,
    State.OUT_BARE: OrderStatus.OUT_FOR_DELIVERY,
    State.LATE: OrderStatus.OUT_FOR_DELIVERY,
    State.DELIVERED: OrderStatus.DELIVERED,
    State.CANCELLED: OrderStatus.CANCELLED,
}
SINGLE = tuple(STATUS)
SEVERAL = {State.TWO: 2, State.FIVE: 5}


def stock(history: History, case: Case) -> None:
    """Put the case's customer, its stranger and their orders into `history`, as of now."""
    rng, now = seeded("stock", case.seed, case.number), datetime.now(UTC)
    history.add_customer(case.customer)
    for place, state in enumerate(_states(rng, case.state)):
        history.add(make_order(rng, case.order_id(place), case.customer, state, now), now)
    if case.state is State.NONE:
        yesterday = make_order(rng, case.order_id(0), case.customer, State.DELIVERED, now - timedelta(hours=20))
        history.add(yesterday, now)
    other = rng.choice([state for state in SINGLE if state is not case.state])
    history.add(make_order(rng, case.stranger_order, case.stranger, other, now), now)


def new_order(case: Case) -> Order:
    """The order that appears while a customer without one is being answered."""
    rng = seeded("appears", case.seed, case.number)
    return make_order(rng, case.order_id(1), case.customer, State.PLACED_NOW, datetime.now(UTC))


def make_order(rng: Random, order_id: str, customer: str, state: State, now: datetime) -> Order:
    """An order in `state` at `now`, with no two of its times in the same minute unless they are one event."""
    status = STATUS[state]
    minutes = rng.randrange(6, 25)
    placed = now - timedelta(minutes=1 if state is State.PLACED_NOW else minutes + rng.randrange(40, 150), seconds=7)
    changed = placed if status is OrderStatus.PLACED else now - timedelta(minutes=minutes, seconds=rng.randrange(60))
    out = status in (OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED)
    left = changed - timedelta(minutes=26) if status is OrderStatus.DELIVERED else changed if out else None
    expected = now + timedelta(minutes=-4 if state is State.LATE else rng.randrange(31, 75), seconds=rng.randrange(60))
    items = rng.sample(table("stock")["items"], rng.choice((1, 1, 2)))
    return Order(
        order_id=order_id,
        customer_id=customer,
        status=status,
        status_changed_at=changed,
        version=rng.randrange(1, 9),
        items=tuple(OrderItem(item["name"], rng.choice((1, 1, 2)), item["diet"]) for item in items),
        total_amount=float(rng.randrange(95, 900)),
        total_currency="INR",
        placed_at=placed,
        left_kitchen_at=left,
        expected_at=None if state is State.OUT_BARE else expected,
        delivered_at=changed if status is OrderStatus.DELIVERED else None,
        courier_first_name=rng.choice(table("stock")["couriers"]) if out and state is not State.OUT_BARE else None,
        as_of=now,
    )


def _states(rng: Random, state: State) -> list[State]:
    if state in SEVERAL:
        return [rng.choice(SINGLE) for _ in range(SEVERAL[state])]
    return [] if state is State.NONE else [state]
