"""What the engine takes in and how much it does in each step. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.charts_shown import SMOOTH_PARTS, ChartShown, missing_words
from console.live.windows import growth, pace, rates
from console.widgets.chart_data import Line
from engine_host.metrics.names import PROMPT_TOKENS, STEP_TOKENS

if TYPE_CHECKING:
    from console.live.reading import LiveRead
    from console.live.view import View

IN_LINES: Final = (
    Line("computed", "computed", "main", kind="stack", digits=0),
    Line("cached", "cached", "second", kind="stack", digits=0),
    Line("prompt", "all", "third", digits=0),
)
STEP_LINES: Final = (Line("tokens", "tokens a step", "main", fill=True, digits=1),)


def derive_tokens_in(read: LiveRead, view: View) -> ChartShown:
    """Computed and cached as a stack where the engine parts them, and the whole as a line."""
    rows, over_s = read.rows, view.span_s / SMOOTH_PARTS
    if read.newest is not None and read.newest.prompt_tokens is None:
        return ChartShown(missing=missing_words(read, "prompt_tokens", PROMPT_TOKENS))
    parted = [key for key in ("computed", "cached") if rows.known(key)]
    shown = ("prompt", *(parted if len(parted) == 2 else ()))
    all_in, cached = (growth(rows.times, rows.figures[key], view.window_s, read.now) for key in ("prompt", "cached"))
    share = f"{cached / all_in * 100:.0f} % cached" if all_in and cached is not None else ""
    return ChartShown(
        data={key: (rows.times, rates(rows.times, rows.figures[key], over_s)) for key in shown},
        unit="tok/s",
        note=share if len(parted) == 2 else "cached ones are not told apart",
    )


def derive_steps(read: LiveRead, view: View) -> ChartShown:
    """Mean tokens of a step; a span without a step has none."""
    rows, over_s = read.rows, view.span_s / SMOOTH_PARTS
    if read.newest is not None and read.newest.step_tokens is None:
        return ChartShown(missing=missing_words(read, "step_tokens", STEP_TOKENS))
    tokens, steps = (rates(rows.times, rows.figures[key], over_s) for key in ("step_tokens", "steps"))
    a_second = pace(rows.times, rows.figures["steps"], view.window_s, read.now)
    return ChartShown(
        data={"tokens": (rows.times, tokens / np.where(steps > 0, steps, np.nan))},
        unit=f"mean over {over_s:g} s",
        note="" if a_second is None else f"{a_second:,.1f} steps/s in {view.window_words}",
    )
