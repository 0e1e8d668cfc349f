"""The pane at the right: one article, what is true of it, its text and its chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from console.articles.article_shown import derive_chunks, derive_facts
from console.articles.article_text import ArticleTextView
from console.articles.chunk_list import ChunkList
from console.articles.facts_grid import FactsGrid
from console.articles.questions_panel import QuestionsPanel
from console.articles.questions_shown import derive_questions, derive_verdict
from console.articles.receipt_card import ReceiptCard
from console.articles.versions_panel import VersionsPanel
from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.empty_state import EmptyState
from console.widgets.label import ElidedLabel, Label, divider
from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.articles.articles_state import ArticlesState
    from console.articles.detail_calls import Detail
    from console.theme.style import Theme
    from knowledge.article import Article

TEXT, CHUNKS, QUESTIONS, VERSIONS = range(4)
NOTHING_PAGE, ARTICLE_PAGE, RECEIPT_PAGE = range(3)
NOTHING: Final = "Choose an article to read its text and its chunks."


class ArticlePane(QFrame):
    """`edit_asked` = edit it, `service_asked` = retire it or publish it again, `delete_asked` = delete it,
    `restore_asked(number)` = publish that version again."""

    edit_asked = Signal()
    service_asked = Signal()
    delete_asked = Signal()
    restore_asked = Signal(int)

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("fill", "surface")
        self.title = ElidedLabel("", "title")
        self.edit = Button(theme, "Edit", icon="edit")
        self.service = Button(theme, "Retire")
        self.delete = IconButton(theme, "trash", "Delete the article", box=28)
        self.facts = FactsGrid(theme)
        self.tabs = QTabBar()
        self.text = ArticleTextView(theme)
        self.chunks = ChunkList(theme)
        self.questions = QuestionsPanel(theme)
        self.versions = VersionsPanel(theme)
        self.receipt = ReceiptCard(theme, zone)
        self.verdict = Label("", "small")
        self.verdict_icon = Icon(theme, "ok", "ok", 15)
        self.compare = Button(theme, "Compare with the version before", icon="history", small=True)
        self._foot = QFrame()
        self._content = QStackedWidget()
        self._stack = QStackedWidget()
        self._shows: object = None
        self._build(theme)
        self.edit.clicked.connect(self.edit_asked)
        self.service.clicked.connect(self.service_asked)
        self.delete.clicked.connect(self.delete_asked)
        self.tabs.currentChanged.connect(self._content.setCurrentIndex)
        self.versions.restore_asked.connect(self.restore_asked)
        self.compare.clicked.connect(self._compare)
        self.tabs.setCurrentIndex(CHUNKS)

    def show_state(self, state: ArticlesState, now: datetime, zone: tzinfo) -> None:
        article = state.article
        shows = (article, state.detail, state.doing, state.receipt, now.astimezone(zone).date())
        if shows == self._shows:
            return
        self._shows = shows
        if article is None and state.receipt is not None:
            self.receipt.show_receipt(state.receipt)
            self._stack.setCurrentIndex(RECEIPT_PAGE)
        else:
            self._stack.setCurrentIndex(NOTHING_PAGE if article is None else ARTICLE_PAGE)
        if article is None or state.shelf is None:
            return
        self.title.setText(article.text.title)
        self._show_service(article, state.doing)
        self.facts.show_facts(derive_facts(article, state.shelf.tenants, now, zone))
        self.text.show_body(article.text.body)
        if state.detail is not None:  # what was there before stays for the moment that reading takes
            self._show_detail(article, state.detail, now, zone, busy=bool(state.doing))

    def _show_detail(self, article: Article, detail: Detail, now: datetime, zone: tzinfo, *, busy: bool) -> None:
        for place, name, number in (
            (CHUNKS, "Chunks", len(detail.chunks)),
            (QUESTIONS, "Questions", len(detail.questions)),
            (VERSIONS, "Versions", len(detail.versions)),
        ):
            self.tabs.setTabText(place, f"{name} {number:,}")
        self.chunks.show_chunks(derive_chunks(article, detail.chunks))
        self.questions.show_questions(derive_questions(detail))
        self.versions.show_versions(article, detail.versions, now, zone, busy=busy)
        verdict, all_found = derive_verdict(detail)
        self.verdict.setText(verdict)
        self.verdict_icon.set_icon(*(("ok", "ok") if all_found else ("warning", "warn")))
        self.verdict_icon.setVisible(bool(verdict))
        self.compare.setVisible(len(detail.versions) > 1)
        self._foot.setVisible(bool(verdict) or len(detail.versions) > 1)

    @Slot(int)
    def reveal(self, start: int) -> None:
        """Show the chunk that begins at `start` of the article's body."""
        self.tabs.setCurrentIndex(CHUNKS)
        self.chunks.reveal(start)

    @Slot()
    def _compare(self) -> None:
        self.versions.compare_with_last()
        self.tabs.setCurrentIndex(VERSIONS)

    def _show_service(self, article: Article, doing: str) -> None:
        in_service = article.status is ArticleStatus.PUBLISHED
        again = "Publish again" if article.status is ArticleStatus.RETIRED else "Publish"
        self.service.setText(doing or ("Retire" if in_service else again))
        self.service.setEnabled(not doing)
        self.edit.setEnabled(not doing)
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
        column.addWidget(self._build_foot())
        self._stack.addWidget(self.receipt)

    def _build_header(self) -> QFrame:
        header = QFrame()
        header.setFixedHeight(48)
        header.setProperty("edge", "bottom")
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1)
        row.addWidget(self.edit)
        row.addWidget(self.service)
        row.addWidget(self.delete)
        return header

    def _build_foot(self) -> QFrame:
        self._foot.setFixedHeight(44)
        self._foot.setProperty("edge", "top")
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(6)
        row.addWidget(self.verdict_icon)
        row.addWidget(self.verdict)
        row.addStretch(1)
        row.addWidget(self.compare)
        return self._foot

    def _build_tabs(self) -> QHBoxLayout:
        self.tabs.setAccessibleName("Parts of the article")
        self.tabs.setExpanding(False)
        parts = (
            ("Text", self.text),
            ("Chunks", self.chunks),
            ("Questions", self.questions),
            ("Versions", self.versions),
        )
        for name, widget in parts:
            self.tabs.addTab(name)
            self._content.addWidget(widget)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        return row
