"""The editor: an article's details and Markdown at the left, what becomes of it at the right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from console.articles.allowing import allow
from console.articles.article_shown import derive_cut
from console.articles.article_text import ArticleTextView
from console.articles.chunk_list import ChunkList
from console.articles.details_form import DetailsForm
from console.articles.editor_shown import (
    BUSY,
    UNCHANGED,
    Typed,
    derive_faults,
    derive_hindrance,
    derive_kept,
    derive_state_line,
    line_series,
)
from console.articles.leave_dialog import LeaveDialog
from console.articles.markdown_edit import MarkdownEdit
from console.widgets.buttons import Button
from console.widgets.label import Label, divider
from console.widgets.page_header import PageHeader
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.articles.editing import EditDesk
    from console.articles.editor_shown import Editing
    from console.articles.table_shown import Shelf
    from console.theme.style import Theme

PREVIEW, CHUNKS = 0, 1
SIDE_PX: Final = 500


class EditorView(QWidget):
    def __init__(self, theme: Theme, desk: EditDesk, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._desk, self._zone = theme, desk, zone
        self.header = PageHeader("Edit")
        self.kept = Label("", "small", "text-3")
        self.close_button = Button(theme, "Close", "quiet")
        self.discard = Button(theme, "Discard draft", "quiet")
        self.save = Button(theme, "Save draft")
        self.publish = Button(theme, "Publish", "primary", "check")
        self.form = DetailsForm(theme)
        self.text = MarkdownEdit(theme)
        self.fault = Paragraph(theme, px=12, line=17)
        self._fault_line = QWidget()
        self.tabs = QTabBar()
        self.preview = ArticleTextView(theme)
        self.chunks = ChunkList(theme)
        self._content = QStackedWidget()
        self.dialog: LeaveDialog | None = None
        self._build()
        self._connect()

    def offer(self, shelf: Shelf) -> None:
        self.form.offer(shelf)

    # Showing

    @Slot()
    def _open(self) -> None:
        state = self._desk.state
        if state is None:
            return
        self.form.show_typed(state.typed)
        self.text.blockSignals(True)
        self.text.setPlainText(state.typed.body)
        self.text.blockSignals(False)
        self.header.set_title(state.article.text.title if state.article else "New article")
        self.tabs.setCurrentIndex(CHUNKS)
        (self.text if state.article else self.form.title).setFocus()

    @Slot()
    def _show(self) -> None:
        state = self._desk.state
        if state is None:
            return
        self.header.set_truth(derive_state_line(article=state.article, from_draft=state.has_draft))
        self.kept.setText(derive_kept(state, self._zone))
        self._show_actions(state)
        faults = derive_faults(state.typed)
        self.form.show_faults({} if state.typed.is_blank else faults)
        said = state.fault or ("" if state.typed.is_blank else faults.get("body", ""))
        self.fault.set_text(said, "error")
        self._fault_line.setVisible(bool(said))
        self.preview.show_body(state.typed.body, keep_place=True)
        shown = derive_cut(state.cut)
        self.tabs.setTabText(CHUNKS, f"Chunks {len(shown.chunks):,}")
        self.chunks.show_chunks(shown, keep_place=True)
        self.text.set_series(line_series(state.typed.body, state.cut.chunks))

    def _show_actions(self, state: Editing) -> None:
        self.publish.setText("Publishing…" if state.doing.startswith("Publishing") else "Publish")
        allow(self.publish, derive_hindrance(state))
        allow(self.save, UNCHANGED if state.is_kept else BUSY if state.keeping or state.doing else "")
        self.discard.setVisible(state.can_discard)
        for control in (self.form, self.text, self.discard, self.close_button):
            control.setEnabled(not state.doing)

    # What a person does

    @Slot()
    def _typed(self) -> None:
        typed: Typed = replace(self.form.typed, body=self.text.toPlainText())
        self._desk.type(typed)

    @Slot()
    def _ask_to_lose(self) -> None:
        state = self._desk.state
        if state is None or self.dialog is not None:
            return
        self.dialog = LeaveDialog(self._theme, state.fault, self)
        self.dialog.accepted.connect(self._desk.abandon)
        self.dialog.finished.connect(self._asked)
        self.dialog.open()

    @Slot()
    def _asked(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    @Slot(int)
    def _go_to(self, start: int) -> None:
        self.text.go_to(start)

    # Building

    def _build(self) -> None:
        self.header.add_action(self.kept)
        for button in (self.close_button, self.discard, self.save, self.publish):
            self.header.add_action(button)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self._build_left())
        split.addWidget(self._build_right())
        split.setStretchFactor(0, 1)
        split.setSizes([884, SIDE_PX])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(split, 1)

    def _build_left(self) -> QFrame:
        left = QFrame()
        left.setMinimumWidth(560)
        left.setProperty("fill", "surface")
        reason = QVBoxLayout(self._fault_line)
        reason.setContentsMargins(16, 8, 16, 8)
        reason.addWidget(self.fault)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.form)
        column.addWidget(divider())
        column.addWidget(self._fault_line)
        column.addWidget(self.text, 1)
        return left

    def _build_right(self) -> QFrame:
        right = QFrame()
        right.setMinimumWidth(320)
        right.setProperty("fill", "surface")
        self.tabs.setAccessibleName("What becomes of the text")
        self.tabs.setExpanding(False)
        for name, widget in (("Preview", self.preview), ("Chunks", self.chunks)):
            self.tabs.addTab(name)
            self._content.addWidget(widget)
        head = QVBoxLayout()
        head.setContentsMargins(16, 0, 16, 0)
        head.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(divider())
        column.addWidget(self._content, 1)
        return right

    def _connect(self) -> None:
        desk = self._desk
        desk.opened.connect(self._open)
        desk.changed.connect(self._show)
        desk.stuck.connect(self._ask_to_lose)
        self.form.edited.connect(self._typed)
        self.text.textChanged.connect(self._typed)
        self.chunks.chosen.connect(self._go_to)
        self.tabs.currentChanged.connect(self._content.setCurrentIndex)
        self.close_button.clicked.connect(desk.leave)
        self.discard.clicked.connect(desk.discard)
        self.save.clicked.connect(desk.keep)
        self.publish.clicked.connect(desk.publish)
        for keys, act in (("Ctrl+S", desk.keep), ("Ctrl+Return", desk.publish), ("Esc", desk.leave)):
            QShortcut(QKeySequence(keys), self, act, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
