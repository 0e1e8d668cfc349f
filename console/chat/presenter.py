"""What a person does on the chat page, and the frozen state that the page shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal, cast
from uuid import uuid4

from PySide6.QtCore import QObject, Signal, Slot

from console.chat.acting import ActingDesk
from console.chat.asking import Asking
from console.chat.ledger_calls import Asked, flag, rate, read_turns
from console.chat.listing import ListingDesk
from console.chat.peers import PeersDesk
from console.chat.threads import ThreadBook
from console.chat.tracked import TrackedTurn
from console.chat.unmapped_watch import UnmappedWatch
from console.widgets.notices import Notice
from engine_host.answering.events import Ended, Opened

if TYPE_CHECKING:
    from console.chat.threads import Thread
    from console.page_context import PageContext
    from engine_host.answering.events import TurnEvent
    from storage.records import Conversation, Turn

NOT_BEGUN = "This turn was stopped before it began. Ask again."


class ChatPresenter(QObject):
    """Signals say what to show anew: `thread_changed` another conversation, `header_changed` only its header,
    `turns_changed` its turns, `picked_changed` which turn is looked at, `engine_changed` whether one can answer."""

    thread_changed = Signal()
    header_changed = Signal()
    turns_changed = Signal()
    picked_changed = Signal()
    engine_changed = Signal()

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._book = ThreadBook()
        self._askings: dict[str, Asking] = {}
        self._drafts: dict[str, str] = {}
        self._unmapped = UnmappedWatch(context.notify)
        self.acting = ActingDesk(context, self)
        self.listing = ListingDesk(context, self)
        self.peers = PeersDesk(context, self)
        for desk in (self.acting, self.listing, self.peers):
            desk.failed.connect(self.tell)
        self._answering = context.bridge.mirror(context.house.answering)
        self._answering.changed.connect(self.engine_changed)

    # What is shown

    @property
    def shown(self) -> Thread:
        return self._book.shown

    @property
    def asking(self) -> Asking | None:
        """The question that is on its way in the conversation shown."""
        return self._askings.get(self._book.current)

    @property
    def engine_can_answer(self) -> bool:
        """Whether any engine of the pool can."""
        return bool(self._answering.value)

    @property
    def draft(self) -> str:
        return self._drafts.get(self._book.current, "")

    # What a person does

    def open(self) -> None:
        """Read everything again that others may have changed."""
        self.acting.load()
        self.listing.refresh()

    def keep_draft(self, text: str) -> None:
        self._drafts[self._book.current] = text

    def show(self, conversation_id: str) -> None:
        """Show a conversation of the list, as the ledger has it now."""
        conversation = self.listing.conversation(conversation_id)
        if conversation is None or conversation_id == self.shown.conversation_id:
            return
        self._book.current = self._book.key_of(conversation)
        self.acting.become(self.shown.tenant_id, self.shown.customer_id)
        self._read(self._book.current)
        self.thread_changed.emit()

    def begin(self) -> None:
        """A new conversation as whoever is chosen; an empty one that is shown already stays."""
        if self.shown.turns or self.shown.conversation_id is not None:
            acting = self.acting.state
            self._book.current = self._book.begin(acting.tenant_id, acting.customer_id, acting.customer_name)
            self.thread_changed.emit()

    def act_as(self, tenant_id: str, customer_id: str) -> None:
        """Someone else asks: that is another conversation, and the draft goes along."""
        if not self.acting.become(tenant_id, customer_id):
            return
        draft, acting = self.draft, self.acting.state
        if self.shown.turns or self.shown.conversation_id is not None:
            self._drafts.pop(self._book.current, None)
            self.begin()
            self.keep_draft(draft)
        else:
            who = {"customer_id": acting.customer_id, "customer_name": acting.customer_name}
            self._book.put(replace(self.shown, tenant_id=acting.tenant_id, **who))
        self.thread_changed.emit()

    def send(self, text: str) -> bool:
        """Ask; False when there is nothing to ask or this conversation still waits for an answer."""
        acting = self.acting.state
        if not text.strip() or not acting.tenant_id or self.asking is not None:
            return False
        key = self._book.current
        thread = replace(
            self.shown,
            tenant_id=acting.tenant_id,
            customer_id=acting.customer_id,
            customer_name=self.shown.customer_name or acting.customer_name,
        )
        turn = TrackedTurn(uuid4().hex, text.strip(), datetime.now(UTC), thread.customer_name, running=True)
        self._book.put(replace(thread, turns=(*thread.turns, turn), picked=None))
        self._drafts.pop(key, None)
        self._start(key, turn, thread)
        self.turns_changed.emit()
        self.picked_changed.emit()
        return True

    def stop(self) -> None:
        """Stop the answer of the conversation shown, and with it what the engine writes for it."""
        asking = self.asking
        if asking is not None:
            self._book.change_turn(self._book.current, asking.turn_key, lambda turn: replace(turn, stopping=True))
            asking.stop()
            self.turns_changed.emit()

    def pick(self, turn_key: str) -> None:
        if self.shown.turn(turn_key) is not None and turn_key != self.shown.picked:
            self._book.put(replace(self.shown, picked=turn_key))
            self.picked_changed.emit()

    def rate(self, turn_key: str, thumb: Literal[-1, 1]) -> None:
        """A thumb; the same one again takes it back."""
        key, turn = self._book.current, self.shown.turn(turn_key)
        if turn is None or turn.turn_id is None:
            return
        feedback = 0 if turn.feedback == thumb else thumb
        work = partial(rate, self._context.house, turn.turn_id, feedback)
        call = self._context.bridge.submit(work, "thumb")
        call.done.connect(partial(self._rated, key, turn_key))
        call.failed.connect(self.tell)

    def flag(self) -> None:
        """Put the conversation on the review list, or take it off."""
        thread = self.shown
        if thread.conversation_id is not None:
            work = partial(flag, self._context.house, thread.conversation_id, not thread.flagged)
            call = self._context.bridge.submit(work, "flag")
            call.done.connect(partial(self._flagged, thread.key))
            call.failed.connect(self.tell)

    # What comes back

    def _start(self, key: str, turn: TrackedTurn, thread: Thread) -> None:
        acting = self.acting.state
        asked = Asked(
            text=turn.question,
            tenant_id=acting.tenant_id,
            customer_id=acting.customer_id,
            customer_name=thread.customer_name,
            language=acting.language,
            conversation_id=thread.conversation_id,
            token=acting.token,
        )
        asking = Asking(self._context, key, turn.key, asked, self)
        asking.advanced.connect(self._advanced)
        asking.over.connect(self._over)
        self._askings[key] = asking

    @Slot(str, str, tuple)
    def _advanced(self, key: str, turn_key: str, events: tuple[object, ...]) -> None:
        self._book.add_events(key, turn_key, cast("tuple[TurnEvent, ...]", events))
        self._unmapped.look(cast("tuple[TurnEvent, ...]", events))
        if any(isinstance(event, Opened | Ended) for event in events):
            self.listing.refresh_soon()
        self._tell(key)

    @Slot(str, str, object)
    def _over(self, key: str, turn_key: str, error: object) -> None:
        self._askings.pop(key).deleteLater()
        fault = str(error) if error is not None else ""
        thread = self._book.change_turn(
            key, turn_key, lambda turn: replace(turn, running=False, stopping=False, fault=fault)
        )
        turn = thread.turn(turn_key)
        if turn is not None and turn.last_of(Ended) is None and not fault:
            self._find_ending(key, turn)
        self.listing.refresh_soon()
        self.peers.forget()
        self._tell(key)

    def _find_ending(self, key: str, turn: TrackedTurn) -> None:
        """A stopped turn tells nothing more itself: the ledger has how it ended."""
        if turn.turn_id is None:
            self._book.change_turn(key, turn.key, lambda own: replace(own, fault=NOT_BEGUN))
        else:
            self._read(key)

    def _read(self, key: str) -> None:
        conversation_id = self._book[key].conversation_id
        if conversation_id is not None:
            work = partial(read_turns, self._context.house, conversation_id)
            call = self._context.bridge.submit(work, "conversation")
            call.done.connect(partial(self._have_turns, key))
            call.failed.connect(self.tell)

    def _have_turns(self, key: str, kept: object) -> None:
        self._book.merge(key, cast("tuple[Turn, ...]", kept))
        self._tell(key)

    def _rated(self, key: str, turn_key: str, kept: object) -> None:
        feedback = cast("Turn", kept).feedback
        self._book.change_turn(key, turn_key, lambda turn: replace(turn, feedback=feedback))
        self.listing.refresh()
        self._tell(key)

    def _flagged(self, key: str, kept: object) -> None:
        self._book.put(replace(self._book[key], flagged=cast("Conversation", kept).flagged))
        self.listing.refresh()
        if key == self._book.current:
            self.header_changed.emit()

    def _tell(self, key: str) -> None:
        if key == self._book.current:
            self.turns_changed.emit()

    @Slot(object)
    def tell(self, error: object) -> None:
        """Show the sentence of an error."""
        self._context.notify(Notice("chat", "error", str(error)))
