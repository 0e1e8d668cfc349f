"""Whether facts hold of a customer's orders, at some instant of a span: field for field, against the History."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from console.bench.order_truth.claims import numbers_of
from console.bench.order_truth.text import words_of

if TYPE_CHECKING:
    from console.bench.order_truth.claims import Fact
    from console.bench.order_truth.history import History
    from engine_host.orders.port import Order

ZONE = ZoneInfo("Asia/Kolkata")
MINUTE = timedelta(minutes=1)
TIMES = ("placed_at", "status_changed_at", "left_kitchen_at", "expected_at", "delivered_at", "as_of")


def false_facts(
    facts: tuple[Fact, ...], history: History, customer: str, first: datetime, last: datetime
) -> tuple[Fact, ...]:
    """Those of `facts` that no order of `customer` bears out between `first` and `last`; of the instant that fits best.

    All facts of one text must hold of the same row at the same instant, unless it names several orders.
    """
    if not facts:
        return ()
    failing: list[tuple[Fact, ...]] = []
    for instant in history.instants(customer, first, last):
        rows = _rows(history, customer, instant)
        none_active = not history.active(customer, instant)
        failing.append(_failing(facts, rows, none_active=none_active, first=first, last=last))
    return min(failing, key=len)


def _rows(history: History, customer: str, instant: datetime) -> tuple[Order, ...]:
    return tuple(replace(v.order, as_of=instant) for v in history.between(customer, instant, instant))


def _failing(
    facts: tuple[Fact, ...], rows: tuple[Order, ...], *, none_active: bool, first: datetime, last: datetime
) -> tuple[Fact, ...]:
    absent = tuple(fact for fact in facts if fact.field == "none_active" and not none_active)
    about = tuple(fact for fact in facts if fact.field != "none_active")
    numbers = numbers_of(facts)
    strange = tuple(fact for fact in about if fact.field == "number" and fact.value not in {r.order_id for r in rows})
    named = tuple(row for row in rows if row.order_id in numbers) or rows
    if strange or not named:
        return (*absent, *(strange or about))
    if len(numbers) > 1:
        return (*absent, *(f for f in about if not any(_holds(f, row, first, last) for row in named)))
    return (*absent, *min((tuple(f for f in about if not _holds(f, row, first, last)) for row in named), key=len))


def _holds(fact: Fact, row: Order, first: datetime, last: datetime) -> bool:
    match fact.field:
        case "number":
            return True
        case "status":
            return (row.status.value == fact.value) is not fact.denied
        case "clock" | "hour":
            return _clock_holds(fact, row, first, last)
        case "day":
            return any(_day(at) == fact.value for at in _times(row))
        case "minutes":
            return any(abs(abs(at - row.as_of) - int(fact.value) * MINUTE) <= MINUTE for at in _times(row))
        case "amount":
            return float(fact.value) == row.total_amount
        case "courier":
            return row.courier_first_name is not None and words_of(row.courier_first_name) == fact.value
        case "dish":
            return fact.value in {words_of(item.name) for item in row.items}
        case _:
            return _sign_holds(fact.field, row, last)


def _sign_holds(sign: str, row: Order, last: datetime) -> bool:
    late = row.expected_at is not None and row.expected_at < last
    holds = {"late": late, "no_expected": row.expected_at is None, "no_courier": row.courier_first_name is None}
    return holds.get(sign, False)


def _clock_holds(fact: Fact, row: Order, first: datetime, last: datetime) -> bool:
    """A time must be the one that its words tell of; "as of" may be any second of the span."""
    to_the_second = fact.value.count(":") == 2
    if (fact.role == "as_of" or to_the_second) and _within(fact.value, first, last):
        return True
    moments: list[datetime | None] = [getattr(row, fact.role)] if fact.role else [*_times(row)]
    return any(at is not None and _same(fact, at) for at in moments)


def _within(clock: str, first: datetime, last: datetime) -> bool:
    """Whether the kitchen's clock showed `clock`, hh:mm or hh:mm:ss, at some instant of the span."""
    shown_for = timedelta(seconds=1) if clock.count(":") == 2 else MINUTE
    day = last.astimezone(ZONE).date()
    for date in (day, day - timedelta(days=1)):
        began = datetime.combine(date, time.fromisoformat(clock), ZONE)
        if began <= last and began + shown_for > first:
            return True
    return False


def _same(fact: Fact, at: datetime) -> bool:
    local = at.astimezone(ZONE)
    if fact.field == "hour":
        return local.minute == 0 and local.hour % 12 == int(fact.value) % 12
    spoken = {local.strftime("%H:%M"), local.strftime("%H:%M:%S"), f"{(local.hour % 12 or 12):02}:{local.minute:02}"}
    return fact.value in spoken


def _times(row: Order) -> list[datetime]:
    return [at for name in TIMES if (at := getattr(row, name)) is not None]


def _day(at: datetime) -> str:
    local = at.astimezone(ZONE)
    return f"{local.day}.{local.month}."
