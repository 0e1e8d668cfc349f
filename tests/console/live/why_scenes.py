"""Readings for the seat map and the worst turns: made by the staged engine, as the reader of the page makes them."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from console.live.why_reading import SLOW_S, SeatRead, WhyRead
from engine_host.answering.under_way import Step, TurnUnderWay
from engine_host.metrics.seats import SeatMap, holders_of, seat
from engine_host.metrics.why_batch import stays_of
from engine_host.metrics.why_detail import TurnWhy, detail_of
from engine_host.metrics.why_peers import median_first_text, peers_of
from engine_host.metrics.why_scene import Scene
from engine_host.metrics.why_turn import seen_of
from storage.records import Quota, Tenant
from tests.engine_host.metrics.staged_engine import T0, Asked, StagedEngine
from tests.engine_host.metrics.staged_incidents import AT, NAMES, quiet

QUOTA = Quota(20_000_000, 240, 12, 1024, 512)
TENANTS = tuple(
    Tenant(key, name, "", colour, "Asia/Kolkata", "KD", QUOTA, "020")
    for colour, (key, name) in enumerate(NAMES.items(), 1)
)
SIZES = {"r1": 128}


def busy_minute(seed: int = 3) -> WhyRead:
    """A minute at lunch: an office asks much at once, a look-up is slow, and one prompt is very long."""
    chance, engine = Random(seed), StagedEngine(max_seqs=8)
    crowd = [Asked(AT + n * 0.05, "meridian", output=chance.randint(70, 110)) for n in range(14)]
    more = [
        Asked(AT + 1, "annapurna", lookup=1.7, is_help=False),
        Asked(AT + 30, "kamala", prompt=3000, cached=0),
        Asked(AT + 40, "kamala", output=90, sentence=84),
    ]
    engine.run([*quiet(chance, 110.0), *crowd, *more], until=110.0)
    seen = [one for turn in engine.turns if (one := seen_of(turn)) is not None]
    stays, now = stays_of(seen, (), "r1", T0 + 200), T0 + 118
    last = [turn for turn in seen if now - 60 < turn.ended_at <= now]
    slow = sorted((turn for turn in last if (turn.first_text or 0) > SLOW_S), key=lambda turn: -(turn.first_text or 0))
    details: list[TurnWhy] = []
    for turn in slow[:6]:
        scene = Scene(engine.samples, stays, engine.events, peers_of(turn, seen), engine.max_seqs, NAMES)
        details.append(detail_of(turn, scene))
    return WhyRead(tuple(details), median_first_text(last))


def under_way(count: int, prompt: int = 360) -> tuple[TurnUnderWay, ...]:
    return tuple(
        TurnUnderWay(
            f"u{n}", TENANTS[n % 3].tenant_id, datetime.fromtimestamp(T0 + n, UTC), Step.WRITING, "r1", prompt + 9 * n,
            256 if n % 2 else 0, 4 * n, 96,
        )
        for n in range(count)
    )  # fmt: skip


def seat_read(turns: int = 24, total: int = 364, used: int = 120, prompt: int = 360) -> SeatRead:
    """The map after some comings and goings."""
    seats = SeatMap()
    for count in (turns // 2, turns - 3, turns):
        seats = seat(seats, holders_of(under_way(count, prompt)[count // 8 :], SIZES), total, used, 128)
    held = (("kamala", 5996.0), ("annapurna", 3120.0), ("meridian", 5384.0))
    return SeatRead(seats, 128, (("kamala", 8), ("annapurna", 7), ("meridian", 7)), held, 60.0)
