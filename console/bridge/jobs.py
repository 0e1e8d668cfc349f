"""Long work as rows: what, how far, how fast, how long still, and Cancel."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import QObject, Signal, Slot

from engine_host.published import Published

if TYPE_CHECKING:
    from console.bridge.loop_thread import LoopThread

PACE_WINDOW_S: Final = 10.0


class JobStatus(StrEnum):
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class JobProgress:
    """`done` of `total` (None = nobody knows) in `unit`; `note` says what is being done now."""

    done: float = 0.0
    total: float | None = None
    unit: Literal["items", "bytes"] = "items"
    note: str = ""


@dataclass(frozen=True, slots=True)
class JobState:
    """`rate` is units a second over the last 10 s, `left_s` the seconds left; None = not known.

    `sentence` is the reason when the job failed.
    """

    key: int
    what: str
    status: JobStatus = JobStatus.RUNNING
    progress: JobProgress = JobProgress()
    rate: float | None = None
    left_s: float | None = None
    sentence: str = ""

    @property
    def ended(self) -> bool:
        return self.status in (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)

    @property
    def fraction(self) -> float | None:
        """0 to 1, None when the total is not known."""
        total = self.progress.total
        return min(self.progress.done / total, 1.0) if total else None


Report = Callable[[JobProgress], None]
JobWork = Callable[[Report], Coroutine[Any, Any, object]]


def derive_pace(marks: deque[tuple[float, float]], progress: JobProgress) -> tuple[float | None, float | None]:
    """Rate (units a second) and seconds left from (time in s, done) marks, oldest first."""
    if len(marks) < 2:
        return None, None
    (first_at, first_done), (last_at, last_done) = marks[0], marks[-1]
    if last_at <= first_at or last_done <= first_done:
        return None, None
    rate = (last_done - first_done) / (last_at - first_at)
    left = None if progress.total is None else max(progress.total - progress.done, 0.0) / rate
    return rate, left


class Job(QObject):
    """One row. `changed(JobState)` comes in the GUI thread; `done(object)` carries what the work returned."""

    changed = Signal(object)
    done = Signal(object)

    def __init__(self, bridge: LoopThread, state: JobState, work: JobWork, clock: Callable[[], float]) -> None:
        super().__init__()
        self.state = state
        self._clock = clock
        self._marks: deque[tuple[float, float]] = deque()
        published = Published(state.progress)
        self._mirror = bridge.mirror(published)
        self._mirror.changed.connect(self._progressed)
        self._call = bridge.submit(lambda: work(published.publish), state.what)
        self._call.done.connect(self._done)
        self._call.failed.connect(self._failed)
        self._call.cancelled.connect(self._cancelled)

    def cancel(self) -> None:
        """The row says "Stopping…" at once; how it ended follows."""
        if self.state.status is JobStatus.RUNNING:
            self._show(replace(self.state, status=JobStatus.STOPPING))
            self._call.cancel()

    @Slot(object)
    def _progressed(self, progress: JobProgress) -> None:
        if self.state.ended:
            return
        now = self._clock()
        self._marks.append((now, progress.done))
        while now - self._marks[0][0] > PACE_WINDOW_S:
            self._marks.popleft()
        rate, left_s = derive_pace(self._marks, progress)
        self._show(replace(self.state, progress=progress, rate=rate, left_s=left_s))

    @Slot(object)
    def _done(self, value: object) -> None:
        self._end(JobStatus.DONE)
        self.done.emit(value)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._end(JobStatus.FAILED, str(error))

    @Slot()
    def _cancelled(self) -> None:
        self._end(JobStatus.CANCELLED)

    def _end(self, status: JobStatus, sentence: str = "") -> None:
        progress = self._mirror.newest()
        self._mirror.close()
        self._show(replace(self.state, status=status, progress=progress, left_s=None, sentence=sentence))

    def _show(self, state: JobState) -> None:
        self.state = state
        self.changed.emit(state)


class JobBook(QObject):
    """Every job since the start, newest last; `changed` says that a row came or changed."""

    changed = Signal()

    def __init__(self, bridge: LoopThread, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._bridge = bridge
        self._clock = clock
        self._jobs: list[Job] = []
        self._count = 0

    @property
    def jobs(self) -> tuple[Job, ...]:
        return tuple(self._jobs)

    def begin(self, what: str, work: JobWork) -> Job:
        """Run `work(report)` in the loop; it calls `report(JobProgress)` as often as it likes."""
        self._count += 1
        job = Job(self._bridge, JobState(self._count, what), work, self._clock)
        job.changed.connect(self._changed)
        self._jobs.append(job)
        self.changed.emit()
        return job

    def clear_ended(self) -> None:
        self._jobs = [job for job in self._jobs if not job.state.ended]
        self.changed.emit()

    @Slot(object)
    def _changed(self, _state: JobState) -> None:
        self.changed.emit()
