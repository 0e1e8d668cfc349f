"""The Live page's reading over the real house: servers that speak HTTP, attached, scraped and added up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.house import open_house
from console.live.reading import LiveReader
from console.live.view import ALL, View
from engine_host.metrics.samples import MetricSample
from storage.paths import Home
from storage.settings import EngineSettings, MoreEngine, Settings, save_settings
from tests.engine_host.metrics.pages import v1
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


async def test_that_attached_engines_are_read_each_and_added_up(home: Home) -> None:
    pages = [v1(), v1().replace("8.0", "5.0"), ""]
    fakes = [FakeVllm(Behaviour(metrics_page=page)) for page in pages]
    for fake in fakes:
        await fake.__aenter__()
    wanted = tuple(MoreEngine(url=fake.url) for fake in fakes)
    save_settings(home, Settings(engine=EngineSettings(more=wanted)))
    house = await open_house(home)
    try:
        await house.engines.join()
        assert [seat.key for seat in house.engines.seats] == ["1", "2", "3", "4"]
        read = await LiveReader(house).read(View(engine=ALL))
        told = [one.newest.running if isinstance(one.newest, MetricSample) else None for one in read.engines]
        assert told == [None, 8, 5, None]
        assert read.newest is not None
        assert (read.newest.running, read.newest.rejections) == (13, 14)
        alone = await LiveReader(house).read(View(engine="3"))
        assert alone.newest is not None
        assert alone.newest.running == 5
        assert alone.engine.url == fakes[1].url
    finally:
        await house.close()
        for fake in fakes:
            await fake.stop()
