"""The sections of the gallery: every control in every state, with the words and numbers of the design's own picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QStyle,
    QStyleOptionButton,
    QStyleOptionFrame,
    QVBoxLayout,
    QWidget,
)

from console.widgets.buttons import Button
from console.widgets.cards import Card
from console.widgets.columns import Column
from console.widgets.fields import Choice, ComboBox, set_fault
from console.widgets.flow import FlowLayout
from console.widgets.job_row import JobRow, JobShown
from console.widgets.label import Label
from console.widgets.notices import Notice, NoticeCard, NoticeLink
from console.widgets.pill import Pill, PillMark
from console.widgets.record_table import RecordTable
from console.widgets.segment import Option, Segment
from console.widgets.switch import Switch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLayout

    from console.theme.style import Theme
    from console.widgets.buttons import ButtonKind

State = Literal["rest", "hover", "pressed", "focus", "disabled"]
FLAGS: dict[State, QStyle.StateFlag] = {
    "rest": QStyle.StateFlag.State_None,
    "hover": QStyle.StateFlag.State_MouseOver,
    "pressed": QStyle.StateFlag.State_Sunken,
    "focus": QStyle.StateFlag.State_HasFocus,
    "disabled": QStyle.StateFlag.State_None,
}
ENGINE_STATES = (
    PillMark("Ready", "ok", dot=True), PillMark("Busy", "ok", dot=True), PillMark("Starting 59 s", "info", dot=True),
    PillMark("Draining", "info", dot=True), PillMark("Stopping", "info", dot=True), PillMark("Sleeping", dot=True),
    PillMark("Stopped", dot=True), PillMark("Stalled", "warn", dot=True), PillMark("Lost", "error", dot=True),
    PillMark("Failed", "error", dot=True),
)  # fmt: skip
ARTICLE_STATES = (
    PillMark("Published", "ok"), PillMark("Draft"), PillMark("Not yet valid", "info"), PillMark("Expired", "warn"),
    PillMark("Retired"), PillMark("Refused: encrypted", "error"), PillMark("Order", "accent"),
    PillMark("Help", "accent"),
)  # fmt: skip
NOTICES = (
    Notice("memory", "error", "vLLM stopped while loading the model: 2.1 GB of memory is missing.",
           "Other programs hold 18.9 GB. Choose a smaller model or a shorter context.",
           (NoticeLink("fix", "Use 1,024 tokens of context"), NoticeLink("d", "Details"), NoticeLink("c", "Copy"))),
    Notice("quota", "warn", "Meridian Offices has used 75 % of its tokens for today.",
           "At this pace they end at 13:20. Then its requests get 429 until midnight.",
           (NoticeLink("open", "Open tenant"), NoticeLink("mute", "Mute for today"))),
    Notice("publish", "ok", "Generation 15 is in service: 46 articles, 214 chunks.",
           "Checked by count, hash and 46 probe questions. Generation 14 was deleted.",
           (NoticeLink("receipt", "Receipt"),)),
    Notice("orders", "info", "The order system answers again after 2 min 10 s.",
           "17 turns in that time ended with “I do not know” and what to do next.",
           (NoticeLink("show", "Show the turns"),)),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    title: str
    state: str
    chunks: int
    note: str


ROWS = (
    Row("Late dabba", "Published", 5, "rest"),
    Row("Low-sugar boxes", "Published", 4, "hover"),
    Row("Refunds and cancellations", "Published", 7, "selected"),
    Row("UPI and card payments", "Published", 6, "focus"),
    Row("Monsoon surcharge 2025", "Retired", 0, "retired"),
)


class HeldButton(Button):
    """A button that looks as if it were hovered, pressed or focused."""

    def __init__(self, theme: Theme, text: str, kind: ButtonKind, state: State) -> None:
        super().__init__(theme, text, kind)
        self._state: State = state
        self.setEnabled(state != "disabled")
        self.setFixedWidth(72)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        option.state |= FLAGS[self._state]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


class HeldField(QLineEdit):
    def __init__(self, text: str, state: State, *, fault: bool = False) -> None:
        super().__init__(text)
        self._state: State = state
        self.setEnabled(state != "disabled")
        set_fault(self, fault)

    def initStyleOption(self, option: QStyleOptionFrame) -> None:
        super().initStyleOption(option)
        option.state |= FLAGS[self._state]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


class HeldCheck(QCheckBox):
    def __init__(self, text: str, state: State, *, on: bool = False) -> None:
        super().__init__(text)
        self._state: State = state
        self.setChecked(on)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        option.state |= FLAGS[self._state]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def titled(title: str, words: str, content: QWidget | QLayout, gap: int = 9) -> QVBoxLayout:
    """A section: its title, what to know about it, and the thing itself."""
    column = QVBoxLayout()
    column.setSpacing(gap)
    head = QHBoxLayout()
    head.setSpacing(7)
    head.addWidget(Label(title, "panel-title"))
    head.addWidget(Label(words, "unit"), 1)
    column.addLayout(head)
    column.addWidget(content) if isinstance(content, QWidget) else column.addLayout(content)
    return column


def buttons(theme: Theme) -> QLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(8)
    grid.setColumnMinimumWidth(0, 50)
    kinds: tuple[tuple[str, ButtonKind, str], ...] = (
        ("primary", "primary", "Start"), ("button", "plain", "Import"), ("danger", "danger", "Stop"),
        ("quiet", "quiet", "Mute"),
    )  # fmt: skip
    for column, state in enumerate(FLAGS, start=1):
        grid.addWidget(Label(state, "caption"), 0, column)
        for row, (_, kind, text) in enumerate(kinds, start=1):
            grid.addWidget(HeldButton(theme, text, kind, state), row, column)
    for row, (name, _, _) in enumerate(kinds, start=1):
        grid.addWidget(Label(name, "caption"), row, 0)
    grid.setColumnStretch(6, 1)
    return grid


def inputs(theme: Theme) -> QLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(8)
    empty = HeldField("", "rest")
    empty.setPlaceholderText("Filter")
    combo = ComboBox(theme, [Choice("meridian", "Meridian", 3)], name="Tenant")
    fields = (empty, HeldField("hover", "hover"), HeldField("focus", "focus"))
    below = (HeldField("65,536", "rest", fault=True), HeldField("disabled", "disabled"), combo)
    for column, (upper, lower) in enumerate(zip(fields, below, strict=True)):
        upper.setFixedWidth(140)
        lower.setFixedWidth(140)
        grid.addWidget(upper, 0, column)
        grid.addWidget(lower, 1, column)
    grid.setColumnStretch(3, 1)
    column = QVBoxLayout()
    column.setSpacing(4)
    column.addLayout(grid)
    column.addWidget(Label("Over the model’s 8,192.", "fault"))
    column.addSpacing(2)
    column.addLayout(_toggles(theme))
    return column


def _toggles(theme: Theme) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    for check in (HeldCheck("on", "rest", on=True), HeldCheck("off", "rest"), HeldCheck("focus", "focus")):
        row.addWidget(check)
    for on in (True, False):
        switch = Switch(theme)
        switch.setChecked(on)
        row.addWidget(switch)
    row.addWidget(Segment([Option("d", "Day"), Option("w", "Week"), Option("m", "Month")], small=True))
    row.addStretch(1)
    return row


def pills(theme: Theme, marks: Sequence[PillMark]) -> QWidget:
    holder = QWidget()
    flow = FlowLayout(holder)
    for mark in marks:
        flow.addWidget(Pill(theme, mark))
    return holder


def table(theme: Theme) -> QWidget:
    columns = (
        Column[Row]("title", "Title", 196, text=lambda r: r.title, strength="name"),
        Column[Row]("state", "State", 84, pill=lambda r: PillMark(r.state, "ok" if r.chunks else "neutral")),
        Column[Row]("chunks", "Chunks", 66, "right", text=lambda r: str(r.chunks), strength="text"),
        Column[Row]("note", "", 0, second=lambda r: r.note, text=lambda r: ""),  # noqa: ARG005 the row says nothing
    )
    made = RecordTable(theme, columns, lambda r: r.title, retired=lambda r: r.chunks == 0, at_top=True, at_bottom=True)
    made.set_records(ROWS)
    made.pick("Refunds and cancellations")
    made.setFixedHeight(28 + 5 * 30)
    made.set_hovered(1)
    focused = made.model().index(3, 0)
    made.selectionModel().setCurrentIndex(focused, QItemSelectionModel.SelectionFlag.NoUpdate)
    card = Card(padding=0)
    card.body.addWidget(made)
    return card


def notices(theme: Theme) -> QLayout:
    column = QVBoxLayout()
    column.setSpacing(8)
    for notice in NOTICES:
        card = NoticeCard(theme, notice)
        column.addWidget(card)
    return column


def job(theme: Theme) -> QWidget:
    row = JobRow(theme)
    figures = ("128 of 220 files", "48 chunks/s", "21 s left")
    row.show_job(JobShown("Import of help-centre-2026", "import", 0.58, figures, "2 refused"))
    return row
