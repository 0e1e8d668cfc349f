"""The Live page over the real engine under load: 32 askers of three tenants, real turns, the real poller.

Each page of the engine is noted as it came, and at many moments what the page of the console would show; afterwards the
judge works every figure out again from the raw pages and the raw turns. DABBA_LIVE_S says how long the load lasts.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from console.house import open_house
from console.live.reading import LiveReader
from console.live.view import ALL, View
from engine_host.metrics import poller
from storage.records import TurnOutcome
from tests.console.live.judge import Judge, RawPage, SeenTurn
from tests.console.live.verdicts import (
    judge_engine_charts,
    judge_gaps,
    judge_latency,
    judge_tiles,
)
from tests.console.live.verdicts_of_turns import judge_seats, judge_tenants, judge_truth, judge_worst
from tests.journeys.live_load import (
    ASKERS,
    Load,
    ScrapeTap,
    is_idle,
    is_what_was_told,
    ledger_rows,
    mixed_lengths,
    seen_turn,
)

if TYPE_CHECKING:
    from console.house import House
    from console.live.reading import LiveRead
    from storage.paths import Home
    from storage.settings import Settings
    from tests.journeys.program import Program

LIVE_S = float(os.environ.get("DABBA_LIVE_S", "25"))
READ_EVERY_S = min(10.0, LIVE_S / 5)
CHOSEN = ("ttft", "queue", "prefill", "decode", "per_token", "e2e")
"""The latencies that a person can choose; inter-token has a panel of its own."""
SEEN_OVER = ((10.0, 60.0), (60.0, 300.0), (300.0, 900.0))
"""Windows of the percentiles, each with a span of the charts."""
POINTS = 15
"""Of each line, those that came since the reading before and some more."""
HOUR = 3600.0

pytestmark = [pytest.mark.journey, pytest.mark.timeout(int(6 * LIVE_S + 450))]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the page had at a moment, when `scrapes` pages had been told and `ended` turns were known to have ended."""

    view: View
    read: LiveRead
    scrapes: int
    ended: frozenset[str]


