from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from engine_host.metrics import poller as room
from engine_host.metrics.poller import MetricsPoller
from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Url:
    value: str | None = None


@pytest.fixture
def url() -> Url:
    return Url()


@pytest.fixture
async def poller(url: Url) -> AsyncIterator[MetricsPoller]:
    one = MetricsPoller(lambda: url.value, every_s=0.01, timeout_s=2)
    yield one
    await one.close()


async def test_that_a_scrape_becomes_a_sample(poller: MetricsPoller, url: Url) -> None:
    async with FakeVllm() as fake:
        url.value = fake.url
        await poller.scrape()
    sample = poller.latest.value
    assert isinstance(sample, MetricSample)
    assert sample.running == 0
    assert sample.ttft is None
    assert poller.scrapes == (sample,)


async def test_that_it_keeps_polling_until_it_is_closed(poller: MetricsPoller, url: Url) -> None:
    thrice = asyncio.Event()
    seen: list[Scrape | None] = []

    def note(scrape: Scrape | None) -> None:
        seen.append(scrape)
        if len(seen) == 3:
            thrice.set()

    poller.latest.watch(note)
    async with FakeVllm() as fake:
        url.value = fake.url
        poller.start()
        poller.start()
        await thrice.wait()
        await poller.close()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour(metrics_delay_s=5), "did not come within 2 s"),
        (Behaviour(metrics_page=""), "no vLLM figures"),
        (Behaviour(metrics_page='vllm:num_requests_running{x="'), "broken off"),
    ],
)
async def test_that_a_failed_scrape_is_a_gap_with_a_reason(
    poller: MetricsPoller, url: Url, behaviour: Behaviour, reason: str
) -> None:
    async with FakeVllm(behaviour) as fake:
        url.value = fake.url
        await poller.scrape()
    gap = poller.latest.value
    assert isinstance(gap, ScrapeGap)
    assert reason in gap.reason


async def test_that_a_dead_engine_is_a_gap(poller: MetricsPoller, url: Url) -> None:
    async with FakeVllm() as fake:
        url.value = fake.url
    await poller.scrape()
    assert isinstance(poller.latest.value, ScrapeGap)
    assert "connection failed" in poller.latest.value.reason


async def test_that_no_engine_means_no_figures(poller: MetricsPoller, url: Url) -> None:
    async with FakeVllm() as fake:
        url.value = fake.url
        await poller.scrape()
        url.value = None
        await poller.scrape()
    assert poller.latest.value is None
    assert len(poller.scrapes) == 1


async def test_that_a_change_of_engine_is_marked(poller: MetricsPoller, url: Url) -> None:
    async with FakeVllm() as first, FakeVllm() as second:
        url.value = first.url
        await poller.scrape()
        url.value = second.url
        await poller.scrape()
    _, mark, _ = poller.scrapes
    assert isinstance(mark, ScrapeGap)
    assert mark.reason == ENGINE_CHANGED


LONG_S = 60.0
"""Until the next scrape: as long as no busy machine takes for a page."""


def page(running: int) -> Behaviour:
    return Behaviour(metrics_page=f'vllm:num_requests_running{{model_name="m"}} {running}\n')


async def glance(poller: MetricsPoller, left_s: float = LONG_S) -> Scrape | None:
    await poller._glance(time.monotonic() + left_s)
    return poller.newest


async def test_that_what_is_read_between_two_scrapes_is_seen_and_neither_counted_nor_kept(
    poller: MetricsPoller, url: Url
) -> None:
    published: list[Scrape | None] = []
    poller.latest.watch(published.append)
    async with FakeVllm(page(3)) as fake:
        url.value = fake.url
        await poller.scrape()
        fake.behaviour = page(4)
        poller.look_closer()
        between = await glance(poller)
        assert isinstance(between, MetricSample)
        assert between.running == 4
        assert poller.scrapes == (poller.latest.value,) == tuple(published)
        fake.behaviour = page(5)
        await poller.scrape()
    assert poller.newest is poller.latest.value
    assert [one.running for one in poller.scrapes if isinstance(one, MetricSample)] == [3, 5]


async def test_that_nothing_is_read_between_when_nobody_looks_closer(
    poller: MetricsPoller, url: Url, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeVllm(page(3)) as fake:
        url.value = fake.url
        await poller.scrape()
        fake.behaviour = page(4)
        assert await glance(poller) is poller.latest.value
        monkeypatch.setattr(room, "CLOSER_S", 0.0)
        poller.look_closer()  # and nobody asked again
        assert await glance(poller) is poller.latest.value


@pytest.mark.parametrize("behaviour", [Behaviour(metrics_page=""), Behaviour(metrics_delay_s=5)])
async def test_that_a_reading_between_which_brings_nothing_is_no_gap(url: Url, behaviour: Behaviour) -> None:
    poller = MetricsPoller(lambda: url.value, timeout_s=2)
    async with FakeVllm(page(3)) as fake:
        url.value = fake.url
        await poller.scrape()
        fake.behaviour = behaviour
        poller.look_closer()
        assert await glance(poller) is poller.latest.value
        assert isinstance(poller.latest.value, MetricSample)
        await poller.close()


async def test_that_a_reading_between_is_left_when_the_next_scrape_is_due(poller: MetricsPoller, url: Url) -> None:
    async with FakeVllm(page(3)) as fake:
        url.value = fake.url
        await poller.scrape()
        fake.behaviour = page(4)
        poller.look_closer()
        assert await glance(poller, left_s=-1.0) is poller.latest.value
