"""The limits of one tenant, shown and edited in place."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.label import Label
from console.widgets.number_field import NumberField
from storage.records import Quota

if TYPE_CHECKING:
    from console.theme.style import Theme
    from storage.records import Tenant

HELP: Final = (
    "What this tenant may ask for. Tokens a day are those in and out together, by the tenant's own calendar. Over a "
    "limit a question is refused with the reason, before it reaches the engine. New limits hold from the next question "
    "on; an answer that is being written goes on."
)


@dataclass(frozen=True, slots=True)
class LimitRow:
    """`key` names a field of Quota."""

    key: str
    label: str
    unit: str
    step: int
    most: int


LIMITS: Final = (
    LimitRow("requests_per_minute", "Requests", "a minute", 10, 100_000),
    LimitRow("concurrent_requests", "At the same time", "requests", 1, 10_000),
    LimitRow("longest_question_tokens", "Longest question", "tokens", 64, 1_000_000),
    LimitRow("longest_answer_tokens", "Longest answer", "tokens", 64, 1_000_000),
    LimitRow("daily_tokens", "Tokens", "a day", 1_000_000, 1_000_000_000_000),
)


class LimitsPanel(Panel):
    """`save_asked(Quota)`; the panel stays in its edit until `end_edit` is called."""

    save_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Limits", help_text=HELP)
        self._tenant: Tenant | None = None
        self.editing = False
        self.values = {row.key: Label("–", "name") for row in LIMITS}
        self.edits = {row.key: NumberField(1, row.most, step=row.step, width=132) for row in LIMITS}
        self.fault = Label("", "fault", wrap=True)
        self.edit = Button(theme, "Edit", icon="edit", small=True)
        self.save = Button(theme, "Save", "primary", small=True)
        self.cancel = Button(theme, "Cancel", small=True)
        self._build()
        self._connect()
        self._show_mode(editing=False)

    def show_tenant(self, tenant: Tenant | None, *, saving: bool = False, fault: str = "") -> None:
        """Another tenant ends the edit; the same one with new limits does not."""
        changed = (tenant.tenant_id if tenant else "") != (self._tenant.tenant_id if self._tenant else "")
        self._tenant = tenant
        self.set_title(f"Limits of {tenant.name}" if tenant else "Limits")
        self.edit.setEnabled(tenant is not None)
        self.save.setEnabled(not saving)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        for row in LIMITS:
            self.values[row.key].setText(f"{getattr(tenant.quota, row.key):,}" if tenant else "–")
        if changed:
            self.end_edit()

    def begin_edit(self) -> None:
        if self._tenant is not None and not self.editing:
            for row in LIMITS:
                self.edits[row.key].setValue(getattr(self._tenant.quota, row.key))
            self._show_mode(editing=True)
            self.edits[LIMITS[0].key].setFocus(Qt.FocusReason.OtherFocusReason)

    def end_edit(self) -> None:
        self._show_mode(editing=False)

    def quota(self) -> Quota:
        """What the fields say."""
        for edit in self.edits.values():
            edit.interpretText()
        return Quota(**{field.name: int(self.edits[field.name].number()) for field in fields(Quota)})

    def _build(self) -> None:
        for button in (self.edit, self.cancel, self.save):
            self.add_action(button)
        self.body.setSpacing(0)
        for row in LIMITS:
            self.body.addWidget(self._line(row))
        self.fault.hide()
        self.body.addWidget(self.fault)
        self.body.addStretch(1)

    def _line(self, row: LimitRow) -> QWidget:
        line = QFrame()
        line.setProperty("edge", "bottom")
        line.setFixedHeight(34)
        unit = Label(row.unit, "small", "text-2")
        unit.setFixedWidth(58)
        self.edits[row.key].setAccessibleName(f"{row.label} {row.unit}")
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(8)
        across.addWidget(Label(row.label, "body", "text-2"))
        across.addStretch(1)
        across.addWidget(self.values[row.key])
        across.addWidget(self.edits[row.key])
        across.addWidget(unit)
        return line

    def _connect(self) -> None:
        self.edit.clicked.connect(self.begin_edit)
        self.cancel.clicked.connect(self.end_edit)
        self.save.clicked.connect(self._ask)
        for edit in self.edits.values():
            edit.lineEdit().returnPressed.connect(self._ask)
        escape = QShortcut(QKeySequence("Esc"), self, self.end_edit)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _ask(self) -> None:
        if self.editing:
            self.save_asked.emit(self.quota())

    def _show_mode(self, *, editing: bool) -> None:
        self.editing = editing
        for shown, widgets in ((editing, [*self.edits.values(), self.save, self.cancel]),
                               (not editing, [*self.values.values(), self.edit])):  # fmt: skip
            for widget in widgets:
                widget.setVisible(shown)
