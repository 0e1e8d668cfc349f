"""What all engines of a house are doing this second: their states, and their newest figures added up. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.metrics.adding_up import add_up_histograms, add_up_samples
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.window import histogram_growth, in_window, quantile, rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.metrics.window import Quantile


@dataclass(frozen=True, slots=True)
class EnginesNow:
    """`sample` is the sum over the engines that can answer and have metrics at all, as old as the oldest of its parts;
    `output_rate` theirs in tokens a second. None = not known, because one of them does not tell."""

    states: tuple[EngineState, ...] = ()
    sample: MetricSample | None = None
    output_rate: float | None = None


def derive_now(engines: Sequence[tuple[EngineState, Sequence[Scrape]]]) -> EnginesNow:
    """By engine its state and its last scrapes, oldest first."""
    states = tuple(state for state, _ in engines)
    told = {
        f"{state.name} ({number})": _samples(scrapes)
        for number, (state, scrapes) in enumerate(engines, start=1)
        if state.can_answer and (state.found is None or state.found.metrics)
    }
    newest = {name: samples[-1] for name, samples in told.items() if samples}
    if not newest or len(newest) < len(told):
        return EnginesNow(states)
    rates = [rate(samples[-2:], lambda one: one.output_tokens) for samples in told.values()]
    known = [one for one in rates if one is not None]
    return EnginesNow(states, add_up_samples(newest), sum(known) if len(known) == len(rates) else None)


def time_to_first_token(
    engines: Sequence[Sequence[Scrape]], window_s: float, now: float, share: float
) -> Quantile | None:
    """Of what all engines saw in the window before `now` (monotonic); None when that is nothing or has no sum."""
    grown = [histogram_growth(in_window(one, window_s, now), lambda sample: sample.ttft) for one in engines]
    told = [one for one in grown if one is not None and one.count > 0]
    total = add_up_histograms(told) if told else None
    return None if total is None else quantile(total, share)


def _samples(scrapes: Sequence[Scrape]) -> list[MetricSample]:
    return [one for one in scrapes if isinstance(one, MetricSample)]
