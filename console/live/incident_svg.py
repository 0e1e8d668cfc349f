"""A panel of the history as an SVG that any browser draws, in the colours of the light theme. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final

from console.theme.tokens import load_tokens
from console.widgets.chart_data import tick_text, time_ticks, value_ticks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from console.live.history_charts import HistoryShown
    from console.widgets.chart_data import Line, Mark, Span

WIDTH, HEIGHT = 560, 180
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 22
INK: Final = {"main": "accent", "second": "text-2", "third": "text-3", "ghost": "text-3", "bad": "error"}
DASHES: Final = {"third": "2 2", "ghost": "4 3"}


@dataclass(frozen=True, slots=True)
class Plane:
    """Where moments (epoch s) and values lie on the picture."""

    window: Span
    top: float

    def x(self, moment: float) -> float:
        first, last = self.window
        return LEFT + (moment - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)


def svg_of(
    title: str, shown: HistoryShown, window: Span, gaps: Sequence[Span], marks: Sequence[Mark], zone: tzinfo,
    promise: float | None = None, top: float | None = None,
) -> str:  # fmt: skip
    """`title` is what a screen reader says of it, `promise` a value that may be broken: an SLO; `top` the highest value
    that there can be. A value that nobody knows is a hole in its line."""
    known = [float(value) for _, values in shown.data.values() for value in values if not math.isnan(value)]
    ticks = value_ticks(top / 1.04 if top else max([*known, promise or 0.0]) or 1.0)
    plane = Plane(window, ticks[-1])
    parts = (
        *_axes(plane, ticks, zone),
        *(_gap(plane, gap) for gap in gaps),
        *(() if promise is None else (_promise(plane, promise),)),
        *(_mark(plane, mark) for mark in marks if window[0] <= mark.time <= window[1]),
        *(_curve(plane, line, *shown.data[line.key]) for line in shown.lines if line.key in shown.data),
    )
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">'
    return "\n".join((head, *parts, "</svg>"))


def ink(line: Line) -> str:
    return _color(INK.get(line.look, "text"))


@cache
def _color(token: str) -> str:
    return load_tokens("light").colors[token]


def _text(x: float, y: float, anchor: str, words: str) -> str:
    return (
        f'<text font-size="11" fill="{_color("text-3")}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'
    )


def _axes(plane: Plane, ticks: Sequence[float], zone: tzinfo) -> Iterable[str]:
    for tick in ticks:
        y = round(plane.y(tick)) + 0.5
        yield f'<path class="grid" stroke="{_color("grid")}" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield _text(LEFT - 6, y + 4, "end", tick_text(tick))
    first, last = plane.window
    offset = datetime.fromtimestamp(first, zone).utcoffset()
    shape = "%H:%M" if last - first <= 2 * 86_400 else "%d %b"
    for tick in time_ticks(first, last, WIDTH - LEFT - RIGHT, offset.total_seconds() if offset else 0.0):
        clock = datetime.fromtimestamp(tick, zone).strftime(shape)
        yield _text(plane.x(tick), HEIGHT - 6, "middle", clock)


def _gap(plane: Plane, gap: Span) -> str:
    first, last = (min(max(moment, plane.window[0]), plane.window[1]) for moment in gap)
    left, width = plane.x(first), max(1.0, plane.x(last) - plane.x(first))
    look = f'class="gap" fill="{_color("hatch")}" fill-opacity="0.35"'
    return f'<rect {look} x="{left:.1f}" y="{TOP}" width="{width:.1f}" height="{HEIGHT - TOP - BOTTOM}"/>'


def _promise(plane: Plane, value: float) -> str:
    y = round(plane.y(value)) + 0.5
    return f'<path class="slo" stroke="{_color("error")}" stroke-dasharray="4 3" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'


def _mark(plane: Plane, mark: Mark) -> str:
    x = plane.x(mark.time)
    return (
        f'<g class="mark"><title>{escape(mark.tip)}</title>'
        f'<path stroke="{_color("text-3")}" stroke-dasharray="1 3" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
        f'<path fill="{_color("text-3")}" d="M{x - 4:.1f} {TOP - 5}h8l-4 5z"/></g>'
    )


def _curve(plane: Plane, line: Line, times: Iterable[float], values: Iterable[float]) -> str:
    path: list[str] = []
    pen = "M"
    for moment, value in zip(times, values, strict=True):
        if math.isnan(value) or not plane.window[0] <= moment <= plane.window[1]:
            pen = "M"
            continue
        # A point between two holes is a line of no length: a round cap shows it.
        path.append(f"{pen}{plane.x(moment):.1f} {plane.y(value):.1f}" + ("h0" if pen == "M" else ""))
        pen = "L"
    dashes = f' stroke-dasharray="{DASHES[line.look]}"' if line.look in DASHES else ""
    look = f'class="line" fill="none" stroke="{ink(line)}" stroke-width="1.2" stroke-linecap="round"{dashes}'
    return f'<path {look} d="{"".join(path)}"/>'
