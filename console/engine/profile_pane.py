"""The middle pane: what the KV space means, the form, and Save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.engine.profile_form import ProfileForm
from console.engine.profile_shown import derive_truth
from console.widgets.buttons import Button, Icon
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from console.widgets.paragraph import Paragraph
from engine_host.engine.state import CAN_ANSWER, EngineStatus

if TYPE_CHECKING:
    from console.engine.presenter import EngineView
    from console.theme.style import Theme

TITLE = "CPU demo"
GPU_TITLE = "GPU"


def derive_profile_line(view: EngineView) -> str:
    """What is true of the form now: saved or not, and when it counts."""
    if view.faults:
        return "An engine could not start with this."
    if view.dirty:
        return "Not saved yet. A start uses what is saved."
    running = view.engine.hosted and view.engine.status in (
        EngineStatus.STARTING,
        *CAN_ANSWER,
    )
    return "Saved. A change takes effect at the next start." if running else "Saved. The next start uses it."


class ProfilePane(QFrame):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("edge", "right")
        self.header = PageHeader(TITLE)
        self.form = ProfileForm(theme)
        self.save = Button(theme, "Save")
        self.revert = Button(theme, "Revert", "quiet")
        self._headline = Paragraph(theme, px=13, line=19)
        self._detail = Label("", "caption")
        self._icon = Icon(theme, "info", "info", 16)
        self._build()

    def show_view(self, view: EngineView) -> None:
        self.header.set_title(GPU_TITLE if view.on_gpu else TITLE)
        self.header.set_truth(derive_profile_line(view), "error" if view.faults else "text-3")
        truth = derive_truth(view.draft, view.model, on_gpu=view.on_gpu)
        self._headline.set_text(truth.headline, weight=600)
        self._detail.setText(truth.detail)
        self.form.show_models(view.facts.models if view.facts else None, view.model)
        self.form.show_values(view.draft, view.faults, on_gpu=view.on_gpu)
        self.save.setEnabled(view.dirty and not view.faults and not view.saving)
        self.revert.setVisible(view.dirty)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)
        column.setSpacing(0)
        self.header.add_action(self.revert)
        self.header.add_action(self.save)
        column.addWidget(self.header)
        column.addWidget(self._truth())
        column.addWidget(self.form, 1)

    def _truth(self) -> QWidget:
        frame = QFrame()
        frame.setProperty("edge", "bottom")
        row = QHBoxLayout(frame)
        row.setContentsMargins(16, 11, 16, 11)
        row.setSpacing(9)
        lead = QVBoxLayout()
        lead.setContentsMargins(0, 1, 0, 0)
        lead.addWidget(self._icon)
        lead.addStretch(1)
        row.addLayout(lead)
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addWidget(self._headline)
        words.addWidget(self._detail)
        row.addLayout(words, 1)
        return frame
