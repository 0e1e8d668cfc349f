"""The sweeps that were kept: recall against prompt tokens, the winning setting named, and every setting in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from console.articles.sweep_plot import WAYS, SweepPlot
from console.articles.sweep_shown import NO_SWEEPS, PointShown, SweepShown
from console.widgets.cards import Card, Panel
from console.widgets.columns import Column
from console.widgets.empty_state import EmptyState
from console.widgets.fields import Choice, ComboBox
from console.widgets.label import divider
from console.widgets.paragraph import Paragraph, Run
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.style import Theme

POINTS: Final = (
    Column[PointShown]("size", "Chunk", 58, "right", lambda row: f"{row.size}", sort=lambda row: row.size),
    Column[PointShown]("overlap", "Overlap", 64, "right", lambda row: f"{row.overlap}", sort=lambda row: row.overlap),
    Column[PointShown]("way", "Way", 68, text=lambda row: row.way, strength="text"),
    Column[PointShown](
        "passages", "Passages", 74, "right", lambda row: f"{row.passages}", sort=lambda row: row.passages
    ),
    Column[PointShown]("tokens", "Tokens", 64, "right", lambda row: f"{row.tokens:,.0f}", sort=lambda row: row.tokens),
    Column[PointShown]("recall", "Recall", 62, "right", lambda row: f"{row.recall:.3f}", strength="strong"),
    Column[PointShown]("ndcg", "nDCG@5", 82, "right", lambda row: f"{row.ndcg:.3f}"),
    Column[PointShown]("mark", "", text=lambda _row: "", pill=lambda row: row.mark, sort=lambda row: not row.mark),
)
HELP: Final = (
    "Each setting cuts the published articles in its own way on a temporary index and asks every known question. Wins: "
    "the fewest prompt tokens among the settings whose nDCG@5 is within one standard error of the highest. Front: no "
    "other setting needs fewer tokens and finds as much."
)
TABLE_PX: Final = 540


class SweepsView(QStackedWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sweeps: tuple[SweepShown, ...] = ()
        self.choice = ComboBox(theme, name="Sweep", small=True)
        self.verdict = Paragraph(theme, px=13, line=19)
        self.notes = Paragraph(theme, px=12, line=17)
        self.plot = SweepPlot(theme)
        self.legend = Paragraph(theme, _legend(), px=12, line=17)
        self.table = RecordTable[PointShown](
            theme, POINTS, lambda row: row.key, small=True, at_bottom=True, name="Settings"
        )
        self.table.sort_by("ndcg", descending=True)
        self._plane = Panel(theme, "Recall against prompt tokens", help_text=HELP, padding=0, ruled=True)
        self._settings = Panel(theme, "Settings", padding=0, ruled=True)
        self._nothing = Card()
        self._nothing.body.addWidget(EmptyState(theme, NO_SWEEPS, icon="lab"))
        self._build()
        self.choice.chosen.connect(self._show_sweep)
        self.table.picked.connect(self._show_picked)
        self.plot.picked.connect(self.table.pick)

    def show_sweeps(self, sweeps: Sequence[SweepShown]) -> None:
        """The newest first; a new one is shown."""
        newest = self._sweeps[0].run_id if self._sweeps else ""
        self._sweeps = tuple(sweeps)
        self.choice.set_choices([Choice(one.run_id, f"{one.made}, {one.run_id}") for one in sweeps])
        if sweeps and sweeps[0].run_id != newest:
            self.choice.set_key(sweeps[0].run_id)
        self.setCurrentIndex(1 if sweeps else 0)
        self._show_sweep()

    @Slot()
    def _show_sweep(self) -> None:
        sweep = next((one for one in self._sweeps if one.run_id == self.choice.key), None)
        if sweep is None:
            return
        self.verdict.set_runs((Run(sweep.verdict, weight=500),))
        self.notes.set_text(" ".join(sweep.notes), "text-2")
        self.plot.set_points(sweep.points)
        self.table.set_records(sweep.points)
        self.table.pick(sweep.winner.key)
        self._settings.set_unit(f"{len(sweep.points):,} on {sweep.questions:,} questions, {sweep.embedder}")

    @Slot()
    def _show_picked(self) -> None:
        self.plot.choose(str(self.table.picked_key or ""))

    def _build(self) -> None:
        self._plane.add_action(self.choice)
        words = QVBoxLayout()
        words.setContentsMargins(12, 10, 12, 4)
        words.setSpacing(4)
        words.addWidget(self.verdict)
        words.addWidget(self.notes)
        foot = QVBoxLayout()
        foot.setContentsMargins(12, 8, 12, 8)
        foot.addWidget(self.legend)
        body = self._plane.body
        body.setSpacing(0)
        body.addLayout(words)
        body.addWidget(self.plot, 1)
        body.addWidget(divider())
        body.addLayout(foot)
        self._settings.body.addWidget(self.table, 1)
        self._settings.setFixedWidth(TABLE_PX)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._plane, 1)
        row.addWidget(self._settings)
        self.addWidget(self._nothing)
        self.addWidget(both)


def _legend() -> tuple[Run, ...]:
    ways = [run for way, color in WAYS.items() for run in (Run("● ", color), Run(f"{way}   ", "text-2"))]
    return (*ways, Run("The line: no other setting is cheaper and finds as much.", "text-3"))
