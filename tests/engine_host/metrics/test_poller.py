from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

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
