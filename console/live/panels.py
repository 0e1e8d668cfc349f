"""The charts and tables of the Live page: made once, and each shown from one reading."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from console.live.chart_slot import ChartSlot
from console.live.charts_shown import (
    BATCH_LINES,
    KV_LINES,
    LABEL_SHARE,
    derive_batch,
    derive_gaps,
    derive_kv,
    derive_marks,
    derive_tokens,
    lines_of,
)
from console.live.grid import Place
from console.live.helps import HELPS
from console.live.latency_shown import LATENCIES, derive_latency, lines_of_latency
from console.live.seat_panel import SeatPanel
from console.live.seat_shown import derive_seats
from console.live.steps_shown import IN_LINES, STEP_LINES, derive_steps, derive_tokens_in
from console.live.tenant_panel import TenantPanel
from console.live.tiles_shown import derive_rows
from console.live.truth_panel import TruthPanel
from console.live.truth_shown import derive_truth
from console.live.worst_panel import WorstPanel
from console.live.worst_shown import derive_worst
from console.widgets.fields import Choice, ComboBox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from console.live.charts_shown import ChartShown
    from console.live.reading import LiveRead
    from console.live.view import View
    from console.theme.style import Theme
    from console.widgets.cards import Panel
    from console.widgets.chart import HoverGroup
    from console.widgets.chart_data import Line

    Derive = Callable[[LiveRead, View], ChartShown]
    Step = Callable[[LiveRead, View], None]

CHOSEN: Final = "latency"
"""The chart whose time a person chooses; inter-token latency has one of its own."""
FIRST: Final = 4
TITLE_PX: Final = 32
THOUSANDS: Final = ("tokens_in", "tenant_tokens", "kv")


def in_sight(panel: Panel) -> bool:
    """Whether more of it is seen than its title."""
    return panel.visibleRegion().boundingRect().height() > TITLE_PX


class LivePanels(QObject):
    """`replaced(old, new)` when a panel had to be built anew, `latency_chosen(key)` by a person."""

    replaced = Signal(object, object)
    latency_chosen = Signal(str)

    def __init__(self, theme: Theme, hover: HoverGroup, zone: tzinfo, view: View, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._hover, self._zone = theme, hover, zone
        self._latency = view.latency
        self._shown: dict[str, ChartShown] = {}
        self.charts = {
            "batch": self._chart("Batch", BATCH_LINES, "batch"),
            CHOSEN: self._latency_chart(view.latency),
            "tokens": self._chart("Tokens out", lines_of(()), "tenant_tokens"),
            "kv": self._chart("KV blocks", KV_LINES, "kv"),
            "inter_token": self._chart_of("inter_token"),
            "tokens_in": self._chart("Tokens in", IN_LINES, "tokens_in"),
            "steps": self._chart("Tokens a step", STEP_LINES, "steps"),
        }
        self.seats = SeatPanel(theme, zone)
        self.worst = WorstPanel(theme)
        self.tenants = TenantPanel(theme)
        self.truth = TruthPanel(theme)

    def places(self, alerts: Panel) -> tuple[Place, ...]:
        """What is looked at first in the first rows, with the alerts among it."""
        charts = tuple(Place(chart) for chart in self.charts.values())
        seen = (Place(self.seats, 2), Place(self.worst, 2), Place(alerts))
        return (*charts[:FIRST], *seen, *charts[FIRST:], Place(self.tenants))

    @property
    def steps(self) -> tuple[Step, ...]:
        """One round in parts, each short: what a chart shows, and drawing it, are two of them. A panel that is scrolled
        out of sight has no part in it."""
        charts = (step for key in self.charts for step in (partial(self._derive, key), partial(self._draw, key)))
        return (*charts, self._show_seats, self._show_worst, self._show_tenants, self._show_truth)

    def rest(self, words: str) -> None:
        """What the headers say while no mouse is over a chart."""
        for chart in self.charts.values():
            chart.set_rest_value(words)

    # Building

    def _chart(
        self, title: str, lines: Sequence[Line], help_key: str, promise: tuple[float, str] | None = None
    ) -> ChartSlot:
        thousands = help_key in THOUSANDS
        return ChartSlot(
            self._theme, title, lines, HELPS[help_key], self._hover, self._zone, promise, thousands=thousands
        )

    def _chart_of(self, key: str) -> ChartSlot:
        latency = LATENCIES[key]
        return self._chart(latency.name, lines_of_latency(latency), key, latency.promise)

    def _latency_chart(self, key: str) -> ChartSlot:
        chart = self._chart_of(key)
        names = [Choice(one.key, one.name) for one in LATENCIES.values()]
        self.latency_choice = ComboBox(self._theme, names, name="Latency", small=True)
        self.latency_choice.set_key(key)
        self.latency_choice.chosen.connect(self.latency_chosen)
        chart.choose_in_title(self.latency_choice)
        return chart

    def _replace(self, key: str, new: ChartSlot) -> None:
        old, self.charts[key] = self.charts[key], new
        self.replaced.emit(old, new)

    # Showing

    def _derive(self, key: str, read: LiveRead, view: View) -> None:
        """In a turn of its own, since an hour of samples takes some ms."""
        if in_sight(self.charts[key]):
            self._shown[key] = self._derivations(view)[key](read, view)

    def _derivations(self, view: View) -> Mapping[str, Derive]:
        return {
            "batch": derive_batch,
            CHOSEN: partial(derive_latency, key=view.latency),
            "tokens": partial(derive_tokens, clock=self._clock),
            "kv": derive_kv,
            "inter_token": partial(derive_latency, key="inter_token"),
            "tokens_in": derive_tokens_in,
            "steps": derive_steps,
        }

    def _draw(self, key: str, read: LiveRead, view: View) -> None:
        if key == "tokens" and (lines := lines_of(read.tenants)) != self.charts[key].lines:
            self._replace(key, self._chart("Tokens out", lines, "tenant_tokens"))
        if key == CHOSEN and view.latency != self._latency:
            self._choose_latency(view.latency)
        shown = self._shown.pop(key, None)
        if shown is None:
            return
        marks = derive_marks(
            read.events, self._zone, named=key == CHOSEN, label_s=view.span_s * LABEL_SHARE, seen=read.rows.marks
        )
        gaps = derive_gaps(read.rows.times, read.now) if shown.scraped else ()
        self.charts[key].show_chart(shown, (read.now - view.span_s, read.now), gaps, marks)

    def _choose_latency(self, key: str) -> None:
        """Whoever chose it by the keyboard stays at the choice."""
        held, self._latency = self.latency_choice.hasFocus(), key
        self._replace(CHOSEN, self._latency_chart(key))
        if held:
            self.latency_choice.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_seats(self, read: LiveRead, _view: View) -> None:
        if in_sight(self.seats):
            self.seats.show_seats(derive_seats(read.why.seat, read.tenants))

    def _show_worst(self, read: LiveRead, _view: View) -> None:
        if in_sight(self.worst):
            self.worst.show_worst(derive_worst(read.why, read.tenants, self._zone))

    def _show_tenants(self, read: LiveRead, view: View) -> None:
        if in_sight(self.tenants):
            self.tenants.show_rows(derive_rows(read, view), view)

    def _show_truth(self, read: LiveRead, view: View) -> None:
        if in_sight(self.truth):
            self.truth.show_truth(derive_truth(read, view), view)

    def _clock(self, moment: float) -> str:
        return f"{datetime.fromtimestamp(moment, self._zone):%H:%M:%S}"
