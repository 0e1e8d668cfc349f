"""The demo order system as staff handle it: start, stop, begin the day again, move one order by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from console.widgets.notices import Notice
from console.widgets.presenter import Presenter

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from engine_host.orders.demo_process import DemoOrders
    from engine_host.orders.port import Order, OrderStatus


@dataclass(frozen=True, slots=True)
class DemoSeen:
    """`address` None = it does not run. `names` are the customers' names by their id."""

    address: str | None = None
    orders: tuple[Order, ...] = ()
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DemoView:
    """`seen` None = not looked yet. `busy` says what is being done."""

    seen: DemoSeen | None = None
    busy: str = ""


async def look(demo: DemoOrders) -> DemoSeen:
    """What runs now; starts nothing. Raises OrderSystemError."""
    address = await demo.find()
    if address is None:
        return DemoSeen()
    names = tuple((one.customer_id, one.name) for one in await demo.customers())
    return DemoSeen(address.base_url, await demo.list_orders(), names)


class DemoPresenter(Presenter["DemoView"]):
    def __init__(self, bridge: LoopThread, demo: DemoOrders, notify: Callable[[Notice], None]) -> None:
        super().__init__()
        self._bridge, self._demo, self._notify = bridge, demo, notify
        self._looking: Call | None = None
        self.state = DemoView()

    def refresh(self) -> None:
        if self._looking is None and not self.state.busy:
            self._looking = self._bridge.submit(lambda: look(self._demo), "look at demo orders")
            self._looking.done.connect(self._seen)
            self._looking.failed.connect(self._failed)
            self._looking.finished.connect(self._looked)

    def start(self) -> None:
        self._do("Starting…", self._demo.start)

    def stop(self) -> None:
        self._do("Stopping…", self._demo.stop)

    def reset(self) -> None:
        self._do("Starting the day again…", self._demo.reset)

    def move(self, order_id: str, status: OrderStatus) -> None:
        self._do(f"Moving {order_id}…", lambda: self._demo.move(order_id, status))

    def _do(self, words: str, work: Callable[[], Any]) -> None:
        if self.state.busy:
            return
        self._show(busy=words)
        demo = self._demo

        async def do() -> DemoSeen:
            await work()
            return await look(demo)

        call = self._bridge.submit(do, words)
        call.done.connect(self._seen)
        call.failed.connect(self._failed)
        call.finished.connect(self._done)

    @Slot(object)
    def _seen(self, seen: DemoSeen) -> None:
        self._show(seen=seen)

    @Slot()
    def _looked(self) -> None:
        self._looking = None

    @Slot()
    def _done(self) -> None:
        self._show(busy="")

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._notify(Notice("demo orders", "error", str(error)))
