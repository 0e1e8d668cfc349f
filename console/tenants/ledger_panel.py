"""The panel in which the ledger is held against the engine's own counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from console.tenants.ledger_shown import CounterRow, LedgerShown, signed
from console.widgets.buttons import Icon, IconButton
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.paragraph import Paragraph
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from console.theme.style import Theme

HELP: Final = (
    "What the turns of each engine's run wrote into the ledger, beside what that engine counted since its start: "
    "vllm:prompt_tokens_total and vllm:generation_tokens_total less our warm-up request. Cached tokens are not "
    "compared: the engine counts them by block. Compared every 10 s while this page is shown. Tokens that an engine "
    "wrote for a cancelled turn before it heard of it are added to that turn as soon as nothing is under way. A drift "
    "that stays: somebody else uses this engine. An engine that is attached or does not answer is not compared."
)
ROW_PX: Final = 26
MOST_ROWS: Final = 4


class LedgerPanel(Panel):
    """`refresh_asked` when a person wants it compared now."""

    refresh_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Ledger = engine counters", help_text=HELP, padding=0)
        self._mark = Icon(theme, "info", "text-3", 15)
        self.lead_with(self._mark)
        self.refresh = IconButton(theme, "refresh", "Compare now", px=14, box=20)
        self.refresh.clicked.connect(self.refresh_asked)
        self.add_action(self.refresh)
        self.table = RecordTable[CounterRow](
            theme,
            COLUMNS,
            lambda row: (row.engine_name, row.counter),
            small=True,
            sortable=False,
            name="Ledger and engine",
        )
        self.words = Paragraph(theme, px=12, line=17)
        around = QVBoxLayout()
        around.setContentsMargins(12, 8, 12, 10)
        around.addWidget(self.words)
        self.body.setSpacing(0)
        self.body.addWidget(self.table)
        self.body.addLayout(around)
        self.body.addStretch(1)

    def show_ledger(self, shown: LedgerShown, fault: str = "") -> None:
        self.set_unit(shown.unit)
        self.set_value(shown.drift, "ok" if shown.agrees else "warn")
        match shown.agrees:
            case True:
                self._mark.set_icon("ok", "ok")
            case False:
                self._mark.set_icon("warning", "warn")
            case None:
                self._mark.set_icon("info", "text-3")
        self.table.set_records(shown.rows)
        self.table.setFixedHeight(24 + ROW_PX * min(max(len(shown.rows), 2), MOST_ROWS))
        self.table.setVisible(bool(shown.rows))
        self.words.set_text(fault or shown.words, "error" if fault else "text-2")


COLUMNS: Final = (
    Column[CounterRow]("counter", "counter", text=lambda r: r.words, strength="text-2"),
    Column[CounterRow]("ours", "our ledger", 98, "right", text=lambda r: f"{r.ours:,}", strength="text"),
    Column[CounterRow]("engine", "engine", 98, "right", text=lambda r: f"{r.engine:,}", strength="text"),
    Column[CounterRow](
        "drift", "drift", 60, "right", text=lambda r: signed(r.drift), ink=lambda r: "warn" if r.drift else "ok"
    ),
)
