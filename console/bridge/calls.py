"""One piece of asynchronous work, seen from the GUI thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from console.bridge.errors import is_ours, presentable

if TYPE_CHECKING:
    from console.bridge.mailbox import Mailbox

Work = Coroutine[Any, Any, object] | Callable[[], Coroutine[Any, Any, object]]
FaultSink = Callable[[BaseException, str], None]


@dataclass(frozen=True, slots=True)
class Finished:
    value: object


@dataclass(frozen=True, slots=True)
class Faulted:
    """`error` is fit to be shown: its text is a sentence."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Cancelled:
    pass


Outcome = Finished | Faulted | Cancelled


class LoopTask:
    """The loop's half of a piece of work: starts the task, posts how it ended. Holds no QObject but the mailbox."""

    def __init__(self, work: Work, name: str, mailbox: Mailbox, on_fault: FaultSink) -> None:
        self.name = name
        self.address = 0
        self.task: asyncio.Task[object] | None = None
        self._work = work
        self._mailbox = mailbox
        self._on_fault = on_fault

    def begin(self) -> asyncio.Task[object]:
        work = self._work
        coroutine = _call(work) if callable(work) else work
        task = asyncio.get_running_loop().create_task(coroutine, name=self.name)
        task.add_done_callback(self._ended)
        self.task = task
        return task

    def abandon(self) -> None:
        """The loop is gone: close a coroutine that will never run."""
        if not callable(self._work):
            self._work.close()

    def cancel(self) -> None:
        if self.task is not None:
            self.task.cancel()

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._mailbox.post(self.address, self._outcome(task))

    def _outcome(self, task: asyncio.Task[object]) -> Outcome:
        if task.cancelled():
            return Cancelled()
        error = task.exception()
        if error is None:
            return Finished(task.result())
        if not is_ours(error):
            self._on_fault(error, self.name)
        return Faulted(presentable(error, "This step"))


async def _call(work: Callable[[], Coroutine[Any, Any, object]]) -> object:
    return await work()


class Call(QObject):
    """Exactly one of `done`, `failed`, `cancelled` comes, then `finished`, all in the GUI thread.

    `failed` carries an exception whose text is a sentence for people. A Call needs no owner: the bridge keeps it until
    it ended. The coroutine runs in the loop thread and must not hold QObjects.
    """

    done = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()

    def __init__(self, name: str, cancel: Callable[[], object]) -> None:
        super().__init__()
        self.name = name
        self.outcome: Outcome | None = None
        self._cancel = cancel
        self._muted = False

    @property
    def running(self) -> bool:
        return self.outcome is None

    def cancel(self) -> None:
        """Ask the work to stop. What is signalled is what truly happened: work that was already done stays done."""
        if self.running:
            self._cancel()

    def drop(self) -> None:
        """Cancel and hear no more of it: for a search that a newer one replaces."""
        self._muted = True
        self.cancel()

    def receive(self, letter: object) -> bool:
        """For the mailbox."""
        if not isinstance(letter, Finished | Faulted | Cancelled):
            raise TypeError(letter)
        self.outcome = letter
        if not self._muted:
            self._tell(letter)
        return False

    def _tell(self, outcome: Outcome) -> None:
        match outcome:
            case Finished(value):
                self.done.emit(value)
            case Faulted(error):
                self.failed.emit(error)
            case Cancelled():
                self.cancelled.emit()
        self.finished.emit()
