"""Which engines the Live page shows: one of them, or all added up; and what is said of that. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from console.live.adding_up import add_up
from console.live.engine_reading import later_of
from console.live.view import ALL
from console.widgets.engine_kinds import ENGINE_KINDS
from engine_host.engine.worst import worst_state
from engine_host.metrics.adding_up import add_up_samples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.live.engine_reading import EngineRead
    from console.live.reading import LiveRead
    from console.live.tracks import EngineRows
    from console.widgets.pill import PillKind
    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import MetricSample


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page is about: figures of one engine, or of all of them."""

    engine: EngineState
    rows: EngineRows
    newest: MetricSample | None
    max_seqs: int | None


def derive_shown(engines: Sequence[EngineRead], key: str) -> Shown:
    """The engine of this key, or all when it is ALL or gone."""
    chosen = next((one for one in engines if one.key == key), engines[0] if len(engines) == 1 else None)
    if chosen is not None:
        return Shown(chosen.state, chosen.rows, chosen.newest, chosen.max_seqs)
    rows = add_up([one.rows for one in engines])
    running = _running(engines)
    newest = _newest(running or engines)
    known = [one.max_seqs for one in running if one.max_seqs is not None]
    max_seqs = sum(known) if known and len(known) == len(running) else None
    return Shown(worst_state([one.state for one in engines]), rows, newest, max_seqs)


def derive_newest(read: LiveRead, told: Mapping[str, MetricSample], key: str) -> LiveRead:
    """`read` with the later samples among `told`; what is a chart or a window stays as it was read."""
    engines = tuple(replace(one, newest=later_of(one.newest, told.get(one.key))) for one in read.engines)
    chosen = next((one for one in engines if one.key == key), engines[0] if len(engines) == 1 else None)
    newest = chosen.newest if chosen is not None else _newest(_running(engines) or engines)
    return replace(read, engines=engines, newest=newest)


def _running(engines: Sequence[EngineRead]) -> list[EngineRead]:
    return [one for one in engines if one.state.can_answer and one.newest is not None]


def _newest(engines: Sequence[EngineRead]) -> MetricSample | None:
    """The sum of the newest samples; an engine whose last sample is old makes the sum as old as that."""
    told = {one.name: one.newest for one in engines if one.newest is not None}
    return add_up_samples(told) if told else None


def runs_of(engine: EngineState, names: Mapping[str, str]) -> frozenset[str]:
    """Every run of this engine: the turns that it answered name them."""
    own = {run for run, name in names.items() if name == engine.name}
    return frozenset(own | {engine.run} if engine.run else own)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    key: str
    text: str
    kind: PillKind


def derive_choices(engines: Sequence[EngineRead]) -> tuple[EngineChoice, ...]:
    """All first, with the worst state of them; with one engine there is nothing to choose but it has its name."""
    worst = worst_state([one.state for one in engines])
    every = EngineChoice(ALL, f"All engines ({len(engines)})", _kind(worst))
    return (every, *(EngineChoice(one.key, _text(one), _kind(one.state)) for one in engines))


def derive_truth_line(engines: Sequence[EngineRead], key: str) -> str:
    """What no figure of the page says: who is not in the sum, or that one server serves several models."""
    shown = [one for one in engines if one.key == key] or list(engines)
    unread = [one.name for one in shown if one.state.can_answer and one.newest is None]
    if len(shown) > 1 and unread:
        return f"Not in these figures: {', '.join(unread)}, whose metrics cannot be read."
    models = shown[0].newest.models if len(shown) == 1 and shown[0].newest is not None else ()
    if len(models) > 1:
        return f"These figures are of {len(models)} models together: {', '.join(models)}."
    return ""


def _text(one: EngineRead) -> str:
    return one.name if one.state.can_answer else f"{one.name}, {one.state.status.value}"


def _kind(state: EngineState) -> PillKind:
    return ENGINE_KINDS.get(state.status, "neutral")
