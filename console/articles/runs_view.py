"""The evaluations that were kept, and one of them beside an earlier one: by language, by article, by question."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from console.articles.evaluation_shown import (
    NO_RUNS,
    GroupRow,
    ResultRow,
    RunRow,
    derive_articles,
    derive_languages,
    derive_results,
    derive_run_rows,
    derive_summary,
    derive_verdict,
)
from console.widgets.cards import Card, Panel
from console.widgets.columns import Column
from console.widgets.empty_state import EmptyState
from console.widgets.fields import Choice, ComboBox
from console.widgets.label import Label, divider
from console.widgets.paragraph import Paragraph
from console.widgets.record_table import RecordTable
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from knowledge.evaluate.runs import EvaluationRun

RUNS: Final = (
    Column[RunRow](
        "made", "Run", 78, text=lambda row: row.made, sort=lambda row: row.made_at.timestamp(), strength="name"
    ),
    Column[RunRow]("setting", "Embedder, cutting", text=lambda row: row.setting),
    Column[RunRow]("questions", "Asked", 58, "right", lambda row: f"{row.questions:,}", sort=lambda row: row.questions),
    Column[RunRow]("recall", "Recall@5", 78, "right", lambda row: f"{row.recall:.3f}", strength="strong"),
    Column[RunRow]("mrr", "MRR", 58, "right", lambda row: f"{row.mrr:.3f}"),
    Column[RunRow]("ndcg", "nDCG@5", 82, "right", lambda row: f"{row.ndcg:.3f}"),
)
RESULTS: Final = (
    Column[ResultRow](
        "text", "Question", text=lambda row: row.text, strength="name", second=lambda row: row.reason
    ),
    Column[ResultRow]("language", "Lang", 74, text=lambda row: row.language),
    Column[ResultRow]("before", "Before", 92, text=lambda row: row.before),
    Column[ResultRow]("mark", "This run", 128, pill=lambda row: row.mark, sort=lambda row: row.place or 9),
)  # fmt: skip
HELP: Final = (
    "Every known question is asked as a customer of its tenant. Recall@5: the share of right passages among the first "
    "five. MRR: 1 / the place of the first right one. nDCG@5: how near the order is to the best one. A question that "
    "could not be run counts as missed."
)
LANGUAGES, ARTICLES, QUESTIONS = "languages", "articles", "questions"
NOTHING: Final = Choice("", "nothing")
LIST_PX: Final = 480
FAINT: Final = 0.0005
"""A change under this is shown as none: it would read as 0.000."""


class RunsView(QStackedWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[EvaluationRun, ...] = ()
        self._zone: tzinfo | None = None
        self._now: datetime | None = None
        self.table = RecordTable[RunRow](
            theme, RUNS, lambda row: row.run_id, small=True, at_bottom=True, name="Evaluations"
        )
        self.before = ComboBox(theme, (NOTHING,), name="Compare with", small=True)
        self.verdict = Paragraph(theme, px=12, line=17)
        self.parts = Segment(
            [Option(LANGUAGES, "By language"), Option(ARTICLES, "By article"), Option(QUESTIONS, "By question")]
        )
        self.languages = RecordTable[GroupRow](
            theme, _group_columns("Language"), lambda row: row.group, small=True, at_bottom=True, name="By language"
        )
        self.articles = RecordTable[GroupRow](
            theme, _group_columns("Article"), lambda row: row.group, small=True, at_bottom=True, name="By article"
        )
        self.results = RecordTable[ResultRow](
            theme, RESULTS, lambda row: row.question_id, small=True, at_bottom=True, name="By question"
        )
        self._list = Panel(theme, "Runs", help_text=HELP, padding=0, ruled=True)
        self._detail = Panel(theme, "Figures", padding=0, ruled=True)
        self._nothing = Card()
        self._nothing.body.addWidget(EmptyState(theme, NO_RUNS, icon="lab"))
        self._pages = QStackedWidget()
        self._build()
        self.table.picked.connect(self._picked)
        self.before.chosen.connect(self._show_run)
        self.parts.chosen.connect(self._show_part)

    def show_runs(self, runs: Sequence[EvaluationRun], now: datetime, zone: tzinfo) -> None:
        """The newest first; a run that is new is picked, and compared with the one before it."""
        newest = self._runs[0].run_id if self._runs else ""
        self._runs, self._now, self._zone = tuple(runs), now, zone
        self.table.set_records(derive_run_rows(runs, now, zone))
        self._list.set_unit(f"{len(runs):,}")
        self.setCurrentIndex(1 if runs else 0)
        if runs and (self.table.picked_key is None or runs[0].run_id != newest):
            self.table.pick(runs[0].run_id)
        self._picked()

    @Slot()
    def _picked(self) -> None:
        """What it may be compared with are the other runs; the one before it at first."""
        place = self._place()
        others = () if place is None else (*self._runs[place + 1 :], *self._runs[:place])
        self.before.set_choices((*(Choice(run.run_id, self._name(run)) for run in others), NOTHING))
        older = self._runs[place + 1 :] if place is not None else ()
        self.before.set_key(older[0].run_id if older else "")
        self.before.setEnabled(bool(others))
        self.before.setToolTip("" if others else "There is no other run to compare it with")
        self._show_run()

    @Slot()
    def _show_run(self) -> None:
        place = self._place()
        if place is None:
            return
        run = self._runs[place]
        before = next((one for one in self._runs if one.run_id == self.before.key), None)
        self._detail.set_unit(self._name(run))
        self.verdict.set_text(" ".join((derive_summary(run), derive_verdict(run, before))).strip(), "text-2")
        self.languages.set_records(derive_languages(run, before))
        self.articles.set_records(derive_articles(run, before))
        self.results.set_records(derive_results(run, before))

    @Slot(str)
    def _show_part(self, part: str) -> None:
        self._pages.setCurrentIndex((LANGUAGES, ARTICLES, QUESTIONS).index(part))

    def _place(self) -> int | None:
        key = self.table.picked_key
        return next((place for place, run in enumerate(self._runs) if run.run_id == key), None)

    def _name(self, run: EvaluationRun) -> str:
        return f"{run.at.astimezone(self._zone):%d %b %H:%M}, {run.run_id}"

    def _build(self) -> None:
        self._list.body.addWidget(self.table, 1)
        self._list.setFixedWidth(LIST_PX)
        self._detail.add_action(Label("compared with", "small", "text-3"))
        self._detail.add_action(self.before)
        words = QVBoxLayout()
        words.setContentsMargins(12, 9, 12, 9)
        words.addWidget(self.verdict)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 0, 12, 9)
        bar.addWidget(self.parts)
        bar.addStretch(1)
        for table in (self.languages, self.articles, self.results):
            self._pages.addWidget(table)
        body = self._detail.body
        body.setSpacing(0)
        body.addLayout(words)
        body.addLayout(bar)
        body.addWidget(divider())
        body.addWidget(self._pages, 1)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._list)
        row.addWidget(self._detail, 1)
        self.addWidget(self._nothing)
        self.addWidget(both)


def _group_columns(title: str) -> tuple[Column[GroupRow], ...]:
    return (
        Column("group", title, text=lambda row: row.group, strength="name"),
        Column("questions", "Asked", 58, "right", lambda row: f"{row.questions:,}", sort=lambda row: row.questions),
        Column("recall", "Recall@5", 78, "right", lambda row: f"{row.recall:.3f}", strength="strong"),
        _change_column("recall_at_5"),
        Column("mrr", "MRR", 58, "right", lambda row: f"{row.mrr:.3f}"),
        _change_column("mrr"),
        Column("ndcg", "nDCG@5", 82, "right", lambda row: f"{row.ndcg:.3f}"),
        _change_column("ndcg_at_5"),
    )


def _change_column(figure: str) -> Column[GroupRow]:
    return Column(
        f"{figure}-change", "±", 74, "right", partial(_change_text, figure), ink=partial(_change_ink, figure),
        sort=partial(_change_sort, figure),
    )  # fmt: skip


def _change_text(figure: str, row: GroupRow) -> str:
    change = row.change(figure)
    if change is None:
        return ""
    return f"{change:+.3f}".replace("-", "\u2212") if abs(change) >= FAINT else "same"


def _change_ink(figure: str, row: GroupRow) -> ColorToken | None:
    change = row.change(figure) or 0.0
    return None if abs(change) < FAINT else "ok" if change > 0 else "error"


def _change_sort(figure: str, row: GroupRow) -> float:
    return row.change(figure) or 0.0
