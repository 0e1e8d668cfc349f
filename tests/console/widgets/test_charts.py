"""Charts on a screen: gaps stay empty, hidden charts rest, one moment under the mouse for all."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from console.widgets.bar_chart import BarChart, Day
from console.widgets.chart import Chart, HoverGroup
from console.widgets.chart_data import Line, Mark
from console.widgets.chart_panel import ChartPanel
from console.widgets.time_bars import AxisTick, TimeBar, TimeBars

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

T0 = 1_796_022_550.0
TIMES = np.arange(T0, T0 + 101.0)
STACK = (
    Line("kamala", "Kamala", "series", "stack", 1, digits=0),
    Line("meridian", "Meridian", "series", "stack", 3, digits=0),
)


def shown(chart: Chart | ChartPanel, qtbot: QtBot, width: int = 446, height: int = 228) -> None:
    qtbot.addWidget(chart)
    chart.resize(width, height)
    chart.show()


def move(chart: Chart, x: float, y: float = 60.0) -> None:
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove, QPointF(x, y), chart.mapToGlobal(QPointF(x, y)), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(chart.viewport(), event)


def holds(image: QImage, color: QColor, x: int) -> bool:
    column = [image.pixelColor(x, y) for y in range(10, image.height() - 24)]
    return any(max(abs(c.red() - color.red()), abs(c.blue() - color.blue())) < 8 for c in column)


def test_that_a_gap_stays_empty_in_a_filled_chart(theme: Theme, qtbot: QtBot) -> None:
    chart = Chart(theme, STACK)
    shown(chart, qtbot)
    data = {"kamala": (TIMES, np.full(101, 60.0)), "meridian": (TIMES, np.full(101, 30.0))}
    chart.set_data(data, (T0, T0 + 100), [(T0 + 40, T0 + 60)])
    image = chart.grab().toImage()
    fill = theme.series_fill(1)
    assert holds(image, fill, 34 + 80)
    assert not holds(image, fill, 34 + 200)
    assert holds(image, fill, 34 + 320)


def test_that_stacked_fills_lie_on_each_other(theme: Theme, qtbot: QtBot) -> None:
    chart = Chart(theme, STACK)
    shown(chart, qtbot)
    data = {"kamala": (TIMES, np.full(101, 60.0)), "meridian": (TIMES, np.full(101, 30.0))}
    chart.set_data(data, (T0, T0 + 100), [])
    image = chart.grab().toImage()
    plot = image.height() - 28
    assert image.pixelColor(200, 8 + round(plot * 0.8)) == theme.series_fill(1)
    assert image.pixelColor(200, 8 + round(plot * 0.25)) == theme.series_fill(3)


def test_that_a_hidden_chart_rests_and_catches_up_when_it_is_shown(theme: Theme, qtbot: QtBot) -> None:
    chart = Chart(theme, (Line("running", "running", fill=True),))
    shown(chart, qtbot)
    chart.hide()
    chart.set_data({"running": (TIMES, np.full(101, 800.0))}, (T0, T0 + 100), [])
    chart.show()
    assert holds(chart.grab().toImage(), theme.color("accent"), 200)


def test_that_all_charts_of_a_group_show_the_same_moment(theme: Theme, qtbot: QtBot) -> None:
    group = HoverGroup()
    charts = [Chart(theme, (Line("x", "x"),), hover=group) for _ in range(2)]
    for chart in charts:
        shown(chart, qtbot)
        chart.set_data({"x": (TIMES, TIMES - T0)}, (T0, T0 + 100), [])
    before = charts[1].grab().toImage()
    move(charts[0], 34 + 200)
    assert group.moment == pytest.approx(T0 + 50, abs=1)
    assert charts[1].grab().toImage() != before
    QApplication.sendEvent(charts[0], _leave())
    assert group.moment is None


def _leave() -> QMouseEvent:
    return QMouseEvent(
        QMouseEvent.Type.Leave, QPointF(), QPointF(), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip


def test_that_the_panel_says_the_moment_and_its_values(theme: Theme, qtbot: QtBot) -> None:
    panel = ChartPanel(
        theme, "Time to first token", "s", (Line("p95", "p95"), Line("p99", "p99", "third")),
        help_text="From arrival to the first token.", zone=ZoneInfo("Asia/Kolkata"),
    )  # fmt: skip
    shown(panel, qtbot)
    panel.set_rest_value("paused at 12:44:10")
    panel.show_series({"p95": (TIMES, (TIMES - T0) / 100), "p99": (TIMES, np.full(101, np.nan))}, (T0, T0 + 100))
    panel.chart.set_promise(0.8, "SLO 0.80 s")
    panel.chart.set_limit(1.0, "limit")
    panel.chart.set_marks([Mark(T0 + 20, "gen 15"), Mark(T0 + 95, "quota 75 %"), Mark(T0 - 5, "before")])
    assert panel.chart.values_at(None) == {"p95": 1.0, "p99": None}
    rest = panel.grab().toImage()
    panel.chart.hover.set_moment(T0 + 50.0)
    assert panel.chart.values_at(T0 + 50.0) == {"p95": 0.5, "p99": None}
    words = [label.text() for label in panel.findChildren(type(panel._value))]
    assert any(word.startswith("at 1") for word in words)
    assert panel.grab().toImage() != rest
    panel.chart.hover.set_moment(None)
    assert panel._value.text() == "paused at 12:44:10"


def test_that_a_chart_follows_the_theme(theme: Theme, qtbot: QtBot) -> None:
    chart = Chart(theme, (Line("x", "x", fill=True), Line("g", "g", "ghost", stepped=True)))
    shown(chart, qtbot)
    chart.set_data({"x": (TIMES, np.full(101, 5.0)), "g": (TIMES, np.full(101, 7.0))}, (T0, T0 + 100), [])
    light = chart.grab().toImage()
    theme.set_name("dark")
    assert chart.grab().toImage() != light


def test_that_a_chart_without_data_shows_only_its_axes(theme: Theme, qtbot: QtBot) -> None:
    chart = Chart(theme, STACK)
    shown(chart, qtbot)
    chart.set_series({})
    chart.set_window(T0, T0 + 300)
    chart.set_top(10)
    chart.set_gaps([])
    assert not holds(chart.grab().toImage(), theme.series_fill(1), 200)
    assert chart.values_at(T0) == {"kamala": None, "meridian": None}


def test_that_a_click_on_a_day_says_which(theme: Theme, qtbot: QtBot) -> None:
    chart = BarChart(theme)
    qtbot.addWidget(chart)
    chart.resize(440, 240)
    chart.set_days([Day("29", "Sun", (4e6, 2e6)), Day("30", "today", (8e6, 4e6), 9e6, strong=True)], (1, 3))
    chart.set_limit(45e6, "all quotas 45 M")
    chart.show()
    with qtbot.waitSignal(chart.picked) as seen:
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(360, 120))
    assert seen.args == [1]
    image = chart.grab().toImage()
    assert holds(image, theme.series_fill(1), 40 + 97)
    assert "today" not in chart.accessibleName()


def test_that_bars_start_where_the_phase_before_them_ended(theme: Theme, qtbot: QtBot) -> None:
    bars = TimeBars(theme, heads=("this turn", "peers"))
    qtbot.addWidget(bars)
    bars.set_bars(
        [
            TimeBar("prefill", 0, 500, figure="500 ms", second="480", mark=480),
            TimeBar("decode", 500, 500, "hot", "500 ms", icon=("play", "accent"), expected=700),
            TimeBar("gate", figure="–", kind="ghost"),
        ],
        1000,
        ticks=[AxisTick(0, "0"), AxisTick(500, "0.5")],
        now=900,
    )
    bars.resize(360, bars.sizeHint().height())
    image = bars.grab().toImage()
    axis = bars._axis()
    row = round(axis.top() + 19 * 1.5)
    assert image.pixelColor(round(axis.left() + axis.width() * 0.75), row) == theme.color("accent")
    assert image.pixelColor(round(axis.left() + axis.width() * 0.25), row) != theme.color("accent")
