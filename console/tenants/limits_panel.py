"""The limits of one tenant, shown and edited in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from console.tenants.limits import HOUSE_TTFT_MS, LIMITS, limits_from, limits_of
from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.label import Label
from console.widgets.number_field import NumberField

if TYPE_CHECKING:
    from console.tenants.limits import LimitRow, Limits
    from console.theme.style import Theme
    from storage.records import Tenant

HELP: Final = (
    "What this tenant may ask for. Tokens a day are those in and out together, by the tenant's own calendar. Over a "
    "limit a question is refused with the reason, before it reaches the engine. New limits hold from the next question "
    "on; an answer that is being written goes on. The SLO is no limit: 95 of 100 of the tenant’s turns ought to show "
    "their first token within it. Live tells each tenant’s p95 beside its SLO, and an alert names the tenant that is "
    f"over one of its own. 0 = no SLO of its own: then the house’s {HOUSE_TTFT_MS} ms holds, which an alert watches at "
    "each engine."
)
ROW_PX: Final = 29


class LimitsPanel(Panel):
    """`save_asked(Limits)`; the panel stays in its edit until `end_edit` is called."""

    save_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Limits", help_text=HELP)
        self._tenant: Tenant | None = None
        self.editing = False
        self.values = {row.key: Label("–", "name") for row in LIMITS}
        self.edits = {row.key: _field(row) for row in LIMITS}
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
        self._show_title()
        self.edit.setEnabled(tenant is not None)
        self.save.setEnabled(not saving)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        values = limits_of(tenant).values if tenant else None
        for row in LIMITS:
            self.values[row.key].setText(row.words(values[row.key]) if values else "–")
        if changed:
            self.end_edit()

    def begin_edit(self) -> None:
        if self._tenant is not None and not self.editing:
            for key, value in limits_of(self._tenant).values.items():
                self.edits[key].setValue(value)
            self._show_mode(editing=True)
            self.edits[LIMITS[0].key].setFocus(Qt.FocusReason.OtherFocusReason)

    def end_edit(self) -> None:
        self._show_mode(editing=False)

    def limits(self) -> Limits:
        """What the fields say."""
        for edit in self.edits.values():
            edit.interpretText()
        return limits_from({key: int(edit.number()) for key, edit in self.edits.items()})

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
        line.setFixedHeight(ROW_PX)
        unit = Label(row.unit, "small", "text-2")
        unit.setFixedWidth(58)
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(6)
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
            self.save_asked.emit(self.limits())

    def _show_title(self) -> None:
        """Beside the two buttons of the edit there is room for the name only."""
        name = self._tenant.name if self._tenant else ""
        self.set_title(name if self.editing else f"Limits of {name}" if name else "Limits")

    def _show_mode(self, *, editing: bool) -> None:
        self.editing = editing
        self._show_title()
        for shown, widgets in ((editing, [*self.edits.values(), self.save, self.cancel]),
                               (not editing, [*self.values.values(), self.edit])):  # fmt: skip
            for widget in widgets:
                widget.setVisible(shown)


def _field(row: LimitRow) -> NumberField:
    field = NumberField(row.least, row.most, step=row.step, width=116)
    field.setAccessibleName(f"{row.label} {row.unit}")
    if row.house is not None:
        field.setSpecialValueText(row.words(0))
        field.setAccessibleDescription(f"0 = {row.words(0)}")
    return field
