"""The demo order system as a process: who starts it, who stops it, and what stays stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psutil
import pytest

from engine_host.orders.demo import server
from engine_host.orders.demo.run_file import Running, StoppedByHand, process_of, read_record, write_record
from engine_host.orders.demo_process import DemoOrders
from engine_host.orders.errors import (
    OrderSystemFailed,
    OrderSystemRuns,
    OrderSystemStopped,
    OrderUnknown,
    PortTaken,
)
from engine_host.orders.http import HttpOrderBook
from engine_host.orders.port import OrdersFound, OrderStatus, OrdersUnavailable, VerifiedCustomer
from storage.paths import Home

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

MEERA = VerifiedCustomer("kamala", "C-2291", datetime.now(UTC) + timedelta(hours=1))
IN_ANOTHER_PROCESS = """
import asyncio, sys
from pathlib import Path
from engine_host.orders.demo_process import DemoOrders
from storage.paths import Home

demo = DemoOrders(Home(Path(sys.argv[2])))

async def console():
    print((await demo.ensure()).base_url, flush=True)
    await asyncio.Event().wait()

async def by_hand():
    await demo.serve_forever(on_ready=lambda address: print(address.base_url, flush=True))

asyncio.run({"console": console, "by_hand": by_hand}[sys.argv[1]]())
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
async def demo(home: Home) -> AsyncIterator[DemoOrders]:
    made = DemoOrders(home)
    yield made
    await made.close()


class Other:
    """Another process of this home."""

    def __init__(self, role: str, home: Home) -> None:
        command = [sys.executable, "-c", IN_ANOTHER_PROCESS, role, str(home.root)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.base_url = self.process.stdout.readline().strip()

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def others() -> Iterator[list[Other]]:
    started: list[Other] = []
    yield started
    for other in started:
        if other.process.poll() is None:
            other.end(signal.SIGKILL)


def running(home: Home) -> Running:
    record = read_record(home.run / "orders.json")
    assert isinstance(record, Running)
    return record


def wait_for_end(record: Running) -> None:
    process = process_of(record)
    if process:
        process.wait(timeout=20)


async def test_that_a_customers_order_is_read_live_and_a_move_shows_at_once(demo: DemoOrders) -> None:
    address = await demo.ensure()
    book = HttpOrderBook(address.base_url, auth_value=address.auth_value)

    before = await book.active_orders(MEERA)
    await demo.move("KD-4821", OrderStatus.DELIVERED)
    after, foreign = await book.order(MEERA, "KD-4821"), await book.order(MEERA, "KD-4823")
    await book.close()

    assert isinstance(before, OrdersFound)
    assert isinstance(after, OrdersFound)
    assert isinstance(foreign, OrdersFound)
    assert [order.status for order in before.orders + after.orders] == ["out_for_delivery", "delivered"]
    assert foreign.orders == ()


async def test_that_staff_list_move_and_reset_the_day(demo: DemoOrders) -> None:
    await demo.move("KD-4821", OrderStatus.CANCELLED)
    moved = {order.order_id: order.status for order in await demo.list_orders()}
    await demo.reset()
    again = {order.order_id: order.status for order in await demo.list_orders()}

    assert (moved["KD-4821"], again["KD-4821"]) == (OrderStatus.CANCELLED, OrderStatus.OUT_FOR_DELIVERY)
    assert "Meera Joshi" in {customer.name for customer in await demo.customers()}
    with pytest.raises(OrderUnknown, match="KD-1"):
        await demo.move("KD-1", OrderStatus.DELIVERED)


async def test_that_many_who_need_it_at_once_share_one(home: Home) -> None:
    demos = [DemoOrders(home) for _ in range(3)]

    addresses = await asyncio.gather(*(demo.ensure() for demo in demos))
    record = running(home)
    await asyncio.gather(*(demo.close() for demo in demos))

    assert len(set(addresses)) == 1
    assert process_of(record) is None
    assert read_record(home.run / "orders.json") is None


async def test_that_only_who_started_it_ends_it_at_close(home: Home, demo: DemoOrders) -> None:
    address = await demo.ensure()
    guest = DemoOrders(home)
    assert await guest.ensure() == address

    await guest.close()
    assert await demo.find() == address

    await demo.close()
    assert await demo.find() is None


async def test_that_it_starts_again_after_it_died_at_the_same_address(home: Home, demo: DemoOrders) -> None:
    address = await demo.ensure()
    book = HttpOrderBook(address.base_url, auth_value=address.auth_value)
    record = running(home)
    psutil.Process(record.pid).kill()
    wait_for_end(record)

    dead = await book.active_orders(MEERA)
    again = await demo.ensure()
    alive = await book.active_orders(MEERA)
    await book.close()

    assert isinstance(dead, OrdersUnavailable)
    assert again == address
    assert isinstance(alive, OrdersFound)


async def test_that_stopped_by_hand_it_stays_stopped(home: Home, demo: DemoOrders) -> None:
    await demo.ensure()
    record = running(home)

    assert await DemoOrders(home).stop()
    assert process_of(record) is None
    with pytest.raises(OrderSystemStopped, match=r"by hand at .*`dabba orders serve`"):
        await demo.ensure()
    await demo.close()
    with pytest.raises(OrderSystemStopped):
        await demo.list_orders()
    assert not await demo.stop()


async def test_that_it_ends_with_a_console_that_was_killed(home: Home, demo: DemoOrders, others: list[Other]) -> None:
    others.append(console := Other("console", home))
    assert (await demo.ensure()).base_url == console.base_url
    record = running(home)

    console.end(signal.SIGKILL)
    wait_for_end(record)

    assert (await demo.ensure()).base_url == console.base_url
    assert running(home).pid != record.pid


async def test_that_served_by_hand_it_is_used_and_outlives_its_users(
    home: Home, demo: DemoOrders, others: list[Other]
) -> None:
    others.append(by_hand := Other("by_hand", home))
    assert (await demo.ensure()).base_url == by_hand.base_url
    await demo.close()
    assert await demo.find()
    with pytest.raises(OrderSystemRuns, match="already runs at http"):
        await demo.serve_forever()

    assert by_hand.end(signal.SIGINT) == 0
    assert isinstance(read_record(home.run / "orders.json"), StoppedByHand)
    others.append(Other("by_hand", home))
    assert await demo.ensure()


async def test_that_one_served_by_hand_that_died_stays_stopped(
    home: Home, demo: DemoOrders, others: list[Other]
) -> None:
    others.append(by_hand := Other("by_hand", home))
    by_hand.end(signal.SIGKILL)

    with pytest.raises(OrderSystemStopped, match="served by hand and ended"):
        await demo.ensure()


async def test_that_one_served_by_hand_is_stopped_from_elsewhere(
    home: Home, demo: DemoOrders, others: list[Other]
) -> None:
    others.append(by_hand := Other("by_hand", home))

    assert await demo.stop()
    assert by_hand.process.wait(timeout=20) == 0
    assert by_hand.process.stdout is not None
    by_hand.process.stdout.close()


async def test_that_a_named_port_in_use_is_refused(demo: DemoOrders, tmp_path: Path) -> None:
    taken = int((await demo.ensure()).base_url.rsplit(":", 1)[1])

    with pytest.raises(PortTaken, match=f"can't use port {taken}"):
        await DemoOrders(Home(tmp_path / "second").make()).serve_forever(port=taken)


async def test_that_its_key_and_data_are_for_their_owner_only(home: Home, demo: DemoOrders) -> None:
    address = await demo.ensure()
    folder = home.root / "demo_orders"

    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "key").read_text() == address.key
    assert address.key not in repr(address)
    assert "a new day starts now with 25 orders" in (home.logs / "orders.log").read_text()


