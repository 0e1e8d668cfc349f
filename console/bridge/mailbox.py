"""The one way from the loop thread to the GUI thread: letters in a deque and one queued signal "there is mail".

The loop thread holds only this box and integer addresses, never a receiver: so no QObject can lose its last reference,
and be destroyed, in the wrong thread.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Final, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

DELIVERY_BUDGET_S: Final = 0.004
"""After this long one delivery makes way for timers, input and paint, and goes on in the next event."""


class Receiver(Protocol):
    def receive(self, letter: object) -> bool:
        """Take one letter in the GUI thread; False when no more will come."""
        ...


class Mailbox(QObject):
    """Lives in the GUI thread. `post` may be called in any thread; receivers are called in the GUI thread, in order."""

    _rang = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._letters: deque[tuple[int, object]] = deque()
        self._receivers: dict[int, Receiver] = {}
        self._next_address = 0
        self._ringing = False
        self._open = True
        # Not a posted event: Qt would handle that before timers and paint.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._deliver)
        self._rang.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def register(self, receiver: Receiver) -> int:
        """Keep `receiver` alive until it wants no more letters; returns its address."""
        self._next_address += 1
        self._receivers[self._next_address] = receiver
        return self._next_address

    def forget(self, address: int) -> None:
        self._receivers.pop(address, None)

    def post(self, address: int, letter: object) -> None:
        """Any thread. Append first, then ring: the order in which `_deliver` undoes it, so no letter is overlooked."""
        if not self._open:
            return
        self._letters.append((address, letter))
        if not self._ringing:
            self._ringing = True
            self._rang.emit()

    def close(self) -> None:
        """Deliver nothing from now on."""
        self._open = False
        self._letters.clear()
        self._receivers.clear()

    @Slot()
    def _deliver(self) -> None:
        self._ringing = False
        until = time.perf_counter() + DELIVERY_BUDGET_S
        while self._letters:
            address, letter = self._letters.popleft()
            receiver = self._receivers.get(address)
            if receiver is not None and not receiver.receive(letter):
                self._receivers.pop(address, None)
            if time.perf_counter() >= until:
                break
        if self._letters and not self._ringing:
            self._ringing = True
            self._later.start()
