"""One option of a profile as a row of the form: its control by kind, its effect, its default, what an engine has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from console.engine.profile_shown import default_text, effect_text, effects_text
from console.widgets.fields import Choice, ComboBox
from console.widgets.form_row import FormRow, RowText
from console.widgets.number_field import NumberField
from console.widgets.switch import Switch
from engine_host.engine.errors import ProfileRefused
from engine_host.engine.options import NUMERIC, Kind
from engine_host.engine.options_values import read_value, shown
from engine_host.engine.profile import NO_TOOLS, TOOL_PARSER

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent

    from console.theme.style import Theme
    from engine_host.engine.options import Option, OptionValue
    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.profile_reported import Has

NAME_PX: Final = 174
CONTROL_PX: Final = 142
WIDE_FROM: Final = 99_999
"""A number above this needs a wider field."""


class OptionLine(FormRow):
    """`changed(value)` only for what a person does; None gives the option its default back. `pointed(key)` when the
    mouse comes over it or its field gets the focus."""

    changed = Signal(object)
    pointed = Signal(str)

    def __init__(
        self, theme: Theme, option: Option, table: FlagTable | None = None, parent: QWidget | None = None
    ) -> None:
        self.option = option
        control = _control(theme, option, table)
        unit = option.unit if isinstance(control, NumberField) else ""
        text = RowText(option.label, option.flag or "no flag of vLLM", unit, effect_text(option), default_text(option))
        super().__init__(theme, text, control, name_px=NAME_PX, control_px=CONTROL_PX, parent=parent)
        control.setAccessibleDescription(effects_text(option))
        control.installEventFilter(self)
        self._connect()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.pointed.emit(self.option.key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.control and event.type() == QEvent.Type.FocusIn:
            self.pointed.emit(self.option.key)
        return super().eventFilter(watched, event)

    def show_value(self, value: OptionValue | None) -> None:
        control = self.control
        control.blockSignals(True)
        if isinstance(control, NumberField) and isinstance(value, int | float):
            control.setValue(float(value))
        elif isinstance(control, ComboBox):
            control.set_key("" if value is None else str(value))
        elif isinstance(control, Switch):
            control.setChecked(bool(value))
            control.update()
        elif isinstance(control, QLineEdit) and not (control.hasFocus() and control.isModified()):
            control.setText("" if value is None else shown(value))
        control.blockSignals(False)

    def show_has(self, has: Has | None) -> None:
        """What the running engine reports of it, below the default."""
        words = default_text(self.option)
        told = has.text.removesuffix(self.option.unit).strip() if has else ""
        self.default.setText(f"{words}\nhas {told}" if has else words)
        self.default.set_tone("warn" if has and not has.as_asked else "text-3")

    def _connect(self) -> None:
        control = self.control
        if isinstance(control, NumberField):
            control.valueChanged.connect(self._number)
        elif isinstance(control, ComboBox):
            control.chosen.connect(self._choice)
        elif isinstance(control, Switch):
            control.toggled.connect(self._switched)
        elif isinstance(control, QLineEdit):
            control.editingFinished.connect(self._typed)

    @Slot()
    def _number(self) -> None:
        if isinstance(self.control, NumberField):
            number = self.control.number()
            self.changed.emit(int(number) if self.option.kind is Kind.INTEGER else float(number))

    @Slot(bool)
    def _switched(self, on: bool) -> None:
        self.changed.emit(on)

    @Slot(str)
    def _choice(self, key: str) -> None:
        self.changed.emit(key or None)

    @Slot()
    def _typed(self) -> None:
        """What cannot be read stays as it was typed: the sentence below says why."""
        if not isinstance(self.control, QLineEdit) or not self.control.isModified():
            return
        self.control.setModified(False)
        typed = self.control.text().strip()
        try:
            self.changed.emit(read_value(self.option, typed) if typed else None)
        except ProfileRefused:
            self.changed.emit(typed)


def _control(theme: Theme, option: Option, table: FlagTable | None) -> QWidget:
    match option.kind:
        case Kind.SWITCH:
            return Switch(theme)
        case Kind.CHOICE:
            return _combo(theme, [Choice(one, one) for one in option.choices])
        case _ if option.kind in NUMERIC and option.default is not None:
            return _number_field(option)
        case _:
            flag = table.named(option.flag) if table and option.flag and option.kind is Kind.TEXT else None
            if flag is not None and flag.choices:
                none = [Choice(NO_TOOLS, NO_TOOLS)] if option.key == TOOL_PARSER else []
                return _combo(theme, [Choice("", option.unset), *none, *(Choice(one, one) for one in flag.choices)])
            return _text_field(option)


def _combo(theme: Theme, choices: list[Choice]) -> ComboBox:
    box = ComboBox(theme, choices)
    box.setFixedWidth(CONTROL_PX)
    return box


def _number_field(option: Option) -> NumberField:
    least, most = option.minimum or 0.0, option.maximum or 0.0
    digits = 0 if option.kind is Kind.INTEGER else 2
    return NumberField(least, most, step=option.step, digits=digits, width=96 if most > WIDE_FROM else 74)


def _text_field(option: Option) -> QLineEdit:
    field = QLineEdit()
    field.setFixedWidth(CONTROL_PX)
    field.setPlaceholderText(option.unset or option.example)
    return field
