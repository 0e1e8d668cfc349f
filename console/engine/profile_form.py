"""The form of a profile, made from its rows as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from console.engine.profile_fields import SECTIONS, ChoiceControl, FieldKey, FieldRow, FieldSection, NumberControl
from console.engine.profile_shown import default_text, model_note
from console.widgets.fields import Choice, ComboBox
from console.widgets.form_row import FormRow, RowText, section_heading
from console.widgets.number_field import NumberField
from console.widgets.switch import Switch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.theme.style import Theme
    from engine_host.engine.models import ModelSpec
    from storage.settings import EngineSettings

CONTROL_PX: Final = 142


class FieldLine(FormRow):
    """One option with its control; `changed(value)` only for what a person does."""

    changed = Signal(object)

    def __init__(self, theme: Theme, row: FieldRow, parent: QWidget | None = None) -> None:
        control = _make(theme, row)
        unit = row.control.unit if isinstance(row.control, NumberControl) else ""
        text = RowText(row.label, row.flag, unit, row.effect, default_text(row))
        super().__init__(theme, text, control, control_px=CONTROL_PX, parent=parent)
        if isinstance(control, NumberField):
            control.valueChanged.connect(self._number)
        elif isinstance(control, ComboBox):
            control.chosen.connect(self._choice)
        else:
            control.toggled.connect(self._switched)

    def show_value(self, value: float | bool) -> None:
        control = self.control
        control.blockSignals(True)
        if isinstance(control, NumberField):
            control.setValue(float(value))
        elif isinstance(control, ComboBox):
            control.set_key("yes" if value else "no")
        elif isinstance(control, Switch):
            control.setChecked(bool(value))
            control.update()
        control.blockSignals(False)

    def _number(self) -> None:
        if isinstance(self.control, NumberField):
            self.changed.emit(self.control.number())

    def _switched(self, on: bool) -> None:
        self.changed.emit(on)

    def _choice(self, key: str) -> None:
        self.changed.emit(key == "yes")


class ProfileForm(QScrollArea):
    """`edited(key, value)` is sent for a person's change only."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: dict[FieldKey, FieldLine] = {}
        self.model = ComboBox(theme, ())
        self.model.setFixedWidth(CONTROL_PX)
        self._model_row = FormRow(theme, RowText("Model", "--model"), self.model, control_px=CONTROL_PX)
        self._cpu_only: list[QWidget] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._inner(theme))

    def show_values(self, draft: EngineSettings, faults: Mapping[FieldKey, str], *, on_gpu: bool) -> None:
        for key, line in self.lines.items():
            line.show_value(getattr(draft, key))
            line.show_fault(faults.get(key, ""))
        for widget in self._cpu_only:
            widget.setVisible(not on_gpu)

    def show_models(self, present: Sequence[ModelSpec] | None, chosen: ModelSpec) -> None:
        """`present` are those on this machine, None = not known yet. The chosen one is named if missing too."""
        here = present is None or any(one.name == chosen.name for one in present)
        shown = present if present and here else (chosen, *(present or ()))
        self.model.set_choices([Choice(one.name, one.name.removesuffix("-Instruct")) for one in shown])
        self.model.set_key(chosen.name)
        self._model_row.effect.set_text(model_note(chosen), "text-2")
        self._model_row.show_fault("" if here else "Its files are not here. Run ./dabba to finish the set-up.")

    def _inner(self, theme: Theme) -> QWidget:
        inner = QWidget()
        inner.setProperty("fill", "surface")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(section_heading("Model", "default"))
        column.addWidget(self._model_row)
        for section in SECTIONS:
            self._add_section(theme, column, section)
        column.addStretch(1)
        return inner

    def _add_section(self, theme: Theme, column: QVBoxLayout, section: FieldSection) -> None:
        heading = section_heading(section.title)
        column.addWidget(heading)
        for row in section.rows:
            line = FieldLine(theme, row)
            line.changed.connect(partial(self.edited.emit, row.key))
            self.lines[row.key] = line
            column.addWidget(line)
            if row.cpu_only:
                self._cpu_only.append(line)
        if all(row.cpu_only for row in section.rows):
            self._cpu_only.append(heading)


def _make(theme: Theme, row: FieldRow) -> NumberField | ComboBox | Switch:
    match row.control:
        case ChoiceControl(when_true, when_false):
            box = ComboBox(theme, (Choice("yes", when_true), Choice("no", when_false)))
            box.setFixedWidth(CONTROL_PX)
            return box
        case NumberControl(_, least, most, step, digits):
            return NumberField(least, most, step=step, digits=digits)
        case _:
            return Switch(theme)
