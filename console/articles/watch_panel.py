"""The watched folder on the page: a line that is always true, and on demand what came of each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from console.articles.file_list import FileList
from console.articles.watch_shown import derive_watch_files, derive_watch_tally, folder_text
from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.cards import Card, Panel
from console.widgets.label import Label, divider
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtWidgets import QWidget

    from console.articles.watch_shown import WatchLineShown
    from console.theme.style import Theme
    from knowledge.watching_state import WatchState


class WatchLine(Card):
    """`files_asked()` when a person wants to see the files."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self._icon = Icon(theme, "folder", "text-2", 15)
        self.words = Paragraph(theme, px=12, line=17)
        self.show_files = Button(theme, "Show its files", "link", small=True)
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self.words, 1)
        row.addWidget(self.show_files)
        self.body.addLayout(row)

    def show_line(self, shown: WatchLineShown, *, open_: bool) -> None:
        self._icon.set_icon(shown.icon, shown.color)
        self.words.set_text(shown.text, "text-2")
        self.show_files.setText("Hide its files" if open_ else "Show its files")


class WatchPanel(Panel):
    """`opened(article id)` for a file whose article is to be looked at."""

    opened = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Watched folder", padding=0, ruled=True, parent=parent)
        self.files = FileList(theme, "Files of the watched folder")
        self.tally = Label("", "small", wrap=True)
        self.again = Button(theme, "Try the refused again", icon="refresh", small=True)
        self.end = Button(theme, "Stop watching", small=True)
        self.close_button = IconButton(theme, "close", "Hide the files", px=14)
        self.end.setToolTip("The articles stay; files are no longer taken in.")
        self._build()
        self.files.opened.connect(self.opened)

    def show_watch(self, state: WatchState, known: Collection[str]) -> None:
        self.set_unit(folder_text(state.folder) if state.folder else "")
        self.files.set_files(derive_watch_files(state, known))
        self.tally.setText(derive_watch_tally(state))
        self.again.setVisible(state.refused > 0)

    def _build(self) -> None:
        self.add_action(self.end)
        self.add_action(self.close_button)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(self.tally, 1)
        foot.addWidget(self.again)
        self.body.setSpacing(0)
        self.body.addWidget(self.files, 1)
        self.body.addWidget(divider())
        self.body.addLayout(foot)
