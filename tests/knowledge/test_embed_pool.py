"""Texts of several callers, embedded together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from knowledge.embed_pool import EmbedPool
from knowledge.embedding import BATCH
from knowledge.errors import TextTooLong
from knowledge.point_store import Point
from storage.errors import WorkerClosed
from storage.worker import Worker
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    made = Worker("embedder")
    yield made
    await made.aclose()


def point(name: str, text: str) -> Point:
    return Point(name, "Title", text, {})


async def test_that_what_several_want_is_embedded_together_by_length_and_once(worker: Worker) -> None:
    embedder = WordEmbedder()
    pool = EmbedPool(embedder, worker)
    long, short = "A long text of many words. It has two sentences.", "Short."
    first, second = await asyncio.gather(pool.embed([point("1", long)]), pool.embed([point("2", short)]))
    assert embedder.texts == sorted(embedder.texts, key=len)
    assert len(embedder.texts) == len(set(embedder.texts)) == 4
    assert (first[0].sentences.shape[0], second[0].sentences.shape[0]) == (2, 1)
    assert (first[0].whole == embedder.embed_question(f"Title\n{long}")).all()
    assert (second[0].whole == second[0].sentences[0]).all()


async def test_that_one_text_too_long_is_told_to_its_caller_only(worker: Worker) -> None:
    embedder = WordEmbedder()
    embedder.fail_on = "steel"
    pool = EmbedPool(embedder, worker)
    good, bad = await asyncio.gather(
        pool.embed([point("1", "Late.")]), pool.embed([point("2", "A steel box.")]), return_exceptions=True
    )
    assert isinstance(bad, TextTooLong)
    assert isinstance(good, list)


async def test_that_a_question_waits_for_one_short_job_only(worker: Worker) -> None:
    embedder = WordEmbedder()
    jobs: list[int] = []
    embedder.on_enter = lambda: jobs.append(1)
    pool = EmbedPool(embedder, worker)
    await pool.embed([point(str(n), f"Number {n} is a text of some length. " * 9) for n in range(4 * BATCH)])
    assert len(jobs) >= 4


async def test_that_a_caller_who_left_keeps_nobody_waiting(worker: Worker) -> None:
    pool = EmbedPool(WordEmbedder(), worker)
    left = asyncio.create_task(pool.embed([point("1", "Left.")]))
    await asyncio.sleep(0)
    left.cancel()
    stayed = await pool.embed([point("2", "Stayed.")])
    assert [one.point_id for one in stayed] == ["2"]


async def test_that_who_comes_after_the_worker_is_closed_is_told(worker: Worker) -> None:
    pool = EmbedPool(WordEmbedder(), worker)
    await worker.aclose()
    with pytest.raises(WorkerClosed):
        await pool.embed([point("1", "Late.")])


async def test_that_a_fault_in_one_job_is_told_to_all_after_the_job_given_beside_it(worker: Worker) -> None:
    embedder = WordEmbedder()
    jobs = 0

    def break_first() -> None:
        nonlocal jobs
        jobs += 1
        if jobs == 1:
            raise OSError(12, "Cannot allocate memory")

    embedder.on_enter = break_first
    pool = EmbedPool(embedder, worker)
    points = [point(str(n), f"Number {n} is a text of some length. " * 9) for n in range(4 * BATCH)]
    with pytest.raises(OSError, match="allocate"):
        await pool.embed(points)
    assert jobs == 2
    assert len(await pool.embed(points)) == len(points)
