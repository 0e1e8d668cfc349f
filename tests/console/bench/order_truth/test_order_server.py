"""The bench's order system, read by the real HttpOrderBook: it tells the truth, and every fault is one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from console.bench.order_truth.cases import ANSWERED, Fault, seeded
from console.bench.order_truth.order_server import Arming, OrderServer
from engine_host.orders.http import HttpOrderBook
from engine_host.orders.port import OrdersFound, OrdersUnavailable, VerifiedCustomer
from tests.console.bench.order_truth.made import case_of, history_of, row

CASE = case_of()
NOW = datetime.now(UTC)
OWN = CASE.order_id(0)
ASKER = VerifiedCustomer("kamala", CASE.customer, NOW + timedelta(hours=1))
LEFT = NOW - timedelta(minutes=9)
ROW = row(
    CASE,
    placed_at=LEFT - timedelta(hours=1),
    expected_at=NOW + timedelta(minutes=9),
    status_changed_at=LEFT,
    left_kitchen_at=LEFT,
)
BROKEN = [fault for fault in Fault if fault not in ANSWERED]


async def read(fault: Fault, *, numbered: bool = False, tries: int = 1) -> list[object]:
    """What the real book makes of the fault, `tries` times."""
    history = history_of(CASE, ROW)
    async with OrderServer(history) as orders:
        book = HttpOrderBook(orders.url, lookup_timeout_s=0.3)
        readings: list[object] = []
        try:
            for number in range(tries):
                orders.armed[CASE.customer] = Arming(fault, seeded(fault, number), CASE.stranger_order)
                asked = book.order(ASKER, OWN) if numbered else book.active_orders(ASKER)
                readings.append(await asked)
        finally:
            await book.close()
        assert orders.faults == []
    return readings


@pytest.mark.parametrize("numbered", [False, True])
async def test_that_the_truth_is_believed(numbered: bool) -> None:
    (reading,) = await read(Fault.NONE, numbered=numbered)
    assert isinstance(reading, OrdersFound)
    assert [(found.order_id, found.status) for found in reading.orders] == [(OWN, ROW.status)]


@pytest.mark.parametrize("fault", [fault for fault in BROKEN if fault is not Fault.WRONG_ORDER])
async def test_that_no_row_of_a_broken_answer_is_believed(fault: Fault) -> None:
    for reading in await read(fault, tries=4):
        assert isinstance(reading, OrdersUnavailable) or reading.orders == (), reading  # type: ignore[attr-defined]


@pytest.mark.parametrize("fault", [Fault.WRONG_ORDER, Fault.OTHER_CUSTOMER])
async def test_that_another_order_than_the_one_asked_for_is_not_believed(fault: Fault) -> None:
    for reading in await read(fault, numbered=True, tries=4):
        assert isinstance(reading, OrdersUnavailable)


async def test_that_a_stranger_and_an_unknown_number_get_the_same_answer() -> None:
    async with OrderServer(history_of(CASE, ROW)) as orders:
        book = HttpOrderBook(orders.url)
        answers = [await book.order(ASKER, number) for number in (CASE.stranger_order, "KD-99999")]
        await book.close()
    assert [(answer.orders, answer.http_status) for answer in answers if isinstance(answer, OrdersFound)] == [
        ((), 404),
        ((), 404),
    ]


@pytest.mark.parametrize("fault", [Fault.MOVES, Fault.MOVES_SLOW])
async def test_that_an_order_moves_after_its_row_was_read_and_only_once(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.bench.order_truth.order_server.STALE_S", (0.01, 0.02))
    history = history_of(CASE, ROW)
    async with OrderServer(history) as orders:
        book = HttpOrderBook(orders.url)
        orders.armed[CASE.customer] = Arming(fault, seeded(1), move=lambda: history.advance(OWN))
        first, second = await book.active_orders(ASKER), await book.active_orders(ASKER)
        await book.close()
    assert isinstance(first, OrdersFound)
    assert isinstance(second, OrdersFound)
    assert second.orders[0].version == first.orders[0].version + 1 == ROW.version + 1
