"""One setting: its words, its field, when it counts, and a sentence below when it is not allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from console.settings.engines_field import EnginesField
from console.settings.setting_types import (
    ChoiceInput,
    EnginesInput,
    FolderInput,
    MappingInput,
    NumberInput,
    SecretField,
    SettingRow,
    TextField,
)
from console.theme.fonts import mono_font
from console.widgets.fields import Choice, ComboBox
from console.widgets.folder_field import FolderField
from console.widgets.form_row import FormRow, RowText
from console.widgets.number_field import NumberField

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.settings.values import Value
    from console.theme.style import Theme

FIELD_PX: Final = 236
NAME_PX: Final = 140
MAPPING_PX: Final = 82
"""Four lines."""


class SettingLine(FormRow):
    """`edited(value)` only for what a person does."""

    edited = Signal(object)

    def __init__(self, theme: Theme, row: SettingRow, parent: QWidget | None = None) -> None:
        self.row = row
        control = _make(theme, row)
        unit = row.input.unit if isinstance(row.input, NumberInput) else ""
        text = RowText(row.name, "", unit, row.effect, row.takes)
        super().__init__(theme, text, control, name_px=NAME_PX, control_px=FIELD_PX, parent=parent)
        if isinstance(control, NumberField):
            control.valueChanged.connect(self._number)
        elif isinstance(control, ComboBox):
            control.chosen.connect(self._words)
        elif isinstance(control, QPlainTextEdit):
            control.textChanged.connect(self._lines)
        elif isinstance(control, EnginesField):
            control.changed.connect(self.edited)
        else:
            control.textEdited.connect(self._words)

    def show_value(self, value: Value) -> None:
        control = self.control
        control.blockSignals(True)
        if isinstance(value, tuple):
            if isinstance(control, EnginesField):
                control.set_engines(value)
        elif isinstance(control, NumberField):
            control.setValue(float(value))
        elif isinstance(control, ComboBox):
            control.set_key(str(value))
            self._tell_effect(str(value))
        elif isinstance(control, QLineEdit | FolderField) and control.text() != str(value):
            control.setText(str(value))
        elif isinstance(control, QPlainTextEdit) and control.toPlainText() != str(value):
            control.setPlainText(str(value))
        control.blockSignals(False)

    def _tell_effect(self, key: str) -> None:
        effects = dict(self.row.input.effects) if isinstance(self.row.input, ChoiceInput) else {}
        if key in effects:
            self.effect.set_text(effects[key], "text-2")
            self.control.setAccessibleDescription(effects[key])

    def _words(self, words: str) -> None:
        self.edited.emit(words)

    def _lines(self) -> None:
        if isinstance(self.control, QPlainTextEdit):
            self.edited.emit(self.control.toPlainText())

    def _number(self) -> None:
        if isinstance(self.control, NumberField):
            self.edited.emit(self.control.number())


def _make(
    theme: Theme, row: SettingRow
) -> NumberField | ComboBox | QLineEdit | FolderField | QPlainTextEdit | EnginesField:
    match row.input:
        case EnginesInput():
            return EnginesField(theme, FIELD_PX)
        case NumberInput(_, least, most, step, digits):
            return NumberField(least, most, step=step, digits=digits, width=86)
        case FolderInput(placeholder):
            field = FolderField(theme, placeholder, f"{row.name}: choose a folder")
            field.setFixedWidth(FIELD_PX)
            return field
        case ChoiceInput(choices):
            box = ComboBox(theme, [Choice(key, text) for key, text in choices])
            box.setFixedWidth(FIELD_PX)
            return box
        case MappingInput(example):
            lines = QPlainTextEdit()
            lines.setProperty("field", True)
            lines.setFont(mono_font(12))
            lines.setPlaceholderText(example)
            lines.setTabChangesFocus(True)
            lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            lines.setFixedSize(FIELD_PX, MAPPING_PX)
            return lines
        case TextField(placeholder) | SecretField(placeholder):
            line = QLineEdit()
            line.setPlaceholderText(placeholder)
            line.setFixedWidth(FIELD_PX)
            if isinstance(row.input, SecretField):
                line.setEchoMode(QLineEdit.EchoMode.Password)
            return line
