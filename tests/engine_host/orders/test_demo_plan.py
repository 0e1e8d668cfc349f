"""How an order of the demo system moves through its day, by plan and by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.orders.demo.plan import Plan, Standing, Step, is_active, moved, standing_at, status_at
from engine_host.orders.port import OrderStatus

START = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def plan_of(**minutes: float) -> Plan:
    return Plan(tuple(Step(OrderStatus(name), at(minute)) for name, minute in minutes.items()), at(24))


LUNCH = plan_of(placed=-190, preparing=-70, packed=-25, out_for_delivery=-10, delivered=26)
CANCELLED = plan_of(placed=-150, cancelled=-30)


@pytest.mark.parametrize(
    ("minute", "status", "version"),
    [(-500, "placed", 1), (-190, "placed", 1), (-70.01, "placed", 1), (-70, "preparing", 2), (-24, "packed", 3),
     (0, "out_for_delivery", 4), (25.99, "out_for_delivery", 4), (26, "delivered", 5), (10_000, "delivered", 5)],
)  # fmt: skip
def test_that_the_status_is_the_last_step_whose_time_has_come(minute: float, status: str, version: int) -> None:
    assert status_at(LUNCH, at(minute)) == status
    assert standing_at(LUNCH, at(minute)).version == version


def test_that_times_appear_with_their_steps_and_not_before() -> None:
    packed, on_its_way, delivered = (standing_at(LUNCH, at(minute)) for minute in (-20, 0, 30))

    assert (packed.left_kitchen_at, packed.delivered_at) == (None, None)
    assert (on_its_way.left_kitchen_at, on_its_way.delivered_at) == (at(-10), None)
    assert (delivered.left_kitchen_at, delivered.delivered_at, delivered.status_changed_at) == (at(-10), at(26), at(26))


def test_that_a_cancelled_order_never_leaves_the_kitchen() -> None:
    assert standing_at(CANCELLED, at(500)) == Standing(OrderStatus.CANCELLED, at(-30), 2, None, None)


@pytest.mark.parametrize(
    ("status", "left", "delivered"),
    [("placed", None, None), ("preparing", None, None), ("packed", None, None), ("delivered", at(-10), at(5)),
     ("cancelled", at(-10), None)],
)  # fmt: skip
def test_that_a_move_by_hand_sets_the_times_that_go_with_it(
    status: str, left: datetime | None, delivered: datetime | None
) -> None:
    after = moved(standing_at(LUNCH, at(0)), OrderStatus(status), at(5))

    assert after == Standing(OrderStatus(status), at(5), 5, left, delivered)


def test_that_a_box_moved_out_of_the_kitchen_left_at_that_moment() -> None:
    out = moved(standing_at(LUNCH, at(-60)), OrderStatus.OUT_FOR_DELIVERY, at(-50))
    straight = moved(standing_at(LUNCH, at(-60)), OrderStatus.DELIVERED, at(-50))

    assert (out.left_kitchen_at, out.delivered_at) == (at(-50), None)
    assert (straight.left_kitchen_at, straight.delivered_at) == (at(-50), at(-50))


def test_that_moving_an_order_to_where_it_is_keeps_the_time_of_its_change() -> None:
    held = moved(standing_at(LUNCH, at(30)), OrderStatus.DELIVERED, at(40))

    assert (held.status_changed_at, held.delivered_at, held.version) == (at(26), at(26), 6)


def test_that_an_ended_order_stays_active_for_half_an_hour() -> None:
    assert is_active(standing_at(LUNCH, at(0)), at(0))
    assert is_active(standing_at(LUNCH, at(55)), at(55))
    assert not is_active(standing_at(LUNCH, at(56)), at(56))


@given(st.lists(st.integers(-400, 600), min_size=2, max_size=2).map(sorted))
def test_that_the_version_only_grows_and_grows_with_every_change(minutes: list[int]) -> None:
    before, after = (standing_at(LUNCH, at(minute)) for minute in minutes)

    assert after.version >= before.version
    assert (after.version == before.version) == (after.status == before.status)


@given(st.lists(st.sampled_from(OrderStatus), min_size=1, max_size=6), st.integers(-400, 600))
def test_that_no_row_of_moves_leaves_contradicting_times(statuses: list[OrderStatus], minute: int) -> None:
    standing = standing_at(LUNCH, at(minute))
    for number, status in enumerate(statuses, start=1):
        standing = moved(standing, status, at(minute + number))

    assert standing.status is statuses[-1]
    assert (standing.delivered_at is not None) == (standing.status is OrderStatus.DELIVERED)
    assert standing.left_kitchen_at is None or standing.status not in {"placed", "preparing", "packed"}
