"""The Tenants page: who used how much, against which quota, and whether the ledger is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.tenants.day_panel import DayPanel
from console.tenants.ledger_panel import LedgerPanel
from console.tenants.ledger_shown import derive_ledger
from console.tenants.limits_panel import LimitsPanel
from console.tenants.outlook_shown import derive_day
from console.tenants.period import PERIODS, truth_of
from console.tenants.presenter import TenantsPresenter
from console.tenants.talks_panel import TalksPanel
from console.tenants.usage_panel import UsagePanel
from console.tenants.usage_shown import derive_rows
from console.tenants.usage_table import UsageTable
from console.widgets.buttons import Button
from console.widgets.fields import Choice, ComboBox
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from PySide6.QtGui import QResizeEvent

    from console.page_context import PageContext
    from console.tenants.reading import UsageRead

SIDE_PX: Final = 480
NARROW_SIDE_PX: Final = 400
LIMITS_PX: Final = 340
NARROW_LIMITS_PX: Final = 320
LOWER_PX: Final = 246
BELOW_PX: Final = LOWER_PX + 332
"""What the page needs beside its table: header, gaps, and charts that can be read."""
NARROW: Final = 1300
NO_PRICE: Final = "no price is set, see Settings"


class TenantsPage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.presenter = TenantsPresenter(context.bridge, context.house, context.notify, self)
        self.header = PageHeader("Tenants")
        self.table = UsageTable(context.theme)
        self.usage = UsagePanel(context.theme)
        self.day = DayPanel(context.theme)
        self.talks = TalksPanel(context.theme)
        self.limits = LimitsPanel(context.theme)
        self.ledger = LedgerPanel(context.theme)
        self.dialog: QFileDialog | None = None
        self._usage_shown: tuple[UsageRead, str, str, str] | None = None
        self._build_header()
        self._build_layout()
        self._connect()

    def page_shown(self) -> None:
        self.presenter.open()

    def page_hidden(self) -> None:
        self.presenter.rest()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self.table.set_room(self.width(), self.height() - BELOW_PX)
        for panel in (self.day, self.ledger):
            panel.setFixedWidth(NARROW_SIDE_PX if narrow else SIDE_PX)
        self.limits.setFixedWidth(NARROW_LIMITS_PX if narrow else LIMITS_PX)

    def _build_header(self) -> None:
        theme = self._context.theme
        choices = [Choice(key, text, icon="clock") for key, text in PERIODS.items()]
        self.period = ComboBox(theme, choices, name="Period")
        self.export = Button(theme, "Export CSV", icon="export")
        self.header.add_action(self.period)
        self.header.add_action(self.export)

    def _build_layout(self) -> None:
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 16, 16)
        body.setSpacing(12)
        body.addWidget(self.table)
        body.addLayout(_row(self.usage, self.day), 1)
        lower = (self.ledger, self.talks, self.limits)
        for panel in lower:
            panel.setFixedHeight(LOWER_PX)
        body.addLayout(_row(*lower))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(body, 1)

    def _connect(self) -> None:
        presenter = self.presenter
        self.period.chosen.connect(presenter.choose_period)
        self.export.clicked.connect(self._ask_where)
        self.table.table.picked.connect(presenter.pick)
        self.table.table.opened.connect(self._edit)
        self.limits.save_asked.connect(presenter.save_limits)
        self.ledger.refresh_asked.connect(presenter.check)
        presenter.saved.connect(self.limits.end_edit)
        presenter.changed.connect(self._show)
        self.usage.grain_chosen.connect(presenter.choose_grain)

    @Slot()
    def _show(self) -> None:
        state, zone = self.presenter.state, self._context.zone
        self.ledger.show_ledger(derive_ledger(state.checked, zone), state.check_fault)
        self.ledger.refresh.setEnabled(not state.checking)
        self.limits.show_tenant(state.tenant, saving=state.saving, fault=state.save_fault)
        self.talks.show_talks(state.tenant, state.period, state.talks)
        if state.read is not None:
            self._show_usage(state.read, zone)

    def _show_usage(self, read: UsageRead, zone: ZoneInfo) -> None:
        state = self.presenter.state
        asked = (read, state.period, state.grain, state.picked)
        if self._usage_shown is not None and read is self._usage_shown[0] and asked[1:] == self._usage_shown[1:]:
            return
        self._usage_shown = asked
        truth, prices = truth_of(state.period, read.now, zone), read.prices
        self.header.set_truth(truth if prices.by_tokens or prices.by_machine else f"{truth} · {NO_PRICE}")
        self.table.show_rows(derive_rows(read, state.period))
        if state.picked and self.table.table.picked_key != state.picked:
            self.table.table.pick(state.picked)
        self.usage.show_usage(read, zone, state.grain)
        self.day.show_day(derive_day(read, state.tenant) if state.tenant else None)

    @Slot(object)
    def _edit(self, _tenant_id: object) -> None:
        self.limits.begin_edit()

    @Slot()
    def _ask_where(self) -> None:
        """The dialog lives beside the page: nothing waits for it."""
        state, zone = self.presenter.state, self._context.zone
        if state.read is None:
            return
        day = state.read.now.astimezone(zone).date().isoformat()
        dialog = QFileDialog(self, "Export usage", f"dabba-usage-{day}.csv", "CSV (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(self.presenter.export)
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()


def _row(*widgets: QWidget) -> QHBoxLayout:
    """Side by side; those without a width of their own share what is left."""
    row = QHBoxLayout()
    row.setSpacing(12)
    for widget in widgets:
        row.addWidget(widget, 1)
    return row
