"""The import panel: how far, what happened to each file, Cancel, and a report to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.articles.file_list import FileList
from console.articles.import_shown import (
    Import,
    ImportStatus,
    derive_files,
    derive_heading,
    derive_report,
    derive_tally,
)
from console.widgets.bars import ProgressBar
from console.widgets.buttons import Button, IconButton
from console.widgets.cards import Panel
from console.widgets.label import Label, divider
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from console.theme.style import Theme


class ImportPanel(Panel):
    """`opened(article id)` for a file whose article is to be looked at."""

    opened = Signal(str)
    cancel_asked = Signal()
    close_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Import", padding=0, parent=parent)
        self._import = Import()
        self.cancel = Button(theme, "Cancel", small=True)
        self.close_button = IconButton(theme, "close", "Close the report", px=14)
        self.bar = ProgressBar(theme)
        self.fault = Paragraph(theme, px=12, line=17)
        self._fault_line = QWidget()
        self.files = FileList(theme)
        self.tally = Label("", "small", wrap=True)
        self.copy = Button(theme, "Copy report", icon="copy")
        self._build()
        self.cancel.clicked.connect(self.cancel_asked)
        self.close_button.clicked.connect(self.close_asked)
        self.copy.clicked.connect(self._copy)
        self.files.opened.connect(self.opened)

    def show_import(self, shown: Import) -> None:
        self._import = shown
        self.set_unit(derive_heading(shown))
        self.files.set_files(derive_files(shown))
        self.tally.setText(derive_tally(shown))
        self.bar.set_fraction(shown.fraction)
        self.bar.setVisible(shown.runs)
        self.cancel.setVisible(shown.runs)
        self.cancel.setText("Stopping…" if shown.status is ImportStatus.STOPPING else "Cancel")
        self.cancel.setEnabled(shown.status is ImportStatus.RUNNING)
        self.close_button.setVisible(not shown.runs)
        self.copy.setVisible(not shown.runs)
        self.fault.set_text(shown.sentence, "error")
        self._fault_line.setVisible(bool(shown.sentence))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(derive_report(self._import))

    def _build(self) -> None:
        self.add_action(self.cancel)
        self.add_action(self.close_button)
        track = QVBoxLayout()
        track.setContentsMargins(12, 0, 12, 0)
        track.addWidget(self.bar)
        reason = QVBoxLayout(self._fault_line)
        reason.setContentsMargins(12, 8, 12, 8)
        reason.addWidget(self.fault)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 10, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(self.tally, 1)
        foot.addWidget(self.copy)
        self.body.setSpacing(0)
        self.body.addLayout(track)
        self.body.addWidget(divider())
        self.body.addWidget(self._fault_line)
        self.body.addWidget(self.files, 1)
        self.body.addLayout(foot)
