"""An independent judge of the Live page: a recorded load goes through the real poller, reader and derive functions, and
every figure is worked out again from the raw pages and the raw turns, by code that knows nothing of the page's.

The same judge sits over the real engine in tests/journeys/test_live_journey.py.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from console.live import reading
from console.live.latency_shown import derive_latency
from console.live.reading import LiveReader
from console.live.tiles_shown import derive_rows
from console.live.view import View
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics import poller
from engine_host.metrics.poller import MetricsPoller
from engine_host.published import Published
from storage.paths import Home
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.live.house import Engine, Engines, Seat, open_house
from tests.console.live.judge import SERIES, Judge, RawPage, SeenTurn, ranked
from tests.console.live.verdicts import (
    judge_engine_charts,
    judge_gaps,
    judge_latency,
    judge_tiles,
    points,
)
from tests.console.live.verdicts_of_turns import judge_tenants
from tests.fakes.page_server import PageServer
from tests.fakes.recorded_load import RUNS, SECONDS, TENANTS, RawTurn, RecordedLoad, recorded_load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from console.live.reading import LiveRead
    from tests.console.live.house import Poller

BEGAN = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
ENDED = BEGAN.timestamp() + SECONDS
CHOICES = {"all": (0, 1), "1": (0,), "2": (1,)}
"""What is chosen on the page, and the engines that it stands for."""


def judge_of(load: RecordedLoad, which: Sequence[int]) -> Judge:
    """Of the turns that had ended when the record ended."""
    pages = (enumerate(load.engines[number].pages) for number in which)
    runs = {RUNS[number] for number in which}
    return Judge(
        pages=tuple(tuple(RawPage(BEGAN.timestamp() + second, text) for second, text in own) for own in pages),
        turns=tuple(_seen(turn) for turn in load.turns if turn.run in runs and turn.ended <= SECONDS),
        now=ENDED,
    )


def _seen(turn: RawTurn) -> SeenTurn:
    asked, total = BEGAN.timestamp() + turn.asked, turn.ended - turn.asked
    times = {"ttft": turn.ttft, "decode": turn.decode, "inter_token": turn.gap, "total": total}
    use = (turn.prompt, turn.cached, turn.output)
    return SeenTurn(turn.turn_id, turn.tenant, asked, asked + total, *use, times)


# The record goes through the program


VIEWS = tuple(View(engine=engine, latency=key) for engine in CHOICES for key in ("ttft", "queue"))


@dataclass(frozen=True)
class Record:
    """A load, and what the page's reader made of it for each choice."""

    load: RecordedLoad
    reads: Mapping[View, LiveRead]

    def choices(self, latency: str = "ttft") -> Iterator[tuple[View, LiveRead, Judge]]:
        for view in VIEWS:
            if view.latency == latency:
                yield view, self.reads[view], judge_of(self.load, CHOICES[view.engine])


@pytest.fixture(scope="module", params=[1, 2], ids=["seed 1", "seed 2"])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Record:
    load = recorded_load(request.param)
    with pytest.MonkeyPatch.context() as patch:
        return Record(load, asyncio.run(_reads(load, tmp_path_factory.mktemp("judge"), patch)))


async def _reads(load: RecordedLoad, folder: Path, patch: pytest.MonkeyPatch) -> dict[View, LiveRead]:
    """Each page is fetched at its second, by the machine's clock and by the monotonic one."""
    clock = SimpleNamespace(second=0.0)
    now = SimpleNamespace(now=lambda _zone: BEGAN + timedelta(seconds=clock.second))
    patch.setattr(poller, "datetime", now)
    patch.setattr(poller, "time", SimpleNamespace(monotonic=lambda: 5_000.0 + clock.second))
    patch.setattr(reading, "time", SimpleNamespace(time=lambda: ENDED))
    house = await open_house(Home(folder / "home"))
    async with PageServer() as one, PageServer() as other:
        servers = (one, other)
        pollers = [MetricsPoller(lambda url=server.url: url) for server in servers]
        for second in range(SECONDS + 1):
            clock.second = float(second)
            for number, server in enumerate(servers):
                server.page = load.engines[number].pages[second]
                await pollers[number].scrape()
        for each in pollers:
            await each.close()
    house.engines = Engines(tuple(_seat(number, pollers[number], folder) for number in (0, 1)))
    await house.database.run(lambda session: _put(session, load.turns))
    reads: dict[View, LiveRead] = {}
    for view in VIEWS:
        reads[view] = await LiveReader(house).read(view)
    await house.database.close()
    return reads


def _seat(number: int, source: MetricsPoller, folder: Path) -> Seat:
    state = EngineState(EngineStatus.READY, f"engine {number + 1}", "bench", "http://127.0.0.1:1", RUNS[number])
    return Seat(str(number + 1), Engine(folder / f"run-{number}", Published(state)), cast("Poller", source))


def _put(session: Session, turns: Sequence[RawTurn]) -> None:
    """Those that had ended when the record ended."""
    for turn in turns:
        if turn.ended <= SECONDS:
            asked = BEGAN + timedelta(seconds=turn.asked)
            open_turn(session, NewTurn(turn.turn_id, turn.tenant, turn.tenant, None, "", "q", asked, turn.run))
            milliseconds = [1000 * one for one in (turn.ttft, turn.decode, turn.gap, turn.ended - turn.asked)]
            ttft, decode, gap, total = milliseconds
            times = TurnTimes(ttft=ttft, decode=decode, inter_token=gap, total=total)
            use = TokenUse(turn.prompt, turn.cached, turn.output)
            settle_turn(session, SettledTurn(turn.turn_id, TurnOutcome.ANSWERED, "en", "a", use, times))


# What is judged


def test_that_every_tile_says_what_the_raw_pages_and_turns_say(record: Record) -> None:
    for view, told, judge in record.choices():
        judge_tiles(told, view, judge)


def test_that_the_last_point_of_every_chart_is_what_the_raw_pages_say(record: Record) -> None:
    for view, told, judge in record.choices():
        judge_engine_charts(told, view, judge)


def test_that_every_point_of_one_engine_is_what_its_raw_pages_say(record: Record) -> None:
    for view, told, judge in record.choices():
        if len(judge.pages) == 1:
            judge_engine_charts(told, view, judge, SECONDS)
            judge_gaps(told, judge)


def test_that_tokens_and_table_are_those_of_each_tenants_turns(record: Record) -> None:
    for view, told, judge in record.choices():
        judge_tenants(told, view, judge, SECONDS)
        assert {row.tenant_id for row in derive_rows(told, view)} == set(TENANTS)


@pytest.mark.parametrize("key", ["queue", "ttft", "inter_token"])
def test_that_own_percentiles_are_exact_and_the_engines_lie_in_the_true_bucket(record: Record, key: str) -> None:
    latency = "queue" if key == "queue" else "ttft"
    for view, told, judge in record.choices(latency):
        judge_latency(told, view, judge, key)
        if CHOICES[view.engine] == (0,):  # what a process saw in its last second nobody knows
            chart, scale = derive_latency(told, view, key), 1000 if key == "inter_token" else 1
            ((_, low),), ((_, high),) = (points(chart, edge, 1) for edge in ("low", "high"))
            observed = record.load.engines[0].observed[SERIES[key]]
            true = [value for moment, value in observed if SECONDS - judge.window_s < moment <= SECONDS]
            assert low <= ranked(true, 0.95) * scale <= high
