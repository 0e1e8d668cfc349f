"""The chat page: conversations, the transcript with its composer, and the inspector or the source beside it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from console.chat.composer import Composer
from console.chat.conversations import Conversations
from console.chat.message_shown import derive_released
from console.chat.presenter import ChatPresenter
from console.chat.side import SidePane
from console.chat.thread_header import NoEngineLine, ThreadHeader
from console.chat.tracked import source_of
from console.chat.transcript import Transcript
from console.widgets.label import divider
from engine_host.answering.event_json import event_to_json

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from console.page_context import PageContext

TICK_MS: Final = 100
NARROW: Final = 1320
"""Under this width of the page the side panes give way: 224 and 320 instead of 256 and 368."""


class ChatPage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.presenter = ChatPresenter(context, self)
        theme, zone = context.theme, context.zone
        self.conversations = Conversations(theme, zone)
        self.header = ThreadHeader(theme)
        self.transcript = Transcript(theme, zone)
        self.no_engine = NoEngineLine(theme)
        self.composer = Composer(theme)
        self.side = SidePane(context)
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(self._tick)
        self._build_layout()
        self._connect_person()
        self._connect_presenter()
        self._build_shortcuts()
        self._show_thread()
        self._show_engine()

    def page_shown(self) -> None:
        self.presenter.open()
        self.presenter.acting.watch(on=True)
        self._clock.start()
        self.composer.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def page_hidden(self) -> None:
        self.presenter.acting.watch(on=False)
        self._clock.stop()

    def notice_lift(self) -> int:
        """Notices keep off the composer and the line above it."""
        return self.height() - self._foot.geometry().top() - self._foot.contentsMargins().top()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self.conversations.setFixedWidth(224 if narrow else 256)
        self.side.setMinimumWidth(320 if narrow else 368)
        if not self.side.isHidden() and event.oldSize().width() != self.width():
            side = 320 if narrow else 368
            self._split.setSizes([self.width() - self.conversations.width() - side, side])

    # Building

    def _build_layout(self) -> None:
        middle = QWidget()
        middle.setProperty("fill", "surface")
        middle.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.transcript, 1)
        self._foot = foot = QVBoxLayout()
        foot.setContentsMargins(16, 8, 16, 16)
        foot.setSpacing(8)
        foot.addWidget(self.no_engine)
        foot.addWidget(self.composer)
        column.addLayout(foot)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(middle)
        self._split.addWidget(self.side)
        self._split.setStretchFactor(0, 1)
        middle.setMinimumWidth(440)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.conversations)
        row.addWidget(divider("down"))
        row.addWidget(self._split, 1)

    def _build_shortcuts(self) -> None:
        for keys, slot in (("Ctrl+I", self.side.toggle_inspector), ("Esc", self._escape), ("Ctrl+N", self._begin)):
            shortcut = QShortcut(QKeySequence(keys), self, slot)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _connect_person(self) -> None:
        presenter = self.presenter
        self.conversations.picked.connect(presenter.show)
        self.conversations.searched.connect(presenter.listing.look_for)
        self.conversations.segment_chosen.connect(presenter.listing.choose_segment)
        self.conversations.new_asked.connect(self._begin)
        self.header.flag_asked.connect(presenter.flag)
        self.transcript.picked.connect(presenter.pick)
        self.transcript.acted.connect(self._act)
        self.transcript.cited.connect(self._open_source)
        self.composer.sent.connect(self._send)
        self.composer.stopped.connect(presenter.stop)
        self.composer.edited.connect(presenter.keep_draft)
        self.composer.identity_chosen.connect(presenter.act_as)
        self.composer.language_chosen.connect(presenter.acting.choose_language)
        self.side.inspector.copied.connect(self._copy_events)
        self.no_engine.followed.connect(partial(self._context.go_to, "engine"))

    def _connect_presenter(self) -> None:
        presenter = self.presenter
        presenter.listing.changed.connect(self._show_list)
        presenter.acting.changed.connect(self._show_acting)
        presenter.thread_changed.connect(self._show_thread)
        presenter.header_changed.connect(self._show_header)
        presenter.turns_changed.connect(self._show_turns)
        presenter.picked_changed.connect(self._show_picked)
        presenter.peers.changed.connect(self._show_picked)
        presenter.engine_changed.connect(self._show_engine)
        self.side.failed.connect(presenter.tell)

    # Showing

    @Slot()
    def _show_list(self) -> None:
        listing = self.presenter.listing
        tenants = {tenant.tenant_id: tenant for tenant in self.presenter.acting.state.people.tenants}
        self.conversations.show_list(listing.found, tenants, datetime.now(UTC))
        self.conversations.mark(self.presenter.shown.conversation_id)

    @Slot()
    def _show_acting(self) -> None:
        self.composer.show_acting(self.presenter.acting.state, datetime.now(UTC))
        self._show_header()

    @Slot()
    def _show_thread(self) -> None:
        thread = self.presenter.shown
        self.transcript.show_thread(thread.turns, self._picked_key(), self._elapsed())
        self.composer.show_draft(self.presenter.draft)
        self.conversations.mark(thread.conversation_id)
        self.side.close_source()
        self._show_acting()
        self._show_turns()

    @Slot()
    def _show_turns(self) -> None:
        self.transcript.show_turns(self.presenter.shown.turns, self._picked_key(), self._elapsed())
        self.composer.show_running(running=self.presenter.asking is not None)
        self._show_header()
        self._show_picked()

    @Slot()
    def _show_header(self) -> None:
        self.header.show_thread(self.presenter.shown, self.presenter.acting.state)

    @Slot()
    def _show_picked(self) -> None:
        thread = self.presenter.shown
        turn = thread.picked_turn
        self.transcript.mark(self._picked_key())
        place = f"Turn {thread.turns.index(turn) + 1} of {len(thread.turns)}" if turn else "Turn"
        self.side.inspector.show_turn(turn, place, self.presenter.peers.of(turn) if turn else None)

    @Slot()
    def _show_engine(self) -> None:
        self.no_engine.setVisible(not self.presenter.engine_can_answer)

    def _picked_key(self) -> str:
        turn = self.presenter.shown.picked_turn
        return turn.key if turn else ""

    def _elapsed(self) -> float | None:
        asking = self.presenter.asking
        return asking.elapsed_s if asking else None

    @Slot()
    def _tick(self) -> None:
        elapsed = self._elapsed()
        if elapsed is not None:
            self.transcript.show_time(elapsed)

    # What a person does

    @Slot(str)
    def _send(self, text: str) -> None:
        if self.presenter.send(text):
            self.composer.show_draft("")

    @Slot()
    def _begin(self) -> None:
        self.presenter.begin()
        self.composer.box.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str, str)
    def _act(self, turn_key: str, action: str) -> None:
        turn = self.presenter.shown.turn(turn_key)
        if turn is None:
            return
        if action == "copy":
            QGuiApplication.clipboard().setText(derive_released(turn))
        else:
            self.presenter.rate(turn_key, 1 if action == "up" else -1)

    @Slot()
    def _copy_events(self) -> None:
        turn = self.presenter.shown.picked_turn
        if turn is not None:
            events = [event_to_json(event) for event in turn.events]
            QGuiApplication.clipboard().setText(json.dumps(events, ensure_ascii=False, indent=2))

    @Slot(str, int)
    def _open_source(self, turn_key: str, number: int) -> None:
        turn = self.presenter.shown.turn(turn_key)
        passage = source_of(turn, number) if turn else None
        if passage is not None:
            self.presenter.pick(turn_key)
            self.side.open_source(passage)

    @Slot()
    def _escape(self) -> None:
        if self.side.shows_source:
            self.side.close_source()
        else:
            self.presenter.stop()
