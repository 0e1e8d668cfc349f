"""The right pane: the inspector, or in its place the article behind a citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from console.chat.inspector import Inspector
from console.chat.known_asking import KnownAsking
from console.chat.source_pane import SourceDesk, SourcePane
from console.chat.source_shown import SourceShown

if TYPE_CHECKING:
    from console.page_context import PageContext
    from knowledge.article import Passage


class SidePane(QStackedWidget):
    """A closed inspector stays closed after an article was looked at. `failed(error)` with a sentence."""

    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        max_age_s = context.house.settings.orders.statement_max_age_s
        self.inspector = Inspector(context.theme, context.zone, max_age_s)
        self.source = SourcePane(context.theme)
        self._desk = SourceDesk(context, self)
        self._known = KnownAsking(context, self)
        self._wants_inspector = True
        self.addWidget(self.inspector)
        self.addWidget(self.source)
        self.inspector.closed.connect(self.toggle_inspector)
        self.source.closed.connect(self.close_source)
        self._desk.found.connect(self._have_source)
        self._desk.failed.connect(self.failed)
        self.inspector.known_asked.connect(self._known.make_known)
        self._known.failed.connect(self.failed)

    @property
    def shows_source(self) -> bool:
        return self.currentWidget() is self.source

    def open_source(self, passage: Passage) -> None:
        self._desk.open(passage)

    @Slot()
    def close_source(self) -> None:
        self.setCurrentWidget(self.inspector)
        self.setVisible(self._wants_inspector)

    @Slot()
    def toggle_inspector(self) -> None:
        showing = not self.isHidden() and not self.shows_source
        self._wants_inspector = not showing
        self.close_source()

    @Slot(object)
    def _have_source(self, shown: object) -> None:
        if isinstance(shown, SourceShown):
            self.setCurrentWidget(self.source)
            self.setVisible(True)
            self.source.show_source(shown)
            self.source.text.setFocus(Qt.FocusReason.OtherFocusReason)
