"""The pane at the right: one article, what is true of it, its text and its chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from console.articles.article_shown import derive_chunks, derive_facts
from console.articles.article_text import ArticleTextView
from console.articles.chunk_list import ChunkList
from console.articles.facts_grid import FactsGrid
from console.widgets.buttons import Button, IconButton
from console.widgets.empty_state import EmptyState
from console.widgets.label import ElidedLabel, divider
from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.articles.presenter import ArticlesState
    from console.theme.style import Theme
    from knowledge.article import Article

TEXT, CHUNKS = 0, 1
NOTHING: Final = "Choose an article to read its text and its chunks."


class ArticlePane(QFrame):
    """`service_asked` = retire it or publish it again, `delete_asked` = delete it."""

    service_asked = Signal()
    delete_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("fill", "surface")
        self.title = ElidedLabel("", "title")
        self.service = Button(theme, "Retire")
        self.delete = IconButton(theme, "trash", "Delete the article", box=28)
        self.facts = FactsGrid(theme)
        self.tabs = QTabBar()
        self.text = ArticleTextView(theme)
        self.chunks = ChunkList(theme)
        self._content = QStackedWidget()
        self._stack = QStackedWidget()
        self._build(theme)
        self.service.clicked.connect(self.service_asked)
        self.delete.clicked.connect(self.delete_asked)
        self.tabs.currentChanged.connect(self._content.setCurrentIndex)
        self.tabs.setCurrentIndex(CHUNKS)

    def show_state(self, state: ArticlesState, now: datetime, zone: tzinfo) -> None:
        article = state.article
        self._stack.setCurrentIndex(0 if article is None else 1)
        if article is None or state.shelf is None:
            return
        self.title.setText(article.text.title)
        self._show_service(article, state.doing)
        self.facts.show_facts(derive_facts(article, state.shelf.tenants, now, zone))
        self.text.show_body(article.text.body)
        if state.chunks is None:
            return  # the ones before stay for the moment that reading takes
        self.tabs.setTabText(CHUNKS, f"Chunks {len(state.chunks):,}")
        self.chunks.show_chunks(derive_chunks(article, state.chunks))

    @Slot(int)
    def reveal(self, start: int) -> None:
        """Show the chunk that begins at `start` of the article's body."""
        self.tabs.setCurrentIndex(CHUNKS)
        self.chunks.reveal(start)

    def _show_service(self, article: Article, doing: str) -> None:
        in_service = article.status is ArticleStatus.PUBLISHED
        again = "Publish again" if article.status is ArticleStatus.RETIRED else "Publish"
        self.service.setText(doing or ("Retire" if in_service else again))
        self.service.setEnabled(not doing)
        self.delete.setEnabled(not doing)

    def _build(self, theme: Theme) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)
        self._stack.addWidget(EmptyState(theme, NOTHING, icon="articles"))
        page = QWidget()
        self._stack.addWidget(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._build_header())
        column.addWidget(self.facts)
        column.addWidget(divider())
        column.addLayout(self._build_tabs())
        column.addWidget(divider())
        column.addWidget(self._content, 1)

    def _build_header(self) -> QFrame:
        header = QFrame()
        header.setFixedHeight(48)
        header.setProperty("edge", "bottom")
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1)
        row.addWidget(self.service)
        row.addWidget(self.delete)
        return header

    def _build_tabs(self) -> QHBoxLayout:
        self.tabs.setAccessibleName("Parts of the article")
        self.tabs.setExpanding(False)
        for name, widget in (("Text", self.text), ("Chunks", self.chunks)):
            self.tabs.addTab(name)
            self._content.addWidget(widget)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        return row
