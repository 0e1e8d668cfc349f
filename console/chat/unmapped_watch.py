"""Tells staff once of each status word of the order system that nobody has given a meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.widgets.notices import Notice
from engine_host.answering.unknown_reason import unmapped_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.answering.events import TurnEvent


class UnmappedWatch:
    def __init__(self, notify: Callable[[Notice], None]) -> None:
        self._notify = notify
        self._told: set[str] = set()

    def look(self, events: tuple[TurnEvent, ...]) -> None:
        """A customer whose order has such a status reads that its state is not known."""
        for word in unmapped_words(events):
            if word not in self._told:
                self._told.add(word)
                fact = f"The order system says “{word}”, which is not mapped: the answer is “I do not know”."
                self._notify(Notice(f"unmapped {word}", "warn", fact, "Map it in Settings › Order system."))
