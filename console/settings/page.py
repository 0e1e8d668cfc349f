"""The Settings page: rows over the settings model, and the demo order system, which has no page of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.settings.demo_panel import DemoPanel
from console.settings.demo_presenter import DemoPresenter
from console.settings.presenter import SettingsPresenter
from console.settings.setting_line import SettingLine
from console.settings.setting_rows import SECTIONS
from console.settings.values import derive_line, shown_rows
from console.widgets.buttons import Button
from console.widgets.form_row import section_heading
from console.widgets.label import divider
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from console.page_context import PageContext
    from console.settings.values import Value

FORM_PX: Final = 740
REFRESH_MS: Final = 2_000
DEMO_FOOT_PX: Final = 56


class SettingsPage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = SettingsPresenter(context.bridge, context.house, context.theme, context.notify)
        self.header = PageHeader("Settings")
        self.save = Button(context.theme, "Save", "primary")
        self.revert = Button(context.theme, "Revert", "quiet")
        self.lines: dict[str, SettingLine] = {}
        self.demo: DemoPanel | None = None
        self._demo: DemoPresenter | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(REFRESH_MS)
        if context.house.orders.demo is not None:
            self._demo = DemoPresenter(context.bridge, context.house.orders.demo, context.notify)
            self.demo = DemoPanel(context.theme, self._demo, context.zone)
            self._clock.timeout.connect(self._demo.refresh)
        self._build(context)
        self._connect()
        self._show()
        self.page_shown()

    def page_shown(self) -> None:
        self.presenter.refresh()
        if self._demo is not None:
            self._demo.refresh()
            self._clock.start()

    def page_hidden(self) -> None:
        self._clock.stop()

    def notice_lift(self) -> int:
        """Notices keep off the foot of the orders."""
        return DEMO_FOOT_PX if self.demo is not None else 0

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        shown = {row.key for row in shown_rows(state.values)}
        for key, line in self.lines.items():
            line.setVisible(key in shown)
            line.show_value(state.values[key])
            line.show_fault(state.faults.get(key, ""))
        faults = bool(state.faults)
        words = derive_line(state.pending, dirty=state.dirty, faults=faults)
        self.header.set_truth(words, "error" if faults else "text-3")
        self.save.setEnabled(state.dirty and not state.saving)
        self.revert.setVisible(state.dirty)

    def _edit(self, key: str, value: object) -> None:
        self.presenter.edit(key, cast("Value", value))

    def _connect(self) -> None:
        self.presenter.changed.connect(self._show)
        self.save.clicked.connect(self.presenter.save)
        self.revert.clicked.connect(self.presenter.revert)

    def _build(self, context: PageContext) -> None:
        self.header.add_action(self.revert)
        self.header.add_action(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._build_form(context), 100)
        side = QVBoxLayout()
        side.setContentsMargins(16, 16, 16, 16)
        if self.demo is not None:
            side.addWidget(self.demo)
        else:
            side.addStretch(1)
        row.addWidget(divider("down"))
        row.addLayout(side, 1 if self.demo is None else 90)
        column.addLayout(row, 1)

    def _build_form(self, context: PageContext) -> QScrollArea:
        inner = QFrame()
        inner.setProperty("fill", "surface")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for place, section in enumerate(SECTIONS):
            column.addWidget(section_heading(section.title, "takes effect" if place == 0 else ""))
            for row in section.rows:
                line = SettingLine(context.theme, row)
                line.edited.connect(partial(self._edit, row.key))
                self.lines[row.key] = line
                column.addWidget(line)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMaximumWidth(FORM_PX)
        area.setMinimumWidth(560)
        area.setWidget(inner)
        return area