async def test_that_a_start_that_fails_says_why_and_leaves_nothing(home: Home, demo: DemoOrders) -> None:
    (home.root / "demo_orders").mkdir()
    (home.root / "demo_orders" / "orders.sqlite3").write_text("not a database " * 100)

    with pytest.raises(OrderSystemFailed, match=r"did not start\. .*: file is not a database\. Move that folder away"):
        await demo.ensure()
    assert read_record(home.run / "orders.json") is None


async def test_that_a_home_that_can_not_be_used_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    demo = DemoOrders(Home(tmp_path / "file"))

    with pytest.raises(OrderSystemFailed, match="can't be started or stopped: Not a directory"):
        await demo.ensure()
    await demo.close()


async def test_that_a_start_cancelled_in_the_middle_leaves_no_process(home: Home, demo: DemoOrders) -> None:
    mine = psutil.Process()
    before = set(mine.children())
    starting = asyncio.create_task(demo.ensure())
    while not set(mine.children()) - before:  # noqa: ASYNC110 - nothing tells when a child was forked
        await asyncio.sleep(0)

    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting
    assert set(mine.children()) <= before


def test_that_a_process_that_got_the_number_later_is_not_it(home: Home) -> None:
    file = home.run / "orders.json"
    write_record(file, Running(psutil.Process().pid, psutil.Process().create_time() - 60, 4000, by_hand=False))

    assert process_of(running(home)) is None
    file.write_text("{half")
    assert read_record(file) is None


@pytest.mark.parametrize(
    "damage",
    [
        {"pid": -1}, {"pid": 0}, {"pid": "1"}, {"pid": None}, {"pid": 10**30}, {"pid": 1.5}, {"port": 0},
        {"port": 70_000}, {"create_time": "soon"}, {"create_time": None}, {"state": "odd"}, {"by_hand": 7},
    ],
)  # fmt: skip
async def test_that_a_damaged_record_is_passed_over(demo: DemoOrders, home: Home, damage: dict[str, object]) -> None:
    record = {"pid": 1, "create_time": 1.0, "port": 4000, "by_hand": False, "state": "running"} | damage
    (home.run / "orders.json").write_text(json.dumps(record))
    assert await demo.find() is None


async def test_that_a_folder_in_place_of_the_record_is_said(demo: DemoOrders, home: Home) -> None:
    (home.run / "orders.json").mkdir()
    with pytest.raises(OrderSystemFailed, match="Is a directory"):
        await demo.ensure()


@pytest.mark.parametrize("key", [b"", b"\xff\xfe", b"short", b"k" * 40 + b"\n"])
async def test_that_a_damaged_key_is_made_anew(demo: DemoOrders, home: Home, key: bytes) -> None:
    (home.root / "demo_orders").mkdir()
    (home.root / "demo_orders" / "key").write_bytes(key)
    (home.root / "demo_orders" / "port").write_bytes(b"\xff")
    assert await demo.list_orders()
    assert len(server.key_of(home.root / "demo_orders")) > 32


async def test_that_a_start_that_fails_is_said_without_class_names(
    demo: DemoOrders, home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    (home.root / "demo_orders" / "key").mkdir(parents=True)
    with pytest.raises(OrderSystemFailed, match="Move that file away") as failed:
        await demo.ensure()
    assert "Error" not in str(failed.value)
    assert caplog.text == ""


async def test_that_an_order_number_that_is_no_text_is_unknown(demo: DemoOrders) -> None:
    with pytest.raises(OrderUnknown, match="Order KD-\ufffd is not known"):
        await demo.move("KD-\udcff", OrderStatus.PACKED)
