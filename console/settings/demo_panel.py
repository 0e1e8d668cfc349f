"""Today's orders of the demo order system, with Move to… for one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.label import ElidedLabel, divider
from console.widgets.menu import Menu, MenuEntry
from console.widgets.pill import PillMark
from console.widgets.record_table import RecordTable
from engine_host.orders.port import Order, OrderStatus

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.settings.demo_presenter import DemoPresenter, DemoView
    from console.theme.style import Theme
    from console.widgets.pill import PillKind

KINDS: Final[dict[OrderStatus, PillKind]] = {
    OrderStatus.PLACED: "info",
    OrderStatus.PREPARING: "info",
    OrderStatus.PACKED: "info",
    OrderStatus.OUT_FOR_DELIVERY: "ok",
    OrderStatus.DELIVERED: "ok",
    OrderStatus.CANCELLED: "neutral",
}
STOPPED: Final = "The demo order system does not run. The first order question starts it, or Start."


def status_text(status: OrderStatus) -> str:
    return status.value.replace("_", " ")


def items_text(order: Order) -> str:
    return ", ".join(f"{item.quantity} × {item.name}" if item.quantity > 1 else item.name for item in order.items)


def time_text(order: Order, zone: tzinfo) -> str:
    """When it came, else when it is expected; a cancelled one never comes."""
    at = None if order.status is OrderStatus.CANCELLED else order.delivered_at or order.expected_at
    return f"{at.astimezone(zone):%H:%M}" if at else "–"


def derive_line(view: DemoView) -> str:
    if view.busy:
        return view.busy
    if view.seen is None:
        return "Looking for it…"
    if view.seen.address is None:
        return "stopped"
    return f"{len(view.seen.orders)} orders today, {view.seen.address.split('://')[-1]}"


def derive_chosen(order: Order | None) -> str:
    if order is None:
        return "Choose an order to move it by hand."
    return f"{order.order_id} is {status_text(order.status)}. Moved by hand, it follows its plan no more."


def status_mark(order: Order) -> PillMark:
    return PillMark(status_text(order.status).capitalize(), KINDS[order.status])


class DemoPanel(Panel):
    def __init__(self, theme: Theme, presenter: DemoPresenter, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Demo order system", padding=0, parent=parent)
        self._theme, self._presenter, self._zone = theme, presenter, zone
        self._names: dict[str, str] = {}
        self.table = RecordTable(theme, self._columns(), _key, empty=STOPPED, small=True, name="Orders of today")
        self.run = Button(theme, "Start", icon="play", small=True)
        self.reset = Button(theme, "Start the day again", icon="refresh", small=True)
        self.move_to = Button(theme, "Move to…", small=True)
        self.menu = Menu(theme, [MenuEntry(one.value, status_text(one).capitalize()) for one in OrderStatus], self)
        self._chosen = ElidedLabel("", "small")
        self._build()
        self._connect()
        self._show()

    @Slot()
    def _show(self) -> None:
        view = self._presenter.state
        seen = view.seen
        running = seen is not None and seen.address is not None
        self._names = dict(seen.names) if seen else {}
        self.set_unit(derive_line(view))
        self.table.set_records(seen.orders if seen else ())
        self.run.setText("Stop" if running else "Start")
        self.run.set_icon("stop" if running else "play")
        self.run.setEnabled(not view.busy and seen is not None)
        self.reset.setVisible(running)
        self.reset.setEnabled(not view.busy)
        self._tell_chosen()

    @Slot()
    def _tell_chosen(self) -> None:
        order = self.table.picked_record
        self.move_to.setEnabled(order is not None and not self._presenter.state.busy)
        self._chosen.setText(derive_chosen(order))

    @Slot()
    def _start_or_stop(self) -> None:
        seen = self._presenter.state.seen
        if seen is not None and seen.address is not None:
            self._presenter.stop()
        else:
            self._presenter.start()

    @Slot()
    def _open_menu(self) -> None:
        self.menu.popup(self.move_to.mapToGlobal(QPoint(0, self.move_to.height() + 2)))

    @Slot(QPoint)
    def _open_menu_at(self, at: QPoint) -> None:
        if self.table.picked_record is not None:
            self.menu.popup(self.table.viewport().mapToGlobal(at))

    @Slot(str)
    def _move(self, status: str) -> None:
        order = self.table.picked_record
        if order is not None:
            self._presenter.move(order.order_id, OrderStatus(status))

    def _name(self, order: Order) -> str:
        return self._names.get(order.customer_id, order.customer_id)

    def _columns(self) -> tuple[Column[Order], ...]:
        return (
            Column("order", "Order", 84, text=lambda order: order.order_id, strength="name"),
            Column("customer", "Customer", 144, text=self._name, strength="text"),
            Column("items", "Items", text=items_text),
            Column(
                "status", "Status", 118, pill=status_mark,
                sort=lambda order: list(OrderStatus).index(order.status),
            ),
            Column("time", "Due", 66, "right", text=lambda order: time_text(order, self._zone)),
        )  # fmt: skip

    def _connect(self) -> None:
        self._presenter.changed.connect(self._show)
        self.run.clicked.connect(self._start_or_stop)
        self.reset.clicked.connect(self._presenter.reset)
        self.move_to.clicked.connect(self._open_menu)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu_at)
        self.table.picked.connect(self._tell_chosen)
        self.menu.chosen.connect(self._move)

    def _build(self) -> None:
        self.add_action(self.reset)
        self.add_action(self.run)
        self.body.setSpacing(0)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(divider())
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 7, 10, 7)
        foot.setSpacing(8)
        foot.addWidget(self._chosen, 1)
        foot.addWidget(self.move_to)
        self.body.addLayout(foot)


def _key(order: Order) -> str:
    return order.order_id
