"""How an order moves through its day: by its plan until a person moves it, by hand from then on. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from engine_host.orders.port import OrderStatus

RECENT: Final = timedelta(minutes=30)
OUT_OF_THE_KITCHEN: Final = frozenset({OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED})
ENDED: Final = frozenset({OrderStatus.DELIVERED, OrderStatus.CANCELLED})


@dataclass(frozen=True, slots=True)
class Step:
    status: OrderStatus
    at: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """The day of one order: its steps in time order, the first of them `placed`, and the promised time."""

    steps: tuple[Step, ...]
    expected_at: datetime

    @property
    def last(self) -> datetime:
        return self.steps[-1].at


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an order stands. `version` counts its changes, 1 for an order that was just placed."""

    status: OrderStatus
    status_changed_at: datetime
    version: int
    left_kitchen_at: datetime | None
    delivered_at: datetime | None


def status_at(plan: Plan, now: datetime) -> OrderStatus:
    """The last step whose time has come; before the first one the order is placed."""
    return _passed(plan, now)[-1].status


def standing_at(plan: Plan, now: datetime) -> Standing:
    passed = _passed(plan, now)
    times = {step.status: step.at for step in passed}
    return Standing(
        status=passed[-1].status,
        status_changed_at=passed[-1].at,
        version=len(passed),
        left_kitchen_at=times.get(OrderStatus.OUT_FOR_DELIVERY),
        delivered_at=times.get(OrderStatus.DELIVERED),
    )


def moved(standing: Standing, status: OrderStatus, now: datetime) -> Standing:
    """The order after a person moved it. Moving it to where it is holds it there and keeps the time of its change."""
    stays = status == standing.status
    out = status in OUT_OF_THE_KITCHEN
    left = standing.left_kitchen_at or (now if out else None)
    delivered = standing.delivered_at if stays else now
    return Standing(
        status=status,
        status_changed_at=standing.status_changed_at if stays else now,
        version=standing.version + 1,
        left_kitchen_at=left if out or status is OrderStatus.CANCELLED else None,
        delivered_at=delivered if status is OrderStatus.DELIVERED else None,
    )


def is_active(standing: Standing, now: datetime) -> bool:
    """Open, or ended so lately that its customer still asks where it is."""
    return standing.status not in ENDED or now - standing.status_changed_at < RECENT


def _passed(plan: Plan, now: datetime) -> tuple[Step, ...]:
    return plan.steps[:1] + tuple(step for step in plan.steps[1:] if step.at <= now)
