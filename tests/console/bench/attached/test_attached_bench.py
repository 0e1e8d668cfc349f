"""The whole bench, briefly, against an engine that is quick to start."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import pytest

from console.bench.attached.bench import Kind, Wanted, measure, run_attached_bench
from console.bench.attached.engine import unwatched_engine
from console.bench.attached.figures import TARGETS
from console.bench.engine_kills import place
from engine_host.engine.models import QWEN_1B
from engine_host.engine.profile import EngineProfile
from engine_host.metrics.poller import read_once
from engine_host.metrics.samples import MetricSample, ScrapeGap
from storage.paths import Home
from storage.settings import EngineSettings
from tests.engine_host.engine.conftest import FAKE_PYTHON
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from pathlib import Path

BRIEF = Wanted(pairs=2, seconds=1.0, streams=2, load_settle_s=0.0, console_settle_s=0.0)
TALE = Behaviour(words=("word",) * 3000, token_delay_s=0.02)


class Listening(FakeVllm):
    """Notes, for each answer of the load, what else was asked for while it was written."""

    def __init__(self, behaviour: Behaviour) -> None:
        super().__init__(behaviour)
        self.beside: list[set[str]] = []

    async def _answer(
        self, method: str, path: str, headers: dict[str, str], body: bytes, reader: Any, writer: Any
    ) -> None:
        if b"Story 0" in body:
            self.beside.append(set())
        elif self.counters.running:
            self.beside[-1].add(path)
        await super()._answer(method, path, headers, body, reader, writer)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose runtime is the fake vLLM."""
    python = tmp_path / "python"
    python.write_text(FAKE_PYTHON, encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(place, "ENGINE", EngineSettings(python=str(python), restarts=0))
    monkeypatch.setattr(place, "PROFILE", EngineProfile("fake", QWEN_1B))
    monkeypatch.setenv("FAKE_VLLM", json.dumps(asdict(TALE)))
    return Home(tmp_path / "home").make()


async def test_that_a_short_run_gives_every_figure(home: Home) -> None:
    result = await run_attached_bench(BRIEF, home)
    assert (result.figures["pairs"], result.figures["streams"]) == (2, 2)
    assert None not in result.figures.values()
    assert set(result.targets) == set(TARGETS)
    assert result.figures["console_cpu_share"] != 0


async def test_that_nobody_asks_the_engine_anything_in_a_stretch_without_the_console() -> None:
    wanted = replace(BRIEF, pairs=1, streams=1)
    order = random.Random(wanted.seed).sample(tuple(Kind), len(Kind))
    async with Listening(TALE) as fake:
        (one,) = await measure(fake.url, fake.model, wanted)
    warming, *stretches = fake.beside
    assert len(stretches) == len(order)
    asked = {kind for kind, beside in zip(order, stretches, strict=True) if beside}
    assert not warming
    assert asked <= {Kind.ATTACHED}
    assert one.attached.scrapes_a_second is not None


async def test_that_an_engine_of_the_bench_has_no_watch_and_ends_with_its_block(home: Home) -> None:
    async with unwatched_engine(home, place.PROFILE) as url:
        sample = await read_once(url)
        assert isinstance(sample, MetricSample)
        assert "engine watch" not in {task.get_name() for task in asyncio.all_tasks()}
    assert isinstance(await read_once(url), ScrapeGap)
