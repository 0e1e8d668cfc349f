"""An independent judge of the Live page: a recorded load goes through the real poller, reader and derive functions, and
every figure is worked out again from the raw pages and the raw turns, by code that knows nothing of the page's.

Counts must be equal; percentiles of the engine must lie in the bucket that the raw counts and the true values say.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from console.live import reading
from console.live.charts_shown import derive_batch, derive_kv, derive_tokens
from console.live.latency_shown import derive_latency
from console.live.reading import LiveReader
from console.live.steps_shown import derive_steps, derive_tokens_in
from console.live.tiles_shown import derive_rows, derive_tiles
from console.live.view import View
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics import poller
from engine_host.metrics.poller import MetricsPoller
from engine_host.published import Published
from storage.paths import Home
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.live.house import Engine, Engines, Seat, open_house
from tests.console.live.judge import PACE, SMOOTH, WINDOW, Judge, ranked
from tests.fakes.page_server import PageServer
from tests.fakes.recorded_load import (
    BLOCKS,
    QUEUE,
    RUNS,
    SECONDS,
    TENANTS,
    TTFT,
    RawTurn,
    RecordedLoad,
    recorded_load,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from console.live.charts_shown import ChartShown
    from console.live.reading import LiveRead
    from console.widgets.tile import TileFigures
    from tests.console.live.house import Poller

BEGAN = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
CHOICES = {"all": (0, 1), "1": (0,), "2": (1,)}
"""What is chosen on the page, and the engines that it stands for."""
PROMPTS = {
    "prompt": ("prompt_tokens_total", ""),
    "computed": ("prompt_tokens_by_source_total", "local_compute"),
    "cached": ("prompt_tokens_cached_total", ""),
}


def last(chart: ChartShown, key: str) -> float:
    return float(chart.data[key][1][-1])


def text(tile: TileFigures, place: int = 0) -> str:
    return tile.figures[place].number


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
                yield view, self.reads[view], Judge(self.load, CHOICES[view.engine])


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
    patch.setattr(reading, "time", SimpleNamespace(time=lambda: BEGAN.timestamp() + SECONDS))
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
        tiles, count = derive_tiles(told, view), len(judge.which)
        assert text(tiles["batch"]) == f"{judge.now('num_requests_running'):,.0f}"
        assert text(tiles["batch"], 1) == f"{judge.now('num_requests_waiting'):,.0f}"
        share = judge.now("kv_cache_usage_perc") / count
        assert text(tiles["kv"]) == f"{share * 100:.1f}"
        assert tiles["kv"].caption == f"{share * BLOCKS * count:,.0f} of {BLOCKS * count:,} blocks"
        assert text(tiles["ttft"]) == f"{ranked([turn.ttft for turn in judge.ended()], 0.95):.2f}"
        assert text(tiles["inter_token"]) == f"{ranked([turn.gap for turn in judge.ended()], 0.95) * 1000:.0f}"
        assert text(tiles["tokens"]) == f"{judge.grown('generation_tokens_total', PACE) / PACE:,.0f}"
        hits, asked = (judge.grown(f"prefix_cache_{name}_total", WINDOW) for name in ("hits", "queries"))
        assert text(tiles["prefix"]) == f"{hits / asked * 100:.1f}"
        assert tiles["prefix"].caption == f"{hits:,.0f} of {asked:,.0f} tokens cached"


def test_that_the_last_point_of_every_chart_is_what_the_raw_pages_say(record: Record) -> None:
    for view, told, judge in record.choices():
        batch, taken, steps = derive_batch(told, view), derive_tokens_in(told, view), derive_steps(told, view)
        assert last(batch, "running") == judge.now("num_requests_running")
        assert last(batch, "waiting") == judge.now("num_requests_waiting_by_reason", "capacity")
        assert last(batch, "deferred") == 0
        assert batch.note == f"preempted {judge.grown('num_preemptions_total', WINDOW):,.0f} in 1 min"
        assert last(derive_kv(told, view), "used") == round(judge.now("kv_cache_usage_perc") * BLOCKS)
        for key, (name, own) in PROMPTS.items():
            assert last(taken, key) == pytest.approx(judge.grown(name, SMOOTH, own) / SMOOTH)
        made, count = (judge.grown(f"iteration_tokens_total_{part}", SMOOTH) for part in ("sum", "count"))
        assert last(steps, "tokens") == pytest.approx(made / count)


def test_that_tokens_out_are_the_engines_count_and_each_tenants_turns(record: Record) -> None:
    for view, told, judge in record.choices():
        tokens = derive_tokens(told, view, lambda _at: "")
        assert last(tokens, "engine") == pytest.approx(judge.grown("generation_tokens_total", SMOOTH) / SMOOTH)
        for tenant in TENANTS:
            own = [turn for turn in judge.turns() if turn.tenant == tenant]
            assert last(tokens, tenant) == pytest.approx(sum(map(written, own)) / SMOOTH)


def written(turn: RawTurn) -> float:
    """Of a turn's tokens, spread over its decode, those of the last seconds."""
    within = min(turn.ended, SECONDS) - max(turn.ended - turn.decode, SECONDS - SMOOTH)
    return turn.output * max(0.0, within) / turn.decode


@pytest.mark.parametrize(("key", "series"), [("queue", QUEUE), ("ttft", TTFT)])
def test_that_own_percentiles_are_exact_and_the_engines_lie_in_the_true_bucket(
    record: Record, key: str, series: str
) -> None:
    for view, told, judge in record.choices(key):
        chart = derive_latency(told, view, key)
        low, high = judge.bucket(series, 0.95)
        assert (last(chart, "low"), last(chart, "high")) == (low, high)
        if judge.which == (0,):  # what a process saw in its last second nobody knows
            assert low <= ranked(judge.true_values(series), 0.95) <= high
        for share, line in ((0.5, "p50"), (0.95, "p95"), (0.99, "p99")):
            under, over = judge.bucket(series, share)
            own = ranked([turn.ttft for turn in judge.ended()], share)
            shown = last(chart, line)
            assert shown == pytest.approx(own, abs=1e-6) if key == "ttft" else under <= shown <= over


def test_that_the_table_counts_each_tenants_turns_of_the_window(record: Record) -> None:
    for view, told, judge in record.choices():
        rows = {row.tenant_id: row for row in derive_rows(told, view)}
        assert set(rows) == set(TENANTS)
        for tenant, row in rows.items():
            own = [turn for turn in judge.ended() if turn.tenant == tenant]
            sums = [sum(getattr(turn, name) for turn in own) for name in ("prompt", "cached", "output")]
            assert [row.requests, row.prompt, row.cached, row.output] == [len(own), *sums]
