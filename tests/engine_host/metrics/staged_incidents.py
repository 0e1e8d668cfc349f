"""Ten things that go wrong at a kitchen, staged: what happens is told here, never what it is called."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_batch import stays_of
from engine_host.metrics.why_peers import peers_of
from engine_host.metrics.why_scene import Scene
from engine_host.metrics.why_slow import why_slow
from engine_host.metrics.why_told import Cause
from engine_host.metrics.why_turn import seen_of
from tests.engine_host.metrics.staged_engine import T0, Asked, StagedEngine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine_host.metrics.why_told import Why

NAMES: Final = {"kamala": "Kamala Dabba", "annapurna": "Annapurna Rasoi", "meridian": "Meridian Offices"}
TENANTS: Final = tuple(NAMES)
AT: Final = 60.0
"""When it begins, in s: a quiet minute lies before it."""


def quiet(chance: Random, until: float = 80.0) -> list[Asked]:
    """A kitchen on a common day: a question every second or two, one in four about an order."""
    asked, at = [], 0.0
    while at < until:
        is_help = chance.random() < 0.75
        asked.append(
            Asked(
                at, chance.choice(TENANTS), prompt=chance.randint(520, 620), cached=448,
                output=chance.randint(40, 70), sentence=chance.randint(14, 26),
                lookup=0.0 if is_help else chance.uniform(0.06, 0.16), is_help=is_help,
            )
        )  # fmt: skip
        at += chance.uniform(0.8, 1.6)
    return asked


def three_long_refunds_in_a_small_cache(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    size = chance.randint(800, 1150)
    engine = StagedEngine(blocks=3 * size // 16 + chance.randint(45, 60))
    long = [Asked(AT - 1.5, "meridian", prompt=size, cached=448, output=chance.randint(130, 170)) for _ in range(3)]
    return engine, [*long, Asked(AT + 1, "kamala", name="victim")]


def a_very_long_complaint(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    return StagedEngine(), [
        Asked(AT, "kamala", prompt=chance.randint(2400, 3800), cached=chance.choice((0, 448)), name="victim")
    ]


def a_prompt_whose_beginning_is_not_kept_any_more(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    return StagedEngine(), [
        Asked(AT, "kamala", prompt=chance.randint(560, 640), cached=chance.choice((0, 16)), name="victim")
    ]


def a_slow_order_system(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    return StagedEngine(), [Asked(AT, "annapurna", lookup=chance.uniform(0.9, 3.0), is_help=False, name="victim")]


def lunch_time(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    engine = StagedEngine(max_seqs=chance.randint(6, 9), tells_queue=chance.random() < 0.5)
    crowd = [
        Asked(AT - 1.5 + n * 0.05, TENANTS[n % 3], output=chance.randint(70, 110))
        for n in range(chance.randint(12, 18))
    ]
    return engine, [*crowd, Asked(AT, "kamala", name="victim")]


def a_process_that_is_stopped_by_a_signal(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    start = AT + chance.uniform(0.1, 1.5)
    engine = StagedEngine(still=[(start, start + chance.uniform(3.5, 9.0))], deaf=chance.random() < 0.5)
    return engine, [Asked(AT, "kamala", output=60, name="victim")]


def one_office_asks_all_at_once(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    engine = StagedEngine(max_seqs=chance.randint(12, 16))
    crowd = [
        Asked(AT - 1 + n * 0.03, "meridian", output=chance.randint(80, 120)) for n in range(chance.randint(24, 36))
    ]
    return engine, [*crowd, Asked(AT + 0.8, "kamala", name="victim")]


def a_sentence_without_an_end(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    sentence = chance.randint(55, 80)
    return StagedEngine(), [Asked(AT, "kamala", output=sentence + 4, sentence=sentence, name="victim")]


def an_engine_that_dies_and_comes_back(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    moves = chance.random() < 0.5
    engine = StagedEngine(dies=(AT + (1.0 if moves else 0.2), chance.uniform(3.0, 8.0)), moves=moves)
    at = AT if moves else AT + chance.uniform(0.4, 2.0)
    return engine, [Asked(at, "kamala", output=70, sentence=30, name="victim")]


def a_phone_in_a_lift(chance: Random) -> tuple[StagedEngine, list[Asked]]:
    return StagedEngine(), [Asked(AT, "kamala", reader=chance.uniform(1.5, 6.0), name="victim")]


Stage = tuple[StagedEngine, list[Asked]]
INCIDENTS: Final[dict[Cause, Callable[[Random], Stage]]] = {
    Cause.KV_FULL: three_long_refunds_in_a_small_cache,
    Cause.LONG_PREFILL: a_very_long_complaint,
    Cause.COLD_PREFIX: a_prompt_whose_beginning_is_not_kept_any_more,
    Cause.SLOW_LOOKUP: a_slow_order_system,
    Cause.QUEUE_LIMIT: lunch_time,
    Cause.STALLED: a_process_that_is_stopped_by_a_signal,
    Cause.FLOOD: one_office_asks_all_at_once,
    Cause.SLOW_GATE: a_sentence_without_an_end,
    Cause.RESTART: an_engine_that_dies_and_comes_back,
    Cause.SLOW_CLIENT: a_phone_in_a_lift,
}


def asked_why(engine: StagedEngine, name: str, names: Mapping[str, str] = NAMES) -> Why:
    """What "Why slow?" says of one turn, from nothing but samples, events and settled turns."""
    seen = [one for turn in engine.turns if (one := seen_of(turn)) is not None]
    turn = next(one for one in seen if one.turn_id == name)
    stays = stays_of(seen, (), "r1", T0 + 200)
    scene = Scene(engine.samples, stays, engine.events, peers_of(turn, seen), engine.max_seqs, names)
    return why_slow(turn, scene)


def staged(incident: Callable[[Random], Stage], seed: int) -> Why:
    chance = Random(seed)
    engine, asked = incident(chance)
    engine.run([*quiet(chance), *asked], until=80.0)
    return asked_why(engine, "victim")
