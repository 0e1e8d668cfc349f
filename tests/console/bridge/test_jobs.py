"""Jobs as rows: progress, pace, cancel and how they end."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

import pytest

from console.bridge.errors import BridgeError
from console.bridge.jobs import JobBook, JobProgress, JobState, JobStatus, Report, derive_pace

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.bridge.loop_thread import LoopThread


@pytest.mark.parametrize(
    ("marks", "progress", "pace"),
    [
        ([], JobProgress(), (None, None)),
        ([(0.0, 0.0)], JobProgress(total=10), (None, None)),
        ([(0.0, 0.0), (2.0, 4.0)], JobProgress(4, 10), (2.0, 3.0)),
        ([(0.0, 0.0), (2.0, 4.0)], JobProgress(4, None), (2.0, None)),
        ([(0.0, 4.0), (2.0, 4.0)], JobProgress(4, 10), (None, None)),
        ([(1.0, 0.0), (1.0, 4.0)], JobProgress(4, 10), (None, None)),
    ],
)
def test_that_pace_is_known_only_from_two_times_that_differ(
    marks: list[tuple[float, float]], progress: JobProgress, pace: tuple[float | None, float | None]
) -> None:
    assert derive_pace(deque(marks), progress) == pace


def test_that_a_fraction_is_known_only_with_a_total() -> None:
    assert JobState(1, "Import", progress=JobProgress(5, 10)).fraction == 0.5
    assert JobState(1, "Import", progress=JobProgress(12, 10)).fraction == 1.0
    assert JobState(1, "Import", progress=JobProgress(5)).fraction is None


def test_that_a_job_reports_progress_and_ends_done_with_its_last_figures(bridge: LoopThread, qtbot: QtBot) -> None:
    async def work(report: Report) -> str:
        for number in range(101):
            report(JobProgress(number, 100, note=f"file {number}"))
            await asyncio.sleep(0)
        return "48 articles"

    results: list[object] = []
    states: list[JobState] = []
    book = JobBook(bridge)
    job = book.begin("Import articles", work)
    job.changed.connect(states.append)
    job.done.connect(results.append)
    qtbot.waitUntil(lambda: job.state.ended)
    assert job.state.status is JobStatus.DONE
    assert job.state.progress == JobProgress(100, 100, note="file 100")
    assert results == ["48 articles"]
    assert len(states) < 60, "progress is coalesced"


def test_that_cancel_says_stopping_at_once_and_then_cancelled(bridge: LoopThread, qtbot: QtBot) -> None:
    async def work(_report: Report) -> None:
        await asyncio.Event().wait()

    job = JobBook(bridge).begin("Fetch the model", work)
    job.cancel()
    assert job.state.status is JobStatus.STOPPING
    job.cancel()
    qtbot.waitUntil(lambda: job.state.ended)
    assert job.state.status is JobStatus.CANCELLED


def test_that_a_failed_job_carries_the_sentence_and_can_be_cleared(bridge: LoopThread, qtbot: QtBot) -> None:
    async def work(_report: Report) -> None:
        raise BridgeError("The model was not fetched: the disk is full. Free 98 MB and start again.")

    book = JobBook(bridge)
    job = book.begin("Fetch the model", work)
    qtbot.waitUntil(lambda: job.state.ended)
    assert job.state.status is JobStatus.FAILED
    assert "the disk is full" in job.state.sentence
    assert book.jobs == (job,)
    book.clear_ended()
    assert book.jobs == ()


def test_that_pace_is_measured_between_reports(bridge: LoopThread, qtbot: QtBot) -> None:
    now = [100.0]
    go: list[asyncio.Event] = []

    async def work(report: Report) -> None:
        go.append(asyncio.Event())
        report(JobProgress(10, 100))
        await go[0].wait()
        report(JobProgress(30, 100))
        await asyncio.Event().wait()

    job = JobBook(bridge, clock=lambda: now[0]).begin("Import", work)
    qtbot.waitUntil(lambda: job.state.progress.done == 10)
    now[0] = 104.0
    bridge.submit(_set(go[0]))
    qtbot.waitUntil(lambda: job.state.progress.done == 30)
    assert (job.state.rate, job.state.left_s) == (5.0, 14.0)
    job.cancel()
    qtbot.waitUntil(lambda: job.state.ended)


async def _set(event: asyncio.Event) -> None:
    event.set()
