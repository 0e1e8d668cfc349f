"""A row of choices of which exactly one is on, each with a count if it has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Option:
    key: str
    text: str
    count: int | None = None


class _Tight(QToolButton):
    def sizeHint(self) -> QSize:
        """Without the two spaces that Qt adds to the words: in a narrow pane they cost a letter."""
        hint = super().sizeHint()
        return QSize(hint.width() - self.fontMetrics().horizontalAdvance("  "), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Segment(QFrame):
    """`chosen(key)` is sent when a person chooses, not when code sets the value."""

    chosen = Signal(str)

    def __init__(
        self, options: Sequence[Option], *, small: bool = False, stretch: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("seg", True)
        self.setProperty("small", small)
        self._buttons: dict[str, QToolButton] = {}
        self._texts = {option.key: option.text for option in options}
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for place, option in enumerate(options):
            row.addWidget(self._make(option, place, len(options), stretch=stretch))
        self._group.buttonClicked.connect(self._announce)
        across = QSizePolicy.Policy.Expanding if stretch else QSizePolicy.Policy.Fixed
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        if options:
            self.set_value(options[0].key)

    @property
    def value(self) -> str:
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def set_value(self, key: str) -> None:
        self._buttons[key].setChecked(True)

    def set_counts(self, counts: Mapping[str, int]) -> None:
        for key, count in counts.items():
            self._buttons[key].setText(f"{self._texts[key]} {count:,}")

    def _make(self, option: Option, place: int, of: int, *, stretch: bool) -> QToolButton:
        button = _Tight(self) if stretch else QToolButton(self)
        button.setText(option.text if option.count is None else f"{option.text} {option.count:,}")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setProperty("pos", "first" if place == 0 else "last" if place == of - 1 else "mid")
        if stretch:
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._buttons[option.key] = button
        self._group.addButton(button)
        return button

    def _announce(self) -> None:
        self.chosen.emit(self.value)
