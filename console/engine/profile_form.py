"""The form of a profile, made from the data of the options; the rarer ones come when more is asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from console.engine.option_line import CONTROL_PX, NAME_PX, OptionLine
from console.engine.profile_shown import model_note, short_model
from console.widgets.buttons import Button
from console.widgets.fields import Choice, ComboBox
from console.widgets.form_row import SIDE, FormRow, RowText, section_heading
from console.widgets.label import Label
from engine_host.engine.models import CATALOGUE
from engine_host.engine.options import option_groups
from engine_host.engine.profile_check import EXTRA

if TYPE_CHECKING:
    from console.engine.profiles_state import ProfilesView
    from console.theme.style import Theme
    from engine_host.engine.options_parser import FlagTable

EXTRA_EFFECT: Final = "Checked against the vLLM that is installed here."
MODEL_KEY: Final = "model"


class ProfileForm(QScrollArea):
    """`edited(key, value)`, `model_chosen(name)` and `extra_typed(text)` are sent for a person's change only;
    `pointed(key)` when a person comes to an option."""

    edited = Signal(str, object)
    pointed = Signal(str)
    model_chosen = Signal(str)
    extra_typed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._made_for: tuple[FlagTable | None, bool] | None = None
        self._all = False
        self._view: ProfilesView | None = None
        self.lines: dict[str, OptionLine] = {}
        self._headings: list[tuple[QFrame, tuple[str, ...]]] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def shows_all(self) -> bool:
        return self._all

    def show_view(self, view: ProfilesView) -> None:
        if self._made_for != (view.table, view.on_gpu):
            self._made_for = (view.table, view.on_gpu)
            self._make(view.table, on_gpu=view.on_gpu)
        self._view = view
        faults = {fault.key: fault.sentence for fault in view.faults}
        for key, line in self.lines.items():
            line.show_value(view.draft.value(key))
            line.show_fault(faults.get(key, ""))
            line.show_has(view.has.get(key))
        self._show_model(view)
        self._show_extra(view, faults.get(EXTRA, ""))
        self._show_rows(frozenset(faults))

    def go_to(self, key: str) -> None:
        """Bring the row of an option onto the screen."""
        if key in self.lines:
            self.ensureWidgetVisible(self.lines[key], 0, 80)

    @Slot()
    def toggle_all(self) -> None:
        self._all = not self._all
        if self._view is not None:
            self.show_view(self._view)

    # What is shown

    def _show_model(self, view: ProfilesView) -> None:
        model = view.draft.model
        here = view.models is None or model in view.models
        self.model.set_choices([Choice(one.name, short_model(one)) for one in CATALOGUE])
        self.model.set_key(model.name)
        self.model_row.effect.set_text(model_note(model, here=here), "text-2")
        self.model_row.setToolTip(f"{model.name}, licence {model.licence}.")
        self.model.setAccessibleDescription(f"{model_note(model, here=True)} Licence {model.licence}.")
        absent = not here and model.bundled
        self.model_row.show_fault("Its files are not here. Run ./dabba to finish the set-up." if absent else "")

    def _show_extra(self, view: ProfilesView, fault: str) -> None:
        if not self.extra.hasFocus():
            self.extra.setText(view.extra)
        self.extra_row.show_fault(fault)
        self.extra_row.effect.set_text(view.unchecked or EXTRA_EFFECT, "text-2")

    def _show_rows(self, faulty: frozenset[str]) -> None:
        """A row is shown when it is common, differs from its default, is wrong, or when all are."""
        view = self._view
        changed = view.draft.changed() if view else {}
        shown = {
            key: self._all or line.option.common or key in changed or key in faulty for key, line in self.lines.items()
        }
        for key, line in self.lines.items():
            line.setVisible(shown[key])
        for heading, keys in self._headings:
            heading.setVisible(any(shown[key] for key in keys))
        extra = self._all or bool(self.extra.text()) or EXTRA in faulty
        self.extra_row.setVisible(extra)
        self._extra_heading.setVisible(extra)
        rest = sum(not one for one in shown.values()) + (not extra)
        self.more.setText("Show fewer" if self._all else f"Show {rest} more")

    # Building

    def _make(self, table: FlagTable | None, *, on_gpu: bool) -> None:
        inner = QWidget()
        inner.setProperty("fill", "surface")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.lines, self._headings = {}, []
        for group in option_groups():
            options = [option for option in group.options if option.counts(on_gpu=on_gpu)]
            first = group.title == "Model"
            heading = section_heading(group.title, "default" if first else "")
            column.addWidget(heading)
            if first:
                column.addWidget(self._make_model())
            else:
                self._headings.append((heading, tuple(option.key for option in options)))
            for option in options:
                line = OptionLine(self._theme, option, table)
                line.pointed.connect(self.pointed)
                line.changed.connect(partial(self.edited.emit, option.key))
                self.lines[option.key] = line
                column.addWidget(line)
        self._make_extra(column)
        column.addWidget(self._make_more())
        column.addStretch(1)
        self.setWidget(inner)

    def _make_model(self) -> FormRow:
        self.model = ComboBox(self._theme, ())
        self.model.setFixedWidth(CONTROL_PX)
        self.model.chosen.connect(self.model_chosen)
        self.model_row = FormRow(
            self._theme, RowText("Model", "--model"), self.model, name_px=NAME_PX, control_px=CONTROL_PX
        )
        return self.model_row

    def _make_extra(self, column: QVBoxLayout) -> None:
        self.extra = QLineEdit()
        self.extra.setFixedWidth(CONTROL_PX)
        self.extra.setPlaceholderText("--seed 7")
        self.extra.textEdited.connect(self.extra_typed)
        text = RowText("Extra arguments", "as typed", effect=EXTRA_EFFECT)
        self.extra_row = FormRow(self._theme, text, self.extra, name_px=NAME_PX, control_px=CONTROL_PX)
        self._extra_heading = section_heading("Extra arguments")
        column.addWidget(self._extra_heading)
        column.addWidget(self.extra_row)

    def _make_more(self) -> QWidget:
        frame = QFrame()
        row = QHBoxLayout(frame)
        row.setContentsMargins(SIDE, 9, SIDE, 9)
        row.addWidget(Label("Parallel, machines, observability, extra arguments", "section"), 1)
        self.more = Button(self._theme, "", "link")
        self.more.clicked.connect(self.toggle_all)
        row.addWidget(self.more)
        return frame
