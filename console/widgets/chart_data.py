"""The numbers behind a chart, without Qt: records of what is drawn, rings of samples, ticks, steps and gaps."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

Look = Literal["main", "second", "third", "ghost", "bad", "series"]
Kind = Literal["line", "stack"]
Span = tuple[float, float]
STEPS_S = (10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 604800)
NEAR_S = 2.5
"""A moment belongs to a sample that lies no further away: samples come each second."""


@dataclass(frozen=True, slots=True)
class Line:
    """One curve. Looks: main = accent, second = grey, third = dotted, ghost = dashed, bad = red, series = a tenant's.

    `stepped` is for counts: a value holds until the next sample. Without a `name` it is in no legend.
    `width` is in px of the screen; one px is by far the quickest.
    Stacked lines lie on each other in the order they are given, the first at the bottom.
    """

    key: str
    name: str
    look: Look = "main"
    kind: Kind = "line"
    series: int = 0
    fill: bool = False
    stepped: bool = False
    digits: int = 2
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Mark:
    """An event on the time axis, at `time` in epoch seconds. Without a `text` only its triangle is drawn."""

    time: float
    text: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line: a promise (dashed, red) or a limit (solid, grey)."""

    value: float
    text: str
    promise: bool = False


class SampleRing:
    """The last `capacity` samples of several figures, as float64; a figure that is not known is NaN."""

    def __init__(self, keys: Sequence[str], capacity: int = 3600) -> None:
        self._keys = tuple(keys)
        self._capacity = capacity
        self._rows = np.full((len(self._keys) + 1, 2 * capacity), np.nan)
        self._end = 0

    def append(self, time: float, values: Mapping[str, float | None]) -> None:
        """Adds a sample at `time` in epoch seconds."""
        if self._end == self._rows.shape[1]:
            self._rows[:, : self._capacity] = self._rows[:, self._capacity :]
            self._end = self._capacity
        self._rows[0, self._end] = time
        for number, key in enumerate(self._keys, start=1):
            value = values.get(key)
            self._rows[number, self._end] = np.nan if value is None else value
        self._end += 1

    @property
    def times(self) -> NDArray[np.float64]:
        return self._rows[0, max(0, self._end - self._capacity) : self._end]

    def values(self, key: str) -> NDArray[np.float64]:
        """As long as `times`; a view that the next append may change."""
        row = self._keys.index(key) + 1
        return self._rows[row, max(0, self._end - self._capacity) : self._end]


def value_ticks(highest: float) -> tuple[float, ...]:
    """Four to six round values from 0 to a little above `highest`."""
    wanted = max(highest, 1e-9) * 1.04
    power = 10.0 ** floor(log10(wanted / 5))
    fits = [
        (step * count, step, count)
        for step in (factor * power * ten for ten in (1.0, 10.0) for factor in (1.0, 2.0, 5.0))
        for count in (3, 4, 5)
        if step * count >= wanted
    ]
    _, step, count = min(fits)
    return tuple(round(step * number, 12) for number in range(count + 1))


def tick_text(value: float) -> str:
    """1.5, 400, 2k, 10 M: short enough to stand left of any plane, with a true minus."""
    if abs(value) >= 1e6:
        text = f"{value / 1e6:g} M"
    elif abs(value) >= 1000:
        text = f"{value / 1000:g}k"
    else:
        text = f"{value:g}"
    return text.replace("-", "\u2212")


def time_ticks(start: float, end: float, width: float, offset: float) -> tuple[float, ...]:
    """Round times between `start` and `end` (epoch s), at least 70 px apart on `width` px.

    offset: seconds that the clock on the wall is ahead of UTC.
    """
    pace = max(end - start, 1.0) * 70 / max(width, 1.0)
    step = next((s for s in STEPS_S if s >= pace and (s >= 60 or end - start < 60)), STEPS_S[-1])
    first = np.ceil((start + offset) / step) * step - offset
    return tuple(float(t) for t in np.arange(first, end + 0.001, step))


def find_gaps(times: NDArray[np.float64], longest: float) -> tuple[Span, ...]:
    """The spans between neighbours that lie more than `longest` seconds apart."""
    wide = np.flatnonzero(np.diff(times) > longest)
    return tuple((float(times[i]), float(times[i + 1])) for i in wide)


def broken_at(
    times: NDArray[np.float64], values: NDArray[np.float64], gaps: Sequence[Span]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same curve with a NaN inside every gap, so that no line is drawn over it."""
    for start, end in gaps:
        inside = (times > start) & (times < end)
        times, values = times[~inside], values[~inside]
        place = int(np.searchsorted(times, end))
        # At the gap's very beginning: a step would hold its value up to here.
        times, values = np.insert(times, place, start + (end - start) * 1e-3), np.insert(values, place, np.nan)
    return times, values


def as_steps(
    times: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each value holds until the next sample."""
    if len(times) < 2:
        return times, values
    return np.repeat(times, 2)[1:], np.repeat(values, 2)[:-1]


def clipped(
    times: NDArray[np.float64], values: NDArray[np.float64], start: float, end: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What lies in the window and one sample at each side of it."""
    first = max(int(np.searchsorted(times, start)) - 1, 0)
    last = int(np.searchsorted(times, end, side="right")) + 1
    return times[first:last], values[first:last]


def thinned(
    times: NDArray[np.float64], values: NDArray[np.float64], points: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Keeps the lowest and the highest of each of `points` bins, so that no peak is lost."""
    size = len(times) // max(points, 1)
    if size < 4:
        return times, values
    count = len(times) // size
    bins = values[: count * size].reshape(count, size)
    whole = np.where(np.isnan(bins).any(axis=1, keepdims=True), np.nan, bins)
    low, high = np.nan_to_num(whole).argmin(axis=1), np.nan_to_num(whole).argmax(axis=1)
    base = np.arange(count) * size
    picked = np.sort(np.concatenate([base + low, base + high]))
    gaps = np.isnan(values[: count * size]).nonzero()[0]
    keep = np.unique(np.concatenate([picked, gaps, np.arange(count * size, len(times))]))
    return times[keep], values[keep]


def value_at(
    times: NDArray[np.float64], values: NDArray[np.float64], moment: float, within_s: float = NEAR_S
) -> float | None:
    """The sample nearest to `moment`, or None when there is none so near or it is not known."""
    if not len(times):
        return None
    place = int(np.searchsorted(times, moment))
    near = min((i for i in (place - 1, place) if 0 <= i < len(times)), key=lambda i: abs(float(times[i]) - moment))
    value = float(values[near])
    return value if abs(float(times[near]) - moment) <= within_s and not np.isnan(value) else None
