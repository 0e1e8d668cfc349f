"""Reads the engine's /metrics once a second, and once between while somebody looks closer."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx

from engine_host.http import client_for
from engine_host.metrics.prometheus import PageUnreadable, read_page
from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.http import Tls

EVERY_S = 1.0
TIMEOUT_S = 1.5
KEPT = 3600
CLOSER_S = 2.0
"""So long after it was last asked for it is read between the seconds too."""


class MetricsPoller:
    """Scrapes whatever engine `url_source` names at the moment; None = there is none, and nothing is scraped.

    `tls` says how an https server is checked, `model` whose figures are meant on a page of several. `latest` is None
    while there is no engine. A scrape that fails is a ScrapeGap with a sentence. Everything that is counted, judged or
    kept comes from the scrapes, one each `every_s`; `newest` is `latest`, or what was read since, between two of them.
    """

    def __init__(
        self,
        url_source: Callable[[], str | None],
        *,
        every_s: float = EVERY_S,
        timeout_s: float = TIMEOUT_S,
        tls: Callable[[], Tls | None] = lambda: None,
        model: Callable[[], str] = lambda: "",
    ) -> None:
        self.latest: Published[Scrape | None] = Published[Scrape | None](None)
        self.newest: Scrape | None = None
        self._url_source = url_source
        self._every_s = every_s
        self._timeout_s = timeout_s
        self._tls = tls
        self._model = model
        self._ring: deque[Scrape] = deque(maxlen=KEPT)
        self._url: str | None = None
        self._http: httpx.AsyncClient | None = None
        self._polling: asyncio.Task[None] | None = None
        self._closer_until = -math.inf

    @property
    def scrapes(self) -> tuple[Scrape, ...]:
        """The last hour, oldest first."""
        return tuple(self._ring)

    def start(self) -> None:
        """Begin to poll in the running loop; a second call changes nothing."""
        if self._polling is None:
            self._polling = asyncio.create_task(self._poll(), name="metrics poller")

    def look_closer(self) -> None:
        """Read it between the seconds too, for a moment: whoever looks on asks again."""
        self._closer_until = time.monotonic() + CLOSER_S

    async def close(self) -> None:
        polling, self._polling = self._polling, None
        if polling is not None:
            polling.cancel()
            await asyncio.gather(polling, return_exceptions=True)
        await self._use(None)

    async def _poll(self) -> None:
        due = time.monotonic()
        while True:
            await self.scrape()
            due = max(due + self._every_s, time.monotonic())
            await _until(due - self._every_s / 2)
            await self._glance(due)
            await _until(due)

    async def scrape(self) -> None:
        """Read the page once, now."""
        await self._use(self._url_source())
        if self._http is None:
            self.newest = None
            self.latest.publish(None)
            return
        scrape = self.newest = await self._read(self._http, self._timeout_s)
        self._ring.append(scrape)
        self.latest.publish(scrape)

    async def _glance(self, due: float) -> None:
        """The next scrape must not wait for it: what has not come until `due` is no gap, that one will tell."""
        left_s = min(due - time.monotonic(), self._timeout_s)
        if self._http is None or left_s <= 0 or time.monotonic() >= self._closer_until:
            return
        seen = await self._read(self._http, left_s)
        if isinstance(seen, MetricSample):
            self.newest = seen

    async def _use(self, url: str | None) -> None:
        if url == self._url:
            return
        before, self._url = self._http, url
        self._http = client_for(url, timeout_s=self._timeout_s, tls=self._tls()) if url else None
        if self._ring and url:
            self._ring.append(ScrapeGap(datetime.now(UTC), time.monotonic(), ENGINE_CHANGED))
        if before is not None:
            await before.aclose()

    async def _read(self, http: httpx.AsyncClient, limit_s: float) -> Scrape:
        began = time.monotonic()
        try:
            async with asyncio.timeout(limit_s):
                answer = await http.get("/metrics")
        except (httpx.TimeoutException, TimeoutError):
            return _gap(f"The engine's metrics did not come within {limit_s:g} s.")
        except (httpx.HTTPError, httpx.InvalidURL):
            return _gap("The engine's metrics cannot be read: the connection failed.")
        if not answer.is_success:
            return _gap(f"The engine's metrics cannot be read: it answered with status {answer.status_code}.")
        at, mono = datetime.now(UTC), time.monotonic()
        try:
            return read_page(answer.text, at, mono, (mono - began) * 1000, self._model())
        except PageUnreadable as error:
            return _gap(str(error))


async def read_once(url: str) -> Scrape | None:
    """One reading of the engine at `url`."""
    poller = MetricsPoller(lambda: url)
    try:
        await poller.scrape()
        return poller.latest.value
    finally:
        await poller.close()


async def _until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


def _gap(reason: str) -> ScrapeGap:
    return ScrapeGap(datetime.now(UTC), time.monotonic(), reason)
