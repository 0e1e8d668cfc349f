"""Rows of a form: name and second line, the control with its unit, what it does, its default; a fault below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.fields import set_fault
from console.widgets.label import ElidedLabel, Label
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from console.theme.style import Theme

SIDE: Final = 16
DEFAULT_PX: Final = 64


@dataclass(frozen=True, slots=True)
class RowText:
    """The words of a row. `second` is the mono line under the name, `default` stands at the right end."""

    name: str
    second: str = ""
    unit: str = ""
    effect: str = ""
    default: str = ""


class FormRow(QFrame):
    """At least 43 px high with a line below. `name_px` and `control_px` are the widths of the first two columns."""

    def __init__(
        self, theme: Theme, text: RowText, control: QWidget, *, name_px: int = 166, control_px: int = 142,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.control = control
        self.effect = Paragraph(theme, px=12, line=17)
        self.effect.set_text(text.effect, "text-2")
        self.default = Label(text.default, "small", "text-3", wrap=True)
        self._fault = Label("", "fault", wrap=True)
        self._fault.hide()
        self._name_px, self._control_px = name_px, control_px
        self.setProperty("edge", "bottom")
        self.setMinimumHeight(43)
        control.setAccessibleName(text.name)
        control.setAccessibleDescription(text.effect)
        self._build(text)

    @property
    def fault(self) -> str:
        return self._fault.text()

    def show_fault(self, sentence: str) -> None:
        """The sentence below the field; "" takes it away."""
        # The red border belongs to the field itself, also when a button stands beside it.
        set_fault(self.control.focusProxy() or self.control, bool(sentence))
        self._fault.setText(sentence)
        self._fault.setVisible(bool(sentence))

    def _build(self, text: RowText) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addLayout(_column(self._names(text), self._name_px))
        row.addLayout(_column(self._field(text), self._control_px))
        effect = QVBoxLayout()
        effect.addStretch(1)
        effect.addWidget(self.effect)
        effect.addStretch(1)
        row.addLayout(effect, 1)
        self.default.setFixedWidth(DEFAULT_PX)
        self.default.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.default)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, 4, SIDE, 4)
        column.setSpacing(2)
        column.addLayout(row)
        self._fault.setContentsMargins(self._name_px + 8, 0, 0, 0)
        column.addWidget(self._fault)

    def _names(self, text: RowText) -> QVBoxLayout:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(Label(text.name, "body"))
        if text.second:
            second = ElidedLabel(text.second, "mono", "text-2")
            second.setMaximumWidth(self._name_px)
            names.addWidget(second)
        return names

    def _field(self, text: RowText) -> QHBoxLayout:
        field = QHBoxLayout()
        field.setSpacing(6)
        field.addWidget(self.control)
        if text.unit:
            field.addWidget(Label(text.unit, "small", "text-3"))
        field.addStretch(1)
        return field


def section_heading(title: str, right: str = "") -> QFrame:
    """The 28-px line over the rows of a section."""
    frame = QFrame()
    frame.setProperty("edge", "bottom")
    frame.setFixedHeight(28)
    row = QHBoxLayout(frame)
    row.setContentsMargins(SIDE, 0, SIDE, 0)
    row.addWidget(Label(title, "section"))
    row.addStretch(1)
    row.addWidget(Label(right, "caption"))
    return frame


def _column(layout: QLayout, width: int) -> QVBoxLayout:
    """`layout` in a column of at least this width, in the middle of the row."""
    keep = QWidget()
    keep.setFixedSize(width, 0)
    column = QVBoxLayout()
    column.setSpacing(0)
    column.addStretch(1)
    column.addLayout(layout)
    column.addWidget(keep)
    column.addStretch(1)
    return column
