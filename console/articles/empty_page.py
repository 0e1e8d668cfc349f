"""The page before the first article: where to drop files, and what can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from console.articles.table_shown import NO_ARTICLES
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Card, DashedCard
from console.widgets.label import Label
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from console.theme.style import Theme

UNTIL: Final = (
    "Until there is an article the bot answers every help question with “I do not know” and what to do next. "
    "Orders are answered without articles."
)
READABLE: Final = (
    ("Markdown, MDX", "headings become chunk borders, front matter becomes details"),
    ("HTML", "the page without the site around it; hidden text is left out and told"),
    ("PDF, Word", "text, headings and tables; a scan or a locked file is refused"),
    ("CSV", "a column of questions and one of answers: each pair a section"),
    ("Plain text", "in any encoding, which is told"),
    ("Folder, zip", "every file gets its own row: what happened and why"),
)
WIDTH: Final = 560


class EmptyPage(QWidget):
    folder_asked = Signal()
    files_asked = Signal()
    watch_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = PageHeader("Articles")
        self.add = Button(theme, "Import", icon="import")
        self.new = Button(theme, "New article", icon="plus")
        self.add_folder = Button(theme, "Add a folder…", "primary", "folder")
        self.add_files = Button(theme, "Add files…", icon="import")
        self.watch_folder = Button(theme, "Watch a folder…", icon="refresh")
        self.watch_folder.clicked.connect(self.watch_asked)
        self.add_folder.clicked.connect(self.folder_asked)
        self.add_files.clicked.connect(self.files_asked)
        frame = DashedCard(theme, padding=16)
        for action in (self.add, self.new):
            self.header.add_action(action)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        outer = QVBoxLayout()
        outer.setContentsMargins(16, 16, 16, 16)
        outer.addWidget(frame)
        whole.addLayout(outer, 1)
        middle = Qt.AlignmentFlag.AlignHCenter
        column = frame.body
        column.setSpacing(0)
        column.addStretch(3)
        column.addWidget(Icon(theme, "articles", "text-3", 40), 0, middle)
        column.addSpacing(14)
        column.addWidget(Label(NO_ARTICLES, "title"), 0, middle)
        column.addSpacing(8)
        column.addLayout(self._build_until())
        column.addSpacing(20)
        column.addLayout(self._build_actions())
        column.addSpacing(36)
        column.addWidget(self._build_readable(), 0, middle)
        column.addStretch(5)

    def _build_until(self) -> QHBoxLayout:
        until = Label(UNTIL, "body-2", wrap=True)
        until.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        until.setFixedWidth(WIDTH - 24)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(until)
        row.addStretch(1)
        return row

    def _build_actions(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.add_folder)
        row.addWidget(self.add_files)
        row.addWidget(self.watch_folder)
        row.addStretch(1)
        return row

    def _build_readable(self) -> Card:
        card = Card(padding=16)
        card.setFixedWidth(WIDTH)
        card.body.setContentsMargins(16, 10, 16, 12)
        card.body.addWidget(Label("What can be read", "section"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(1, 1)
        for row, (kind, what) in enumerate(READABLE):
            grid.addWidget(Label(kind, "small-strong"), row, 0)
            grid.addWidget(Label(what, "small"), row, 1)
            grid.setRowMinimumHeight(row, 24)
        card.body.addLayout(grid)
        return card
