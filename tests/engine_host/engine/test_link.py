"""Whether the watch over an engine takes its pulse from what somebody else has read, or reads it itself."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import pytest

from engine_host.engine.canary import Pulse
from engine_host.engine.health import Health
from engine_host.engine.link import FRESH_S, Hold
from engine_host.engine.pool_crew import read_metrics
from engine_host.engine.session import EngineSession
from engine_host.engine.watch import Verdict, Watcher
from engine_host.metrics.samples import MetricSample, ScrapeGap
from storage.settings import Settings
from tests.fakes.fake_vllm import FakeVllm

if TYPE_CHECKING:
    from engine_host.engine.health import EngineProbe
    from storage.paths import Home


@dataclass
class Probe:
    """Well, and with 7 requests in hand when it is read; `read` counts how often that was."""

    read: int = 0

    async def health(self) -> Health:
        return Health.WELL

    async def pulse(self) -> Pulse:
        self.read += 1
        return Pulse(7, 1.0)


def sample(**more: Any) -> MetricSample:
    return MetricSample(datetime.now(UTC), time.monotonic(), 1.0, running=2.0, waiting=1.0, **more)


async def watched() -> Hold:
    """One whose watch has just begun, and does nothing."""
    hold = Hold()
    hold.watch(cast("Watcher", None), asyncio.sleep(0))
    await asyncio.sleep(0)
    return hold


async def test_that_a_fresh_reading_of_somebody_else_is_a_pulse() -> None:
    hold = await watched()
    assert hold.pulse() is None
    hold.newest = sample
    assert hold.pulse() == Pulse(3, 0.0)


@pytest.mark.parametrize("late_s", [FRESH_S + 0.1, 3600.0])
async def test_that_an_old_reading_and_a_gap_are_none(late_s: float) -> None:
    hold = await watched()
    hold._since -= 7200
    hold.newest = lambda: replace(sample(), mono=time.monotonic() - late_s)
    assert hold.pulse() is None
    hold.newest = lambda: ScrapeGap(datetime.now(UTC), time.monotonic(), "It did not come.")
    assert hold.pulse() is None


async def test_that_a_reading_of_before_the_watch_may_be_of_another_engine() -> None:
    before = sample()
    hold = await watched()
    hold.newest = lambda: before
    assert hold.pulse() is None


@pytest.mark.parametrize(("told", "busy", "reads"), [(Pulse(0, 5.0), False, 0), (None, True, 1)])
async def test_that_the_watch_reads_metrics_only_when_nobody_has_told_them(
    told: Pulse | None, busy: bool, reads: int
) -> None:
    probe, heard = Probe(), list[Verdict]()
    watcher = Watcher(cast("EngineProbe", probe), "m", heard.append, lambda _made: None, told=lambda: told)
    await watcher._feel()
    assert (watcher._busy, probe.read) == (busy, reads)


async def test_that_an_engine_elsewhere_that_fails_to_answer_is_asked_again_whatever_it_told_before() -> None:
    probe = Probe()
    watcher = Watcher(cast("EngineProbe", probe), "m", lambda _: None, lambda _: None, told=lambda: Pulse(0, 5.0))
    assert [await watcher._health() for _ in range(2)] == [Health.WELL] * 2
    watcher._unreachable = 1
    asked: list[str] = []

    async def gone() -> Health:
        asked.append("health")
        return Health.UNREACHABLE

    probe.health = gone  # type: ignore[method-assign]
    assert [await watcher._health() for _ in range(3)] == [Health.UNREACHABLE] * 3
    assert len(asked) == 3


async def test_that_the_watch_of_an_attached_engine_lives_on_the_readings_of_its_poller(home: Home) -> None:
    session = EngineSession(home.make(), Settings())
    poller = read_metrics(session)
    async with FakeVllm() as fake:
        await session.attach(fake.url)
        assert session._hold.pulse() is None
        await poller.scrape()
        pulse = session._hold.pulse()
        assert pulse is not None
        assert session._hold.link is not None
        assert pulse == await session._hold.link.probe.pulse()
        await poller.close()
        await session.close()
