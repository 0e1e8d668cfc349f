"""A number with its arrows. The wheel changes it only while it has the focus, so that a form can be scrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent


class NumberField(QDoubleSpinBox):
    """`valueChanged` comes when a person has finished a number, not with each digit. `digits` after the point."""

    def __init__(
        self, least: float, most: float, *, step: float = 1, digits: int = 0, width: int = 74,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setDecimals(digits)
        self.setRange(least, most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedWidth(width)

    def number(self) -> float:
        """The value without the rounding noise of the arrows; whole numbers when there are no digits."""
        return round(self.value(), self.decimals()) if self.decimals() else round(self.value())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