@dataclass
class Recording:
    house: House
    tap: ScrapeTap
    load: Load
    readings: list[Reading] = field(default_factory=list[Reading])

    async def take(self, reader: LiveReader, count: int) -> None:
        """As the page does at each sample, with `count` of the latencies, in turn."""
        for _ in range(count):
            place = len(self.readings)
            view = View(engine=(ALL, "1")[place // len(CHOSEN) % 2], latency=CHOSEN[place % len(CHOSEN)])
            scrapes, ended = len(self.tap.scrapes), self.load.ended
            self.readings.append(Reading(view, await reader.read(view), scrapes, ended))


async def record(house: House, tap: ScrapeTap, seconds: float) -> Recording:
    """The engine does nothing before the first page and after the last one."""
    stop = house.poller.latest.watch(tap.told)
    reader = LiveReader(house)
    await house.poller.scrape()
    while not is_idle(tap.scrapes[-1].text):
        await house.poller.scrape()
    tap.load_from = len(tap.scrapes)
    house.poller.start()
    house.slots.start()
    load = Load(house, asyncio.get_running_loop().time() + seconds)
    recording = Recording(house, tap, load)
    async with mixed_lengths(house):
        asking = asyncio.create_task(load.run())
        while not asking.done():
            await asyncio.wait({asking}, timeout=READ_EVERY_S)
            await recording.take(reader, 2)
        await asking
    await tap.until_idle()
    await recording.take(reader, 2 * len(CHOSEN))
    stop()
    return recording


async def record_on(home: Home, settings: Settings, tap: ScrapeTap) -> Recording:
    house = await open_house(home)
    house.engine.settings = settings
    try:
        await house.engines.join()
        assert house.engine.state.value.can_answer
        await house.library.warm()
        await house.turns.warm()
        return await record(house, tap, LIVE_S)
    finally:
        await house.close()


def raw_pages(recording: Recording) -> tuple[RawPage, ...]:
    """Each page at the moment that the console gave it, which lies between its coming and its telling."""
    moments = iter(recording.readings[-1].read.rows.times.tolist())
    pages = [
        RawPage(scrape.arrived if scrape.text is None else next(moments), scrape.text)
        for scrape in recording.tap.scrapes
    ]
    assert next(moments, None) is None
    for page, scrape in zip(pages, recording.tap.scrapes, strict=True):
        assert scrape.arrived - 1e-3 <= page.moment <= scrape.done + 1e-3
    return tuple(pages)


def runs_of(database: str, run: str) -> frozenset[str]:
    """All runs of the engine that this is a run of."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as rows:
        names: dict[str, str] = dict(rows.execute("select engine_run, name from engine_run").fetchall())
    rows.close()
    return frozenset({run} | {one for one, name in names.items() if name == names.get(run)})


def known_turns(reading: Reading, turns: dict[str, SeenTurn], ours: frozenset[str]) -> tuple[SeenTurn, ...]:
    """Of these turns those that the reading knew: all that had ended before it, and of the others some that ended
    while it was made."""
    known = {turn.turn_id for turn in reading.read.ledger.turns}
    before = reading.ended | (turns.keys() - ours)
    assert {key for key in before & turns.keys() if turns[key].asked > reading.read.now - HOUR} <= known
    return tuple(turns[key] for key in known)


def judge_reading(reading: Reading, pages: tuple[RawPage, ...], turns: tuple[SeenTurn, ...]) -> None:
    read = reading.read
    assert read.rows.times.tolist() == [page.moment for page in pages[: reading.scrapes] if page.text is not None]
    for window_s, span_s in SEEN_OVER:
        view = replace(reading.view, window_s=window_s, span_s=span_s)
        judge = Judge((pages[: reading.scrapes],), turns, read.now, window_s, span_s)
        judge_seats(read, judge)
        judge_worst(read, judge)
        judge_tiles(read, view, judge)
        judge_engine_charts(read, view, judge, POINTS)
        judge_gaps(read, judge)
        for key in (view.latency, "inter_token"):
            judge_latency(read, view, judge, key)
        judge_tenants(read, view, judge, POINTS)
        judge_truth(read, view, judge)


def judge_all(recording: Recording, database: str, run: str) -> None:
    load = recording.load
    kept = ledger_rows(recording.house.home.database_file)
    assert load.ended == frozenset(load.told)
    assert all(is_what_was_told(kept[key], told) for key, told in load.told.items())
    pages, runs = raw_pages(recording), runs_of(database, run)
    every = {key: seen_turn(row) for key, row in kept.items()}
    own = {key: turn for key, turn in every.items() if kept[key]["engine_run"] in runs}
    for reading in recording.readings:
        turns = every if reading.view.engine == ALL else own
        judge_reading(reading, pages, known_turns(reading, turns, frozenset(load.told)))
    assert Judge((pages,), (), recording.readings[-1].read.now).gaps()
    judge_sums(recording, pages)


def judge_sums(recording: Recording, pages: tuple[RawPage, ...]) -> None:
    """All that the engine counted is in the turns that the askers were told of; of a turn whose connection broke, on a
    machine that has too much to do, nobody knows the last tokens."""
    ended = [told.ended for told in recording.load.told.values() if told.ended is not None]
    broken = any(one.outcome is TurnOutcome.FAILED for one in ended)
    whole = Judge((pages,), (), recording.readings[-1].read.now)
    for kind, name in (("prompt", "prompt"), ("generation", "output")):
        counted, told = whole.grown(f"{kind}_tokens_total", HOUR), sum(getattr(one.tokens, name) for one in ended)
        assert counted is not None
        assert counted >= told if broken else counted == told


@pytest.mark.usefixtures("running_engine")
async def test_that_every_number_on_the_live_page_is_that_of_the_raw_pages_and_turns(
    dabba: Program, test_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap = ScrapeTap()
    monkeypatch.setattr(poller, "client_for", tap.client_for)
    run = json.loads((dabba.home.run / "engine.json").read_text(encoding="utf-8"))
    recording = await record_on(dabba.home, test_settings, tap)
    assert len(recording.load.told) >= sum(ASKERS.values())
    newest = recording.readings[-1].read
    assert newest.max_seqs == run["max_num_seqs"]
    judge_all(recording, str(dabba.home.database_file), run["run"])
