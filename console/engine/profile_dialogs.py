"""The small dialogs of profiles: a name for a new one, and what differs between two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.fields import Choice, ComboBox, set_fault
from console.widgets.label import Label
from engine_host.engine.profile_compare import differences
from engine_host.engine.profile_shelf import folded

if TYPE_CHECKING:
    from collections.abc import Collection

    from console.theme.style import Theme
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_file import KeptProfile

FORM: Final = "form"


class NameDialog(QDialog):
    """`named(name)` once, for a name that no other profile has."""

    named = Signal(str)

    def __init__(self, theme: Theme, source: str, taken: Collection[str], parent: QWidget | None = None) -> None:
        """`taken` are folded names."""
        super().__init__(parent)
        self._taken = frozenset(taken)
        self.setWindowTitle("New profile")
        self.setFixedWidth(380)
        self.field = QLineEdit(f"{source} 2")
        self.field.setMaxLength(60)
        self.field.selectAll()
        self.field.setAccessibleName("Name")
        self.make = Button(theme, "Create", "primary")
        self._cancel = Button(theme, "Cancel")
        self._fault = Label("", "fault", wrap=True)
        self._build(source)
        self.make.clicked.connect(self._create)
        self._cancel.clicked.connect(self.reject)

    @property
    def fault(self) -> str:
        return self._fault.text()

    @Slot()
    def _create(self) -> None:
        name = self.field.text().strip()
        fault = derive_name_fault(name, self._taken)
        set_fault(self.field, bool(fault))
        self._fault.setText(fault)
        if not fault:
            self.named.emit(name)
            self.accept()

    def _build(self, source: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(6)
        column.addWidget(Label(f"It begins as {source} stands in the form now.", "small", wrap=True))
        column.addWidget(Label("Name", "small-strong"))
        column.addWidget(self.field)
        column.addWidget(self._fault)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self.make)
        self.make.setDefault(True)
        column.addLayout(row)


def derive_name_fault(name: str, taken: Collection[str]) -> str:
    if not folded(name):
        return "The name has no letter and no figure. Give it a name."
    return f"There is a profile {name} already. Choose another name." if folded(name) in taken else ""


class CompareDialog(QDialog):
    """Two of a profile's versions, or one and the form, side by side: only what differs."""

    def __init__(
        self,
        theme: Theme,
        versions: tuple[KeptProfile, ...],
        draft: EngineProfile | None,
        parent: QWidget | None = None,
    ) -> None:
        """`versions` newest first; `draft` None = the form holds nothing that is not saved."""
        super().__init__(parent)
        self._profiles = {str(one.profile.version): one.profile for one in versions}
        choices = [Choice(key, _version_text(key)) for key in self._profiles]
        if draft is not None:
            self._profiles[FORM] = draft
            choices.insert(0, Choice(FORM, "the form"))
        self.left = ComboBox(theme, choices, name="Left version")
        self.right = ComboBox(theme, choices, name="Right version")
        self.setWindowTitle(f"Compare versions of {versions[0].name}")
        self.resize(560, 360)
        self._rows = QGridLayout()
        self._build(theme)
        keys = [choice.key for choice in choices]
        self.left.set_key(keys[min(1, len(keys) - 1)])
        self.right.set_key(keys[0])
        self.left.chosen.connect(self._show)
        self.right.chosen.connect(self._show)
        self._show()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every word of the table, row by row."""
        items = (self._rows.itemAt(place) for place in range(self._rows.count()))
        widgets = (item.widget() for item in items if item is not None)
        return tuple(one.text() for one in widgets if isinstance(one, Label))

    @Slot()
    def _show(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] a layout has none
                widget.hide()
                widget.deleteLater()
        found = differences(self._profiles[self.left.key], self._profiles[self.right.key])
        for place, one in enumerate(found):
            cells = (
                Label(one.label, "small-strong", wrap=True),
                Label(one.left or "none", "small", wrap=True),
                Label(one.right or "none", "small", wrap=True),
            )
            for column, cell in enumerate(cells):
                self._rows.addWidget(cell, place, column, Qt.AlignmentFlag.AlignTop)
        if not found:
            self._rows.addWidget(Label("They are alike.", "small", "text-3"), 0, 0, 1, 3)

    def _build(self, theme: Theme) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(10)
        heads = QHBoxLayout()
        heads.addWidget(Label("Option", "section"), 1)
        heads.addWidget(self.left, 1)
        heads.addWidget(self.right, 1)
        column.addLayout(heads)
        inner = QWidget()
        inner.setProperty("fill", "canvas")
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(12)
        self._rows.setVerticalSpacing(8)
        for place in range(3):
            self._rows.setColumnStretch(place, 1)
        box.addLayout(self._rows)
        box.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inner)
        column.addWidget(area, 1)
        close = Button(theme, "Close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)


def _version_text(key: str) -> str:
    return "ready-made" if key == "0" else f"version {key}"
