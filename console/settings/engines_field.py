"""The further engines as a list in one field: what each is, its weight, add and remove."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from console.widgets.attach_dialog import derive_url_fault
from console.widgets.buttons import Button, IconButton
from console.widgets.fields import set_fault
from console.widgets.label import ElidedLabel, Label
from console.widgets.number_field import NumberField
from engine_host.engine.pool_places import numbered, with_another, without
from storage.settings import MoreEngine

if TYPE_CHECKING:
    from console.theme.style import Theme

Engines = tuple[MoreEngine, ...]
MOST: Final = 15
FULL: Final = f"There are {MOST} further engines already. Remove one first."
WEIGHT: Final = (0.1, 1000.0)


def engine_text(number: int, wanted: MoreEngine) -> str:
    """As "2  hosted here" or "3  at 10.0.0.7:8000", which is attached."""
    return f"{number}  at {wanted.url.split('://', 1)[-1]}" if wanted.url else f"{number}  hosted here"


def derive_address_fault(address: str, engines: Engines) -> str:
    """Why this can't be added; an empty address is an engine that this program starts."""
    if len(engines) >= MOST:
        return FULL
    if not address:
        return ""
    known = next((number for number, one in numbered(engines) if one.url == address.rstrip("/")), None)
    return f"Engine {known} has this address already." if known else derive_url_fault(address)


class EnginesField(QWidget):
    """`changed(tuple of MoreEngine)` only for what a person does."""

    changed = Signal(object)

    def __init__(self, theme: Theme, width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._engines: Engines = ()
        self._shown: tuple[str, ...] = ()
        self.weights: list[NumberField] = []
        self.removes: list[IconButton] = []
        self.address = QLineEdit()
        self.address.setPlaceholderText("address, or empty")
        self.address.setAccessibleName("Address of another engine; empty for one that this program starts")
        self.add = Button(theme, "Add", icon="plus", small=True)
        self._fault = Label("", "fault", wrap=True)
        self._rows = QVBoxLayout()
        self.setFixedWidth(width)
        self.setFocusProxy(self.address)
        self._build()
        self.add.clicked.connect(self._add)
        self.address.returnPressed.connect(self._add)
        self.address.textEdited.connect(self._typed)

    @property
    def fault(self) -> str:
        return self._fault.text()

    def set_engines(self, engines: Engines) -> None:
        """Rows are made anew only when other engines are shown, so that a weight keeps the focus."""
        texts = tuple(engine_text(number, one) for number, one in numbered(engines))
        self._engines = engines
        if texts != self._shown:
            self._shown = texts
            self._make_rows()
        for field, one in zip(self.weights, engines, strict=True):
            field.blockSignals(True)
            field.setValue(one.weight)
            field.blockSignals(False)

    # What a person does

    @Slot()
    def _add(self) -> None:
        address = self.address.text().strip()
        fault = derive_address_fault(address, self._engines)
        self._tell(fault)
        if not fault:
            self.address.clear()
            self._change(with_another(self._engines, MoreEngine(url=address.rstrip("/") or None)))

    @Slot()
    def _typed(self) -> None:
        self._tell("")

    def _weigh(self, place: int, weight: float) -> None:
        changed = self._engines[place].model_copy(update={"weight": weight})
        self._change((*self._engines[:place], changed, *self._engines[place + 1 :]))

    def _remove(self, place: int) -> None:
        number, one = numbered(self._engines)[place]
        self._tell("")
        self._change(without(self._engines, number, one.url))
        self.address.setFocus()

    def _change(self, engines: Engines) -> None:
        self.set_engines(engines)
        self.changed.emit(engines)

    def _tell(self, fault: str) -> None:
        set_fault(self.address, bool(fault))
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))

    # Building

    def _make_rows(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] a layout has none
                widget.hide()
                widget.deleteLater()
        self.weights, self.removes = [], []
        for place, text in enumerate(self._shown):
            self._rows.addWidget(self._row(place, text))
        for before, after in zip(self.removes, [*self.weights[1:], self.address], strict=False):
            QWidget.setTabOrder(before, after)

    def _row(self, place: int, text: str) -> QWidget:
        weight = NumberField(*WEIGHT, step=0.5, digits=1, width=64)
        weight.setAccessibleName(f"Weight of engine {text}")
        weight.setToolTip("How many requests it is given for one of an engine of weight 1.")
        weight.valueChanged.connect(partial(self._weigh, place))
        remove = IconButton(self._theme, "trash", f"Remove engine {text}", px=14, box=22)
        remove.clicked.connect(partial(self._remove, place))
        name = ElidedLabel(text, "small")
        name.setToolTip(text)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(name, 1)
        row.addWidget(weight)
        row.addWidget(remove)
        QWidget.setTabOrder(weight, remove)
        self.weights.append(weight)
        self.removes.append(remove)
        return line

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(4)
        self._rows.setSpacing(4)
        column.addLayout(self._rows)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.address, 1)
        row.addWidget(self.add)
        column.addLayout(row)
        column.addWidget(self._fault)
        self._fault.hide()
