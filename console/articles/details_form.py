"""What is kept beside an article's text: title, owner, for whom, in which language, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from console.articles.editor_shown import Typed
from console.articles.search_shown import AUDIENCES, language_choices
from console.articles.tenant_picker import TenantPicker
from console.widgets.fields import ComboBox, set_fault
from console.widgets.label import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.articles.table_shown import Shelf
    from console.theme.style import Theme

ALWAYS = "always"


class DetailsForm(QWidget):
    """`edited()` for what a person does; `typed` has it, its body as it was shown."""

    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = Typed()
        self.title = QLineEdit()
        self.owner = QLineEdit()
        self.audience = ComboBox(theme, AUDIENCES, name="Audience")
        self.tenants = TenantPicker(theme)
        self.language = ComboBox(theme, name="Language")
        self.valid_from = QLineEdit()
        self.valid_to = QLineEdit()
        self._faults = {name: Label("", "fault") for name in ("title", "valid_from", "valid_to")}
        self._build()
        self._connect()

    @property
    def typed(self) -> Typed:
        return replace(
            self._shown,
            title=self.title.text(),
            owner=self.owner.text(),
            audience=self.audience.key,
            tenants=self.tenants.picked,
            language=self.language.key or self._shown.language,
            valid_from=self.valid_from.text(),
            valid_to=self.valid_to.text(),
        )

    def offer(self, shelf: Shelf) -> None:
        self.tenants.offer(shelf.tenants)
        self.language.set_choices(language_choices(shelf.articles))

    def show_typed(self, typed: Typed) -> None:
        self._shown = typed
        for field in (self.title, self.owner, self.valid_from, self.valid_to):
            field.blockSignals(True)
        self.title.setText(typed.title)
        self.owner.setText(typed.owner)
        self.valid_from.setText(typed.valid_from)
        self.valid_to.setText(typed.valid_to)
        for field in (self.title, self.owner, self.valid_from, self.valid_to):
            field.blockSignals(False)
        self.audience.set_key(typed.audience)
        self.tenants.show_picked(typed.tenants)
        self.language.set_key(typed.language)

    def show_faults(self, faults: Mapping[str, str]) -> None:
        for name, label in self._faults.items():
            label.setText(faults.get(name, ""))
            label.setVisible(name in faults)
            set_fault(getattr(self, name), name in faults)

    @Slot()
    def _tell(self) -> None:
        self.edited.emit()

    def _connect(self) -> None:
        for field in (self.title, self.owner, self.valid_from, self.valid_to):
            field.textChanged.connect(self._tell)
        for box in (self.audience, self.language):
            box.chosen.connect(self._tell)
        self.tenants.picks_changed.connect(self._tell)

    def _build(self) -> None:
        self.title.setPlaceholderText("What customers read as the source of an answer")
        self.owner.setPlaceholderText("Who keeps it right")
        self.valid_from.setPlaceholderText(ALWAYS)
        self.valid_to.setPlaceholderText(ALWAYS)
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 16, 12)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.addLayout(self._cell("Title", self.title, "title"), 0, 0, 1, 2)
        grid.addLayout(self._cell("Owner", self.owner), 0, 2)
        grid.addLayout(self._cell("Audience", self.audience), 1, 0)
        grid.addLayout(self._cell("Tenants", self.tenants), 1, 1)
        grid.addLayout(self._cell("Language", self.language), 1, 2)
        days = QGridLayout()
        days.setHorizontalSpacing(12)
        days.addLayout(self._cell("Valid from (day)", self.valid_from, "valid_from"), 0, 0)
        days.addLayout(self._cell("Valid to (day, inclusive)", self.valid_to, "valid_to"), 0, 1)
        grid.addLayout(days, 2, 0, 1, 2)
        for column in range(3):
            grid.setColumnStretch(column, 1)

    def _cell(self, name: str, field: QWidget, key: str = "") -> QVBoxLayout:
        cell = QVBoxLayout()
        cell.setSpacing(3)
        label = Label(name, "caption")
        label.setBuddy(field)
        field.setAccessibleName(name)
        cell.addWidget(label)
        cell.addWidget(field)
        if key:
            self._faults[key].hide()
            cell.addWidget(self._faults[key])
        cell.addStretch(1)
        return cell
