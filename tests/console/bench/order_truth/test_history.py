"""The order system's memory: what stood at an instant, what moved between two."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from console.bench.order_truth.history import NEXT
from engine_host.orders.port import OrderStatus
from tests.console.bench.order_truth.made import NOON, case_of, history_of, row

CASE = case_of()
OWN = CASE.order_id(0)


def test_that_an_earlier_instant_still_shows_the_earlier_row() -> None:
    history = history_of(CASE, row(CASE, status=OrderStatus.PACKED))
    history.advance(OWN)
    now = datetime.now(UTC)
    before, after = history.order(OWN, NOON), history.order(OWN, now)
    assert before
    assert before.status is OrderStatus.PACKED
    assert after
    assert after.status is NEXT[OrderStatus.PACKED]
    assert after.left_kitchen_at == after.status_changed_at
    assert after.version == before.version + 1
    assert (before.as_of, after.as_of) == (NOON, now)


def test_that_both_rows_stood_in_a_span_with_a_move_in_it() -> None:
    history = history_of(CASE, row(CASE, status=OrderStatus.PACKED))
    history.advance(OWN)
    now = datetime.now(UTC)
    assert len(history.between(CASE.customer, NOON, now)) == 2
    assert len(history.between(CASE.customer, now, now)) == 1
    assert history.moved_between(CASE.customer, NOON, now)
    assert not history.moved_between(CASE.customer, NOON - timedelta(minutes=2), NOON)


def test_that_an_ended_order_changes_without_a_new_status() -> None:
    history = history_of(CASE, row(CASE, status=OrderStatus.DELIVERED, delivered_at=NOON))
    history.advance(OWN)
    after = history.order(OWN)
    assert after
    assert after.status is OrderStatus.DELIVERED
    assert after.expected_at != row(CASE).expected_at


def test_that_an_order_which_ended_long_ago_is_not_active() -> None:
    history = history_of(CASE, row(CASE, status=OrderStatus.DELIVERED, status_changed_at=NOON - timedelta(hours=2)))
    assert history.active(CASE.customer, NOON) == ()
    assert history.order(OWN, NOON) is not None
