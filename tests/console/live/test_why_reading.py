"""What the reader behind the seat map and the worst turns makes of the rooms of the house."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from console.live.engine_reading import EngineRead
from console.live.ledger import fact_of, ledger_rows
from console.live.reading import LiveRead, LiveReader
from console.live.tracks import EngineHistory
from console.live.view import ALL, View
from console.live.why_reading import MOST_ROWS, SLOW_S, WhyRead, WhyReader
from engine_host.answering.events import Question
from engine_host.answering.turn_record import TurnRecord
from engine_host.answering.under_way import TurnsUnderWay
from engine_host.answering.way import EngineUse
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.seats import NOT_OURS
from engine_host.metrics.slots import SlotSample, held_by
from engine_host.metrics.why_told import Cause
from storage.paths import Home
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from storage.settings import Settings
from tests.console.live.house import READY, Engine, Engines, Poller, Seat, open_house, recent
from tests.console.live.scrapes import gap
from tests.console.live.why_scenes import TENANTS
from tests.engine_host.metrics.staged_engine import T0, Asked, StagedEngine
from tests.engine_host.metrics.staged_incidents import AT, quiet

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from engine_host.metrics.samples import Scrape

NOW = T0 + 90.0


@dataclass
class Turns:
    under_way: TurnsUnderWay = field(default_factory=TurnsUnderWay)


@dataclass
class Slots:
    samples: tuple[SlotSample, ...] = ()


@dataclass
class Rooms:
    engines: Engines
    turns: Turns = field(default_factory=Turns)
    slots: Slots = field(default_factory=Slots)
    settings: Settings = field(default_factory=Settings)


def rooms(*scrapes: Scrape) -> Rooms:
    poller = Poller()
    poller.bring(*scrapes)
    return Rooms(Engines((Seat("1", Engine(Path("engine.json")), poller),)))


def lunch() -> StagedEngine:
    """One office asks 24 times at once; the batch holds 8."""
    engine = StagedEngine(max_seqs=8)
    crowd = [Asked(AT + n * 0.03, "meridian", output=90) for n in range(24)]
    engine.run([*quiet(Random(5)), *crowd, Asked(AT + 1, "kamala", name="victim")], until=80.0)
    return engine


def told_of(engine: StagedEngine, now: float = NOW, *newest: MetricSample | None) -> LiveRead:
    """`newest` are the last samples of the engines, of run r1, r2, …"""
    rows = EngineHistory().rows(())
    reads = tuple(
        EngineRead(str(n), replace(READY, run=f"r{n}"), rows, one, engine.max_seqs)
        for n, one in enumerate(newest or (None,), start=1)
    )
    facts = ledger_rows([fact_of(turn) for turn in engine.turns], now)
    return LiveRead(now, READY, rows, None, engine.max_seqs, ledger=facts, tenants=TENANTS, engines=reads)


def a_turn(house: Rooms, tenant: str, prompt: int, output: int, cached: int = 0) -> None:
    record = TurnRecord(Question("q", tenant, None), "r1")
    record.take(
        replace(
            EngineUse(0.0, first_token_at=1.0, longest=96).at("r1"),
            prompt_tokens=prompt, cached_tokens=cached, output_tokens=output,
        )
    )  # fmt: skip
    house.turns.under_way.enter(record)


def test_that_the_worst_turns_of_the_last_minute_are_explained_by_samples_and_neighbours() -> None:
    engine = lunch()
    read = WhyReader(rooms(*engine.samples)).read(told_of(engine), ALL)
    assert 0 < len(read.worst) <= MOST_ROWS
    assert all((one.turn.first_text or 0) > SLOW_S for one in read.worst)
    assert read.worst[0].why.cause is Cause.FLOOD
    assert "Meridian Offices had 8 of 8 seats" in read.worst[0].why.sentence
    assert read.median is not None


def test_that_any_turn_that_has_ended_can_be_asked_about() -> None:
    engine = lunch()
    reader, told = WhyReader(rooms(*engine.samples)), told_of(engine)
    named = reader.why("victim", told)
    assert named is not None
    assert (named.turn.turn_id, named.why.cause) == ("victim", Cause.FLOOD)
    assert reader.why("nobody's", told) is None


def test_that_a_minute_later_nothing_is_left_of_it() -> None:
    engine = lunch()
    reader = WhyReader(rooms(*engine.samples))
    reader.read(told_of(engine), ALL)
    later = reader.read(told_of(engine, NOW + 120), ALL)
    assert (later.worst, later.median) == ((), None)


def now_with(seconds_ago: float = 1.0, **figures: float) -> MetricSample:
    return MetricSample(datetime.fromtimestamp(NOW - seconds_ago, UTC), 1.0, 2.0, **figures)  # type: ignore[arg-type]


def seats_of(house: Rooms, engine: str, *newest: MetricSample | None) -> WhyRead:
    return WhyReader(house).read(told_of(StagedEngine(), NOW, *newest), engine)


def test_that_seats_are_given_to_turns_under_way_and_the_rest_is_not_ours() -> None:
    house = rooms(gap(0))
    a_turn(house, "kamala", 60, 4)
    a_turn(house, "meridian", 40, 0, cached=32)
    house.slots.samples = tuple(
        SlotSample(NOW - 3 + n, held_by(house.turns.under_way.snapshot(), {"r1": 16})) for n in range(3)
    )
    read = seats_of(house, "1", now_with(kv_usage=0.5, kv_blocks=20, block_size=16))
    seat = read.seat
    assert (seat.seats.total, seat.seats.used, seat.seats.seats.count(NOT_OURS)) == (20, 10, 3)
    assert dict(seat.seqs) == {"kamala": 1, "meridian": 1}
    assert dict(seat.held) == {"kamala": 8.0, "meridian": 6.0}
    assert seat.held_s == 3.0
    assert read.runs == frozenset({"r1"})


def test_that_without_figures_of_the_engine_the_map_says_why() -> None:
    house, full = rooms(gap(0)), {"kv_usage": 0.1, "kv_blocks": 20, "block_size": 16}
    assert seats_of(house, ALL, None).seat.missing.startswith("No sample")
    assert seats_of(house, ALL, now_with(11.0, **full)).seat.missing.startswith("No sample")
    assert "does not publish" in seats_of(house, ALL, now_with(running=1.0)).seat.missing
    no_size = seats_of(house, ALL, now_with(kv_usage=0.1, kv_blocks=20))
    assert no_size.seat.missing == "This engine does not say how many tokens a KV block holds."


def test_that_one_missed_scrape_does_not_take_the_map_away() -> None:
    assert seats_of(rooms(gap(0)), ALL, now_with(3.0, kv_usage=0.1, kv_blocks=20, block_size=16)).seat.seats.total == 20


def test_that_two_engines_are_one_cache_and_each_has_its_own() -> None:
    house = rooms(gap(0))
    a_turn(house, "kamala", 60, 4)
    both = (
        now_with(kv_usage=0.0, kv_blocks=20, block_size=16),
        now_with(kv_usage=0.5, kv_blocks=30, block_size=16),
    )
    assert seats_of(house, ALL, *both).seat.seats.total == 50
    alone = seats_of(house, "2", *both).seat
    assert (alone.seats.total, alone.seats.seats.count(NOT_OURS), alone.seqs) == (30, 15, ())


async def test_that_a_slow_turn_of_the_ledger_reaches_the_page_with_its_cause(tmp_path: Path) -> None:
    house = await open_house(Home(tmp_path))

    def put_slow_turn(session: Session) -> None:
        asked = datetime.now(UTC) - timedelta(seconds=5)
        open_turn(session, NewTurn("slow", "kamala", "kamala", None, "", "where is my box", asked, None))
        times = TurnTimes(lookup=1900.0, first_text=1905.0, total=1910.0, client=0.0)
        events = ({"event": "Routed", "order": True, "help": False}, {"event": "ToolCalled", "elapsed_ms": 1900.0})
        settle_turn(
            session, SettledTurn("slow", TurnOutcome.ORDER_STATED, "en", "On its way.", TokenUse(), times, events)
        )

    try:
        await house.database.run(put_slow_turn)
        house.poller.bring(recent(0.0, kv_usage=0.5, kv_blocks=20, block_size=16))
        read = await LiveReader(house).read(View())
    finally:
        await house.database.close()
    (one,) = read.why.worst
    assert (one.turn.question, one.why.cause) == ("where is my box", Cause.SLOW_LOOKUP)
    assert one.why.sentence == "Order system took 1.9 s."
    assert read.why.seat.seats.total == 20
