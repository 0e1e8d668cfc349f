"""One turn in the transcript: the question, and the bot's message, which only ever grows at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot

from console.chat.blocks import NoteBlock, QuoteBlock
from console.chat.message_shown import (
    Piece,
    SaidNote,
    SaidQuote,
    SaidStatement,
    SaidText,
    SaidWithheld,
    derive_head,
    derive_pieces,
    derive_streaming,
)
from console.chat.tracked import source_name, source_of
from console.chat.words import NOBODY, clock, initials, status_pill
from console.widgets.growing_text import GrowingText
from console.widgets.message import MessageAction, MessageHead, MessageView, TurnFrame
from console.widgets.message_blocks import StatementCard, WithheldBlock

if TYPE_CHECKING:
    from datetime import tzinfo

    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from console.chat.tracked import TrackedTurn
    from console.theme.style import Theme

ACTIONS: Final = (
    MessageAction("up", "thumb-up", "A good answer"),
    MessageAction("down", "thumb-down", "A bad answer: put it on the review list"),
    MessageAction("copy", "copy", "Copy what the customer read"),
)
READ_BY_CODE: Final = "read from the order system, written by code"
MARGIN, WIDEST_TEXT = 20, 760


class TurnItem(TurnFrame):
    """`picked(turn)` on a click, Enter or Space; `acted(turn, action)`; `cited(turn, number)`."""

    picked = Signal(str)
    acted = Signal(str, str)
    cited = Signal(str, int)

    def __init__(self, theme: Theme, turn: TrackedTurn, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._theme = theme
        self._zone = zone
        self._turn = turn
        self._shown: list[Piece] = []
        self._sources: set[int] = set()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name = turn.customer_name or NOBODY
        mark = initials(turn.customer_name) if turn.customer_name else "–"
        self._question = MessageView(theme, MessageHead(name, mark, clock(turn.asked_at, zone)))
        self._question.append_text(turn.question)
        self._answer = MessageView(theme, MessageHead("Dabba bot"), ACTIONS)
        self._answer.acted.connect(self._act)
        self._answer.cited.connect(self._cite)
        self.body.addWidget(self._question)
        self.body.addWidget(self._answer)
        self.clicked.connect(self._pick)
        self._hear(self._question)
        self.show_turn(turn)

    @property
    def key(self) -> str:
        return self._turn.key

    @property
    def turn(self) -> TrackedTurn:
        return self._turn

    def show_turn(self, turn: TrackedTurn, elapsed_s: float | None = None) -> None:
        """Adds what is new. A turn whose earlier pieces differ is another turn: make another item for it."""
        pieces = derive_pieces(turn)
        self._turn = turn
        for piece in pieces[len(self._shown) :]:
            self._add(piece)
            self._shown.append(piece)
        self._question.set_time(clock(turn.asked_at, self._zone))
        self._answer.set_streaming(derive_streaming(turn))
        self._answer.set_action("up", on=turn.feedback > 0)
        self._answer.set_action("down", on=turn.feedback < 0)
        self.show_time(elapsed_s)

    def show_time(self, elapsed_s: float | None) -> None:
        head = derive_head(self._turn, elapsed_s)
        self._answer.set_meta(head.meta, head.meta_tone)
        self._answer.set_time(head.time, head.time_tone)

    def grows_into(self, turn: TrackedTurn) -> bool:
        """Whether `turn` can be shown by adding to what stands here."""
        return turn.key == self.key and list(derive_pieces(turn)[: len(self._shown)]) == self._shown

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._pick()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        rest = self.width() - 2 * MARGIN - WIDEST_TEXT
        self.body.setContentsMargins(MARGIN, 12, MARGIN + max(rest, 0), 12)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Text that can be selected keeps its clicks for itself.
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pick()
        return super().eventFilter(watched, event)

    def _add(self, piece: Piece) -> None:
        match piece:
            case SaidText(text, citations):
                self._answer.append_text(text if citations else f"{text} ")
                for number in citations:
                    self._answer.append_citation(number)
                self._name_sources(citations)
                self._hear(self._answer)
            case SaidQuote(text, citation):
                block = QuoteBlock(self._theme, text, citation)
                block.cited.connect(self._cite)
                self._answer.add_block(block)
                self._name_sources((citation,))
                self._hear(block)
            case SaidStatement(order_id, sentence, status):
                pill, subject = status_pill(status) if status else None, f"Order {order_id}" if order_id else "Orders"
                card = StatementCard(self._theme, subject, READ_BY_CODE, sentence, pill)
                self._answer.add_block(card)
            case SaidWithheld(sentence, reason):
                self._answer.add_block(WithheldBlock(self._theme, sentence, reason))
            case SaidNote(text, is_fault):
                self._answer.add_block(NoteBlock(self._theme, text, is_fault=is_fault))

    def _name_sources(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            passage = source_of(self._turn, number)
            if passage is not None and number not in self._sources:
                self._sources.add(number)
                self._answer.add_source(number, source_name(passage))

    def _hear(self, part: QWidget) -> None:
        texts: list[Any] = part.findChildren(GrowingText)
        for text in texts:
            text.viewport().installEventFilter(self)

    @Slot()
    def _pick(self) -> None:
        self.picked.emit(self.key)

    @Slot(str)
    def _act(self, action: str) -> None:
        self.acted.emit(self.key, action)

    @Slot(int)
    def _cite(self, number: int) -> None:
        self.cited.emit(self.key, number)
