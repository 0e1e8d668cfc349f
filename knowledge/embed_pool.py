"""Texts of several articles embedded together: a batch takes as long as its longest text, so like goes with like."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from knowledge.embedding import BATCH
from knowledge.errors import TextTooLong
from storage.errors import WorkerClosed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.embedding import Embedder
    from knowledge.point_store import Point, VectorPoint
    from storage.worker import Worker

    Request = tuple[Sequence[Point], asyncio.Future[list[VectorPoint]]]

JOB_CHARACTERS = 2_500
"""Less than a tenth of a second; a question waits for two such jobs at most."""


class EmbedPool:
    """Takes what several callers want embedded and does it in one go, in the thread of `worker`, in short jobs."""

    def __init__(self, embedder: Embedder, worker: Worker) -> None:
        self._embedder = embedder
        self._worker = worker
        self._waiting: list[Request] = []
        self._running: asyncio.Task[None] | None = None

    async def embed(self, points: Sequence[Point]) -> list[VectorPoint]:
        """The points with their vectors. Raises TextTooLong, and WorkerClosed once the worker is closed."""
        asked: asyncio.Future[list[VectorPoint]] = asyncio.get_running_loop().create_future()
        self._waiting.append((points, asked))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asked

    async def _run(self) -> None:
        while self._waiting:
            with suppress(WorkerClosed):  # those who wait hear of it when they are answered
                await self._worker.run(_nothing)  # what is being cut now in that thread comes along
            taken, self._waiting = self._waiting, []
            try:
                await self._answer([one for one in taken if not one[1].cancelled()])
            except TextTooLong:  # of one of them; the others shall not hear of it
                for one in taken:
                    await self._answer_alone(one)
            except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
                _fail(taken, error)

    async def _answer_alone(self, one: Request) -> None:
        try:
            await self._answer([one])
        except Exception as error:  # noqa: BLE001 - as above
            _fail([one], error)

    async def _answer(self, requests: Sequence[Request]) -> None:
        from knowledge.llama_parts import texts_of, vectors_of, with_vectors  # LlamaIndex: a second

        points = [point for some, _ in requests for point in some]
        texts = await self._worker.run(texts_of, points)
        vectors: dict[str, NDArray[np.float32]] = {}
        given: deque[asyncio.Future[dict[str, NDArray[np.float32]]]] = deque()
        try:
            for job in _jobs(texts):
                given.append(asyncio.ensure_future(self._worker.run(vectors_of, self._embedder, job)))
                if len(given) > 1:  # the thread has its next job before this one is done
                    vectors |= await given.popleft()
            while given:
                vectors |= await given.popleft()
        finally:
            await asyncio.gather(*given, return_exceptions=True)
        for some, asked in requests:
            if not asked.done():
                asked.set_result(with_vectors(self._embedder, some, vectors))


def _jobs(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in whole batches of so many characters, of one batch at least."""
    job: list[str] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        if job and sum(map(len, job)) + sum(map(len, batch)) > JOB_CHARACTERS:
            yield job
            job = []
        job += batch
    if job:
        yield job


def _nothing() -> None:
    """When it is done, all that was given before is."""


def _fail(requests: Sequence[Request], error: Exception) -> None:
    for _, asked in requests:
        if not asked.done():
            asked.set_exception(error)
