"""Why the bot said it: route, look-up, passages, withheld sentences, time and tokens of one turn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.chat import figures_shown, inspector_shown
from console.chat.known_asking import may_be_known
from console.chat.lookup_card import LookUpCard
from console.chat.lookups_shown import derive_lookups
from console.chat.sections import Legend, PassageRow, Section, line_of
from console.chat.tracked import cited_numbers
from console.chat.words import UNKNOWN, clock
from console.widgets.bars import Piece, StackedBar
from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.flow import FlowLayout
from console.widgets.label import ElidedLabel, Label
from console.widgets.page_header import PageHeader
from console.widgets.paragraph import Paragraph, Run
from console.widgets.pill import Pill
from console.widgets.time_bars import TimeBars

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from console.chat.figures_shown import Peers
    from console.chat.tracked import TrackedTurn
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

NO_TURN = "Ask something, or choose a turn: how it was answered is shown here."


class Inspector(QFrame):
    """`closed()` on its close button, `copied()` on Copy, `known_asked(turn)` to have its question measured."""

    closed = Signal()
    copied = Signal()
    known_asked = Signal(object)

    def __init__(self, theme: Theme, zone: tzinfo, max_age_s: float, parent: QWidget | None = None) -> None:
        """`max_age_s` is the limit after which an order is read again before it is stated."""
        super().__init__(parent)
        self._theme = theme
        self._zone = zone
        self._max_age_s = max_age_s
        self._seen: dict[str, object] = {}
        self.setProperty("fill", "canvas")
        self._copy = IconButton(theme, "copy", "Copy the events of this turn")
        self._header = self._build_header()
        self._route = Section(theme, "Route")
        self._lookup = Section(theme, "Order look-up")
        self._passages = Section(theme, "Passages")
        self._withheld = Section(theme, "Withheld")
        self._time = Section(theme, "Time")
        self._tokens = Section(theme, "Tokens")
        self._sections = (self._route, self._lookup, self._passages, self._withheld, self._time, self._tokens)
        self._none = Label(NO_TURN, "small", "text-3", wrap=True)
        self._none.setContentsMargins(16, 12, 16, 12)
        self._build_body()

    def show_turn(self, turn: TrackedTurn | None, place: str, peers: Peers | None) -> None:
        """`place` such as "Turn 2 of 3". Only sections that changed are made anew."""
        self._none.setVisible(turn is None)
        self._copy.setVisible(turn is not None)
        for section in self._sections:
            section.setVisible(turn is not None)
        self._header.set_title(place)
        self._header.set_truth(clock(turn.asked_at, self._zone) if turn else "")
        if turn is not None:
            self._show_route(turn)
            self._show_lookup(turn)
            self._show_passages(turn)
            self._show_withheld(turn)
            self._show_time(turn, peers)
            self._show_tokens(turn)

    def _is_new(self, part: str, shown: object) -> bool:
        if self._seen.get(part) == shown:
            return False
        self._seen[part] = shown
        return True

    def _show_route(self, turn: TrackedTurn) -> None:
        shown = inspector_shown.derive_route(turn)
        if self._is_new("route", shown):
            holder = QWidget()
            flow = FlowLayout(holder, gap=16, line_gap=4)
            for mark, rule in shown.ways:
                flow.addWidget(line_of(Pill(self._theme, mark), Label(rule, "small", "text-2"), gap=8))
            self._route.say(shown.figure)
            notes = [self._route.note(words) for words in (shown.by, shown.why) if words]
            self._route.fill([holder, *notes])

    def _show_lookup(self, turn: TrackedTurn) -> None:
        shown = derive_lookups(turn, self._zone)
        if self._is_new("lookup", shown):
            figure, cards = shown
            foot = f"Customer from the signed token. Limit for re-reading {self._max_age_s:g} s."
            self._lookup.say(figure)
            self._lookup.fill(
                [*(LookUpCard(self._theme, card) for card in cards), *([self._locked(foot)] if cards else [])]
            )

    def _locked(self, text: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Icon(self._theme, "lock", "text-3", 13))
        row.addWidget(ElidedLabel(text, "caption"), 1)
        return holder

    def _show_passages(self, turn: TrackedTurn) -> None:
        shown = inspector_shown.derive_passages(turn, cited_numbers(turn))
        known = may_be_known(turn)
        if self._is_new("passages", (turn.key, shown, known)):
            rows: list[QWidget] = [PassageRow(self._theme, row) for row in shown.rows]
            self._passages.say(shown.figure)
            note = [self._passages.note(shown.note)] if shown.note else []
            self._passages.fill([*rows, *note, *([self._known_button(turn)] if known else [])])

    def _known_button(self, turn: TrackedTurn) -> QWidget:
        button = Button(self._theme, "Make a known question", "link", small=True)
        button.setToolTip("Every evaluation asks it from now on; what the answer cites is the right passage")
        button.clicked.connect(partial(self.known_asked.emit, turn))
        return line_of(button)

    def _show_withheld(self, turn: TrackedTurn) -> None:
        shown = inspector_shown.derive_withheld(turn)
        if self._is_new("withheld", shown):
            self._withheld.say(shown.figure)
            self._withheld.fill(
                Paragraph(self._theme, runs, px=12, line=17)
                for sentence, reason in shown.rows
                for runs in ((Run(sentence, "text-3", strike="error"),), (Run(reason, "text-2"),))
            )

    def _show_time(self, turn: TrackedTurn, peers: Peers | None) -> None:
        shown = figures_shown.derive_time(turn, peers)
        if self._is_new("time", shown):
            known = shown.figure != UNKNOWN
            self._time.say(shown.rest if known else shown.figure, shown.figure if known else "")
            self._time.fill(self._time_body(shown))

    def _time_body(self, shown: figures_shown.TimeShown) -> Iterator[QWidget]:
        if shown.bars:
            heads = ("this turn", "▏peers") if shown.with_peers else ("", "")
            bars = TimeBars(self._theme, heads=heads, second_px=50 if shown.with_peers else 0, figure_px=66)
            bars.set_bars(shown.bars, shown.whole)
            yield bars
        if shown.note:
            yield self._time.note(shown.note)

    def _show_tokens(self, turn: TrackedTurn) -> None:
        shown = figures_shown.derive_tokens(turn)
        if self._is_new("tokens", shown):
            self._tokens.say(shown.figure)
            self._tokens.fill(self._tokens_body(shown))

    def _tokens_body(self, shown: figures_shown.TokensShown) -> Iterator[QWidget]:
        if shown.note:
            yield self._tokens.note(shown.note)
        if not shown.cached + shown.computed + shown.output:
            return
        bar = StackedBar(self._theme)
        bar.set_pieces((Piece(shown.cached, "seg-b"), Piece(shown.computed, "seg-a"), Piece(shown.output, "seg-hot")))
        yield bar
        parts: tuple[tuple[ColorToken, str], ...] = (
            ("seg-b", f"{shown.cached:,} cached"),
            ("seg-a", f"{shown.computed:,} computed"),
            ("seg-hot", f"{shown.output:,} out"),
        )
        yield Legend(self._theme, parts, shown.hit)

    def _build_header(self) -> PageHeader:
        header = PageHeader("Turn", pane=True)
        copy = self._copy
        copy.clicked.connect(self.copied)
        close = IconButton(self._theme, "close", "Close the inspector (Ctrl+I)")
        close.clicked.connect(self.closed)
        header.add_action(copy)
        header.add_action(close)
        return header

    def _build_body(self) -> None:
        inner = QWidget()
        inner.setProperty("scrolled", True)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._none)
        for section in self._sections:
            column.addWidget(section)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._header)
        outer.addWidget(area, 1)
