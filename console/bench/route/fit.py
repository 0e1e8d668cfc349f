"""The weights of the route, fitted to labelled examples and the dev halves: logistic regression by Newton's steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine_host.answering.labelled import examples
from engine_host.answering.nearest import leaning
from engine_host.answering.patterns import table
from engine_host.answering.route import Asked, by_rules
from engine_host.answering.scales import on_the_scales
from engine_host.answering.signs import plain_words, signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from console.bench.route.cases import Case
    from engine_host.answering.nearest import Examples

STEPS = 40
RIDGE = 2.0
# Public sets are large and mostly about other things: one of their lines counts less than one of ours.
PUBLIC_COUNTS = 0.4
MOST_OF_A_SET = 600
_MARK = "[weights]\n"


async def fitted_weights(nearest: Examples, own: Sequence[Case], public: Sequence[Case]) -> dict[str, float]:
    """Weights by name, from all that rules don't decide; each example is weighed without itself."""
    rows: list[Mapping[str, float]] = []
    wanted: list[bool] = []
    counts: list[float] = []
    already = {example.text for example in examples()}
    for place, example in enumerate(examples()):
        if by_rules(Asked(example.text, ())) is None:
            rows.append(await weighed(nearest, example.text, place))
            wanted.append(example.is_order)
            counts.append(1.0)
    for case, count in [*((one, 1.0) for one in own), *((one, PUBLIC_COUNTS) for one in _some(public))]:
        if case.order is None or case.before or case.text in already:
            continue
        if by_rules(Asked(case.text, ())) is None:
            rows.append(await weighed(nearest, case.text))
            wanted.append(case.order)
            counts.append(count)
    names = sorted({name for row in rows for name in row})
    rows_of_values = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    found = fit(rows_of_values, np.array(wanted, dtype=float), np.array(counts))
    return {name: round(float(weight), 3) for name, weight in zip(names, found, strict=True)}


async def weighed(nearest: Examples, text: str, place: int | None = None) -> dict[str, float]:
    near = await nearest.nearest_to(text, without=place)
    return on_the_scales(len(plain_words(text).split()), signs_of(text), near, leaning().of(text, without=place))


def fit(values: NDArray[np.float64], wanted: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the columns of `values` that make `wanted` (0 or 1) likeliest, held small by a ridge."""
    weights = np.zeros(values.shape[1])
    ridge = RIDGE * np.eye(values.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(values @ weights)))
        slope = values.T @ (counts * (likely - wanted)) + RIDGE * weights
        curve = (values.T * (counts * likely * (1 - likely))) @ values + ridge
        weights -= np.linalg.solve(curve, slope)
    return weights


def write_weights(file: Path, weights: Mapping[str, float]) -> None:
    """Put the weights in the place of those in `file`; what stands above them stays."""
    kept = file.read_text(encoding="utf-8").partition(_MARK)[0]
    lines = [f'"{name}" = {weight}\n' for name, weight in sorted(weights.items())]
    file.write_text(kept + _MARK + "".join(lines), encoding="utf-8")
    table.cache_clear()


def _some(cases: Sequence[Case]) -> list[Case]:
    """At most so many of each set, spread over it."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return [case for found in groups.values() for case in found[:: max(1, len(found) // MOST_OF_A_SET)]]
