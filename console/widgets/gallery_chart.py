"""The chart of the gallery: a gap, an event mark, a promise and the hover line. Its numbers are made up."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np

from console.widgets.chart import HoverGroup
from console.widgets.chart_data import Line, Mark
from console.widgets.chart_panel import ChartPanel

if TYPE_CHECKING:
    from console.theme.style import Theme

START = 1796022720.0


def chart(theme: Theme) -> ChartPanel:
    hover = HoverGroup()
    lines = (Line("p95", "p95", fill=True),)
    made = ChartPanel(
        theme, "Time to first token", "s, over 1 min", lines, hover=hover, zone=ZoneInfo("Asia/Kolkata"),
        help_text="From the arrival of a request to its first token.", legend=False,
    )  # fmt: skip
    hover.setParent(made)
    times = np.arange(START, START + 133.0)
    noise = np.random.default_rng(4).normal(0, 0.01, len(times)).cumsum() * 0.5
    values = 0.54 + 0.45 / (1 + np.exp(-(times - START - 83) / 7)) + noise * 0.3
    made.show_series({"p95": (times, values)}, (START, START + 132), [(START + 48, START + 58)])
    made.chart.set_promise(0.80, "SLO 0.80 s")
    made.chart.set_marks([Mark(START + 24, "gen 15")])
    made.chart.set_top(1.5)
    made.setFixedHeight(186)
    hover.set_moment(START + 106.0)
    return made
