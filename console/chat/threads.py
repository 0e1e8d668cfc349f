"""The conversations that this page holds: frozen threads by their key, and which one is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from console.chat.tracked import from_ledger, with_events
from console.chat.words import NOBODY
from engine_host.answering.events import Opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from console.chat.tracked import TrackedTurn
    from engine_host.answering.events import TurnEvent
    from storage.records import Conversation, Turn


@dataclass(frozen=True, slots=True)
class Thread:
    """`conversation_id` is None until the first turn is in the ledger. `picked` None = the newest turn."""

    key: str
    tenant_id: str = ""
    customer_id: str = ""
    customer_name: str = ""
    conversation_id: str | None = None
    flagged: bool = False
    turns: tuple[TrackedTurn, ...] = ()
    picked: str | None = None

    @property
    def title(self) -> str:
        return self.customer_name or self.customer_id or NOBODY

    @property
    def picked_turn(self) -> TrackedTurn | None:
        chosen = next((turn for turn in self.turns if turn.key == self.picked), None)
        return chosen or (self.turns[-1] if self.turns else None)

    def turn(self, key: str) -> TrackedTurn | None:
        return next((turn for turn in self.turns if turn.key == key), None)


class ThreadBook:
    """Threads by key. A new one has a key of its own until the ledger names its conversation."""

    def __init__(self) -> None:
        self._threads: dict[str, Thread] = {}
        self._new = 0
        self.current = self.begin("", "", "")

    def __getitem__(self, key: str) -> Thread:
        return self._threads[key]

    @property
    def shown(self) -> Thread:
        return self._threads[self.current]

    def begin(self, tenant_id: str, customer_id: str, customer_name: str) -> str:
        """A new, empty thread; returns its key."""
        self._new += 1
        key = f"new {self._new}"
        self._threads[key] = Thread(key, tenant_id, customer_id, customer_name)
        return key

    def key_of(self, conversation: Conversation) -> str:
        """The key of a kept conversation, which is entered here when it was not known yet."""
        for thread in self._threads.values():
            if thread.conversation_id == conversation.conversation_id:
                return thread.key
        key = conversation.conversation_id
        self._threads[key] = Thread(
            key,
            conversation.tenant_id,
            conversation.customer_id or "",
            conversation.customer_name,
            conversation.conversation_id,
            conversation.flagged,
        )
        return key

    def put(self, thread: Thread) -> None:
        self._threads[thread.key] = thread

    def change_turn(self, key: str, turn_key: str, change: Callable[[TrackedTurn], TrackedTurn]) -> Thread:
        thread = self._threads[key]
        turns = tuple(change(turn) if turn.key == turn_key else turn for turn in thread.turns)
        self._threads[key] = replace(thread, turns=turns)
        return self._threads[key]

    def add_events(self, key: str, turn_key: str, events: tuple[TurnEvent, ...]) -> Thread:
        """The thread after more events of one of its turns; Opened names its conversation."""
        thread = self.change_turn(key, turn_key, lambda turn: with_events(turn, events))
        opened = next((event for event in events if isinstance(event, Opened)), None)
        if opened is not None:
            self._threads[key] = replace(thread, conversation_id=opened.conversation_id)
        return self._threads[key]

    def merge(self, key: str, kept: Sequence[Turn]) -> Thread:
        """The thread as the ledger has it; turns that this page has seen itself keep their key."""
        thread = self._threads[key]
        own = {turn.turn_id: turn for turn in thread.turns if turn.turn_id is not None}
        merged = [_merged(own.get(turn.opened.turn_id), turn) for turn in kept]
        # The ledger does not have a question that is on its way, or one that it could not keep.
        merged += [turn for turn in thread.turns if turn.turn_id is None and (turn.running or turn.fault)]
        merged.sort(key=lambda turn: turn.asked_at)
        self._threads[key] = replace(thread, turns=tuple(merged))
        return self._threads[key]


def _merged(own: TrackedTurn | None, kept: Turn) -> TrackedTurn:
    if own is not None and own.running:
        return own
    turn = from_ledger(kept)
    return replace(turn, key=own.key) if own is not None else turn
