"""Tells another program of alerts: one JSON body by POST for each that fires or clears, tried again when it fails."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx

from engine_host.http import client_for
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from engine_host.metrics.alert_book import Change

PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Between two tries of one body; after the last it is given up."""
TIMEOUT_S: Final = 5.0
MOST_WAITING: Final = 100
_ASK_AGAIN: Final = (408, 425, 429)

Body = dict[str, object]


@dataclass(frozen=True, slots=True)
class WebhookState:
    """`fault` is a sentence while the last try failed; `trying`: there will be another one. `waiting` bodies have not
    gone out; `lost` never will."""

    told_at: datetime | None = None
    fault: str = ""
    trying: bool = False
    waiting: int = 0
    lost: int = 0


def body_of(change: Change) -> Body:
    """What is sent of an alert that fired or cleared. Times in ISO 8601, UTC; no text of a customer is in it."""
    told, standing = change.episode, change.standing
    return {
        "program": "Dabba Console",
        "event": "firing" if told.cleared_at is None else "cleared",
        "alert": told.rule,
        "alert_id": told.alert_id,
        "subject": told.subject if standing is None else standing.subject.name,
        "severity": told.severity,
        "title": told.title,
        "said": told.said,
        "do": "" if standing is None else standing.rule.do,
        "worst": told.worst,
        "began_at": told.began_at.isoformat(),
        "fired_at": told.fired_at.isoformat(),
        "cleared_at": None if told.cleared_at is None else told.cleared_at.isoformat(),
    }


class _NotTaken(Exception):
    """`str(e)` is half a sentence. `again`: another try may help."""

    def __init__(self, why: str, *, again: bool = True) -> None:
        super().__init__(why)
        self.again = again


class AlertWebhook:
    """All methods belong to one loop. `send` never waits: bodies go out one after the other, in their order."""

    def __init__(
        self,
        url: str,
        *,
        pauses_s: Sequence[float] = PAUSES_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.state: Published[WebhookState] = Published(WebhookState())
        self._url = url
        self._pauses_s = tuple(pauses_s)
        self._sleep = sleep
        self._bodies: deque[Body] = deque()
        self._more = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None

    @property
    def host(self) -> str:
        """What is named in sentences: the whole address may hold a secret."""
        return urlsplit(self._url).netloc.rpartition("@")[2]

    def start(self) -> None:
        """In the running loop; a second call changes nothing."""
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_all(), name="alert webhook")

    async def close(self) -> None:
        """What has not gone out is not sent any more."""
        sending, self._sending = self._sending, None
        if sending is not None:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    def send(self, body: Body) -> None:
        """Of more than MOST_WAITING bodies the oldest is lost."""
        self._bodies.append(body)
        if len(self._bodies) > MOST_WAITING:
            self._bodies.popleft()
            self._tell(lost=self.state.value.lost + 1)
        self._tell()
        self._more.set()

    async def _send_all(self) -> None:
        async with client_for(self._url, timeout_s=TIMEOUT_S) as http:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._bodies:
                    await self._send_one(http, self._bodies[0])

    async def _send_one(self, http: httpx.AsyncClient, body: Body) -> None:
        for pause_s in (*self._pauses_s, None):
            try:
                await self._post(http, body)
            except _NotTaken as error:
                goes_on = error.again and pause_s is not None
                self._tell(fault=self._sentence(error, pause_s if goes_on else None), trying=goes_on)
                if not goes_on:
                    break
                await self._sleep(pause_s or 0.0)
            else:
                self._done(body, told_at=datetime.now(UTC), fault="", trying=False)
                return
        self._done(body, lost=self.state.value.lost + 1)

    async def _post(self, http: httpx.AsyncClient, body: Body) -> None:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                answer = await http.post(self._url, json=body)
        except (httpx.TimeoutException, TimeoutError) as error:
            raise _NotTaken(f"no answer came within {TIMEOUT_S:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _NotTaken("the connection failed") from error
        if not answer.is_success:
            again = answer.status_code >= 500 or answer.status_code in _ASK_AGAIN
            raise _NotTaken(f"it answered with status {answer.status_code}", again=again)

    def _sentence(self, error: _NotTaken, pause_s: float | None) -> str:
        fact = f"The webhook at {self.host} did not take an alert: {error}."
        if pause_s is not None:
            return f"{fact} It is tried again in {pause_s:g} s."
        return f"{fact} That alert was not sent. Check the address in Settings."

    def _done(self, body: Body, **change: Any) -> None:
        if self._bodies and self._bodies[0] is body:
            self._bodies.popleft()
        self._tell(**change)

    def _tell(self, **change: Any) -> None:
        self.state.publish(replace(self.state.value, waiting=len(self._bodies), **change))
