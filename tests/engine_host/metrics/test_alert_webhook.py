"""The webhook against a real HTTP server of this machine: what goes out, what is tried again, what is told."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from engine_host.metrics.alert_book import Cleared, Fired
from engine_host.metrics.alert_webhook import MOST_WAITING, AlertWebhook, WebhookState, body_of
from tests.engine_host.metrics.test_alert_book import DISK, book_of, fed
from tests.fakes.alert_samples import NOON, Story

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence


class Receiver:
    """Answers each POST with the next of `statuses`, then with 200; keeps the bodies."""

    def __init__(self, statuses: Sequence[int]) -> None:
        self.bodies: list[dict[str, Any]] = []
        self._statuses = list(statuses)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                self.bodies.append(json.loads(await reader.readexactly(int(length.split(b":")[1]))))
                status = self._statuses.pop(0) if self._statuses else 200
                writer.write(f"HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving(*statuses: int) -> AsyncIterator[tuple[Receiver, str]]:
    receiver = Receiver(statuses)
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    try:
        yield receiver, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook?key=secret"
    finally:
        server.close()


class Pauses:
    """Sleeps at once and remembers for how long it should have."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


async def until(webhook: AlertWebhook, done: Callable[[WebhookState], bool]) -> WebhookState:
    reached = asyncio.Event()
    stop = webhook.state.watch(lambda state: reached.set() if done(state) else None)
    async with asyncio.timeout(20):
        if not done(webhook.state.value):
            await reached.wait()
    stop()
    return webhook.state.value


def fired() -> Fired:
    (change,) = fed(book_of(DISK), Story().tell(20, disk_gib=1.0))
    assert isinstance(change, Fired)
    return change


def test_that_the_body_says_what_fires_and_what_to_do() -> None:
    body = body_of(fired())
    assert (body["event"], body["alert"], body["severity"]) == ("firing", DISK, "error")
    assert body["title"] == "Less than 2 GiB free on the disk"
    assert str(body["do"]).startswith("Make room")
    assert (body["fired_at"], body["cleared_at"]) == ((NOON + timedelta(seconds=10)).isoformat(), None)


def test_that_the_body_of_a_cleared_alert_says_when_it_ended() -> None:
    book = book_of(DISK)
    fed(book, Story().tell(20, disk_gib=1.0))
    (change,) = fed(book, Story().tell(20))
    assert isinstance(change, Cleared)
    assert (body_of(change)["event"], body_of(change)["cleared_at"]) == (
        "cleared", (NOON + timedelta(seconds=10)).isoformat(),
    )  # fmt: skip


async def test_that_one_body_goes_out_for_each_change() -> None:
    async with receiving() as (receiver, url):
        webhook = AlertWebhook(url)
        webhook.start()
        webhook.send({"n": 1})
        webhook.send({"n": 2})
        state = await until(webhook, lambda state: not state.waiting)
        await webhook.close()
    assert receiver.bodies == [{"n": 1}, {"n": 2}]
    assert state.told_at is not None
    assert state.fault == ""


async def test_that_a_failure_is_tried_again_after_growing_pauses() -> None:
    pauses = Pauses()
    async with receiving(503, 429, 500) as (receiver, url):
        webhook = AlertWebhook(url, sleep=pauses)
        webhook.start()
        webhook.send({"n": 1})
        state = await until(webhook, lambda state: state.told_at is not None)
        await webhook.close()
    assert pauses.slept == [1.0, 2.0, 4.0]
    assert receiver.bodies == [{"n": 1}] * 4
    assert (state.fault, state.lost) == ("", 0)


async def test_that_a_refusal_is_told_at_once_and_the_next_body_still_goes() -> None:
    async with receiving(404) as (receiver, url):
        webhook = AlertWebhook(url, sleep=Pauses())
        told: list[str] = []
        webhook.state.watch(lambda state: told.append(state.fault))
        webhook.start()
        webhook.send({"n": 1})
        webhook.send({"n": 2})
        state = await until(webhook, lambda state: state.told_at is not None)
        await webhook.close()
    assert receiver.bodies == [{"n": 1}, {"n": 2}]
    assert (state.lost, state.fault) == (1, "")
    (fault,) = {one for one in told if one}
    assert fault.endswith(
        "did not take an alert: it answered with status 404. That alert was not sent. Check the address in Settings."
    )


async def test_that_a_server_which_is_not_there_is_given_up_and_named_without_its_secret() -> None:
    async with receiving() as (_, url):
        pass
    webhook = AlertWebhook(url, pauses_s=(1.0,), sleep=Pauses())
    webhook.start()
    webhook.send({"n": 1})
    state = await until(webhook, lambda state: state.lost == 1)
    await webhook.close()
    assert "the connection failed" in state.fault
    assert "secret" not in state.fault


async def test_that_of_too_many_waiting_the_oldest_is_lost_and_counted() -> None:
    webhook = AlertWebhook("http://127.0.0.1:1/")
    for number in range(MOST_WAITING + 2):
        webhook.send({"n": number})
    assert (webhook.state.value.waiting, webhook.state.value.lost) == (MOST_WAITING, 2)
