"""Keeps the list of conversations: segment, search, and what the ledger says of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, get_args

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.chat.ledger_calls import read_list
from storage.queries.review import ReviewList, Segment

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.page_context import PageContext
    from storage.records import Conversation

SOON_MS: Final = 150
SEGMENTS: Final = get_args(Segment)


class ListingDesk(QObject):
    """`changed()` when there is another list; `failed(error)` with a sentence. A newer search replaces an older one."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._call: Call | None = None
        self._wanted: tuple[Segment, str] = ("all", "")
        self.found = ReviewList()
        self.is_known = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self.refresh)

    @property
    def segment(self) -> Segment:
        return self._wanted[0]

    @property
    def search(self) -> str:
        return self._wanted[1]

    def conversation(self, conversation_id: str) -> Conversation | None:
        return next((c for c in self.found.conversations if c.conversation_id == conversation_id), None)

    def choose_segment(self, segment: str) -> None:
        wanted = next(known for known in SEGMENTS if known == segment)
        self._wanted = (wanted, self._wanted[1])
        self.refresh()

    def look_for(self, search: str) -> None:
        self._wanted = (self._wanted[0], search.strip())
        self._soon.start()

    def refresh_soon(self) -> None:
        """Many turns may begin and end at once: the list is read once for all of them."""
        if not self._soon.isActive():
            self._soon.start()

    @Slot()
    def refresh(self) -> None:
        if self._call is not None:
            self._call.drop()
        self._call = self._context.bridge.submit(partial(read_list, self._context.house, *self._wanted), "chat list")
        self._call.done.connect(self._have)
        self._call.failed.connect(self.failed)

    @Slot(object)
    def _have(self, found: object) -> None:
        if isinstance(found, ReviewList):
            self._call = None
            self.is_known = True
            self.found = found
            self.changed.emit()
