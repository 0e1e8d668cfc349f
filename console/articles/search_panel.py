"""The search test: a question as a customer asks it, and the passages the bot would get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.articles.search_shown import (
    ASK,
    AUDIENCES,
    HitShown,
    derive_footer,
    derive_hits,
    derive_measure,
    language_choices,
    tenant_choices,
)
from console.theme.fonts import ui_font
from console.widgets.bars import paint_share
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.fields import ComboBox, SearchField
from console.widgets.label import Label, divider
from console.widgets.painting import RIGHT, draw_text
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from console.articles.searching import SearchDesk
    from console.articles.table_shown import Shelf
    from console.theme.style import Theme

HELP: Final = (
    "The same search as for an answer: only articles that are published today and open to this asker. The score is "
    "four parts likeness of the question to the passage and its nearest sentence and one part shared words; where "
    "the embedder does not know the language it is shared words alone. What is under the threshold is never used."
)
REST: Final = "what the bot would get"


class SearchPanel(Panel):
    """`opened(article id, start)` when a person chooses a passage."""

    opened = Signal(str, int)

    def __init__(self, theme: Theme, desk: SearchDesk, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Search test", REST, help_text=HELP, padding=0, parent=parent)
        self._theme = theme
        self._desk = desk
        self.field = SearchField(theme, "A question, such as: money back if the food is late", "Ctrl+Shift+F")
        self.tenant = ComboBox(theme, name="Tenant")
        self.audience = ComboBox(theme, AUDIENCES, name="Audience")
        self.language = ComboBox(theme, name="Language")
        self.hits = RecordTable[HitShown](
            theme, self._columns(), lambda hit: hit.rank, retired=lambda hit: not hit.given, small=True,
            sortable=False, name="Passages",
        )  # fmt: skip
        self.footer = Label("", "small", "text-3", wrap=True)
        self._build()
        self._connect()

    def offer(self, shelf: Shelf) -> None:
        self.tenant.set_choices(tenant_choices(shelf.tenants))
        self.language.set_choices(language_choices(shelf.articles))
        self.tenant.set_key(self._desk.probe.tenant_id)
        self.language.set_key(self._desk.probe.language)

    @Slot()
    def show_search(self) -> None:
        found = self._desk.found
        self.tenant.set_key(self._desk.probe.tenant_id)
        retrieved = found.retrieved if found else None
        self.hits.set_records(derive_hits(retrieved, self._desk.most) if retrieved else ())
        self.hits.pick(None)
        measure = derive_measure(retrieved) if retrieved else REST
        self.set_unit("searching…" if self._desk.waits else measure)
        self.footer.set_tone("error" if found and found.sentence else "text-3")
        self.footer.setText(self._footer())
        self.hits.set_empty("" if retrieved or self._desk.waits or (found and found.sentence) else ASK)

    def _footer(self) -> str:
        found = self._desk.found
        if found is None:
            return ""
        return derive_footer(found.retrieved, self._desk.most) if found.retrieved else found.sentence

    @Slot()
    def _open(self) -> None:
        hit = self.hits.picked_record
        if hit is not None:
            self.opened.emit(hit.article_id, hit.start)

    def _columns(self) -> tuple[Column[HitShown], ...]:
        return (
            Column("rank", "", 30, text=lambda hit: str(hit.rank), strength="text-3"),
            Column(
                "passage", "passage", text=lambda hit: hit.title, strength="name",
                second=lambda hit: f"› {hit.heading}" if hit.heading else "",
            ),
            Column("score", "score", 100, "right", paint=self._paint_score),
            Column("given", "to model", 78, "right", lambda hit: hit.why, strength="text-2"),
        )  # fmt: skip

    def _paint_score(self, painter: QPainter, rect: QRectF, hit: HitShown) -> None:
        bar = QRectF(rect.x(), rect.center().y() - 2, max(rect.width() - 38, 0), 4)
        paint_share(painter, self._theme, bar, hit.score, "seg-a" if hit.given else "seg-b")
        ink = self._theme.color("text" if hit.given else "text-3")
        draw_text(painter, rect, f"{hit.score:.2f}", ui_font(12, 500), ink, RIGHT)

    def _build(self) -> None:
        asked = QVBoxLayout()
        asked.setContentsMargins(11, 0, 11, 9)
        asked.setSpacing(6)
        asked.addWidget(self.field)
        who = QHBoxLayout()
        who.setSpacing(6)
        who.addWidget(self.tenant, 3)
        who.addWidget(self.audience, 2)
        who.addWidget(self.language, 2)
        asked.addLayout(who)
        foot = QVBoxLayout()
        foot.setContentsMargins(11, 6, 11, 8)
        foot.addWidget(self.footer)
        self.body.setSpacing(0)
        self.body.addLayout(asked)
        self.body.addWidget(divider())
        self.body.addWidget(self.hits, 1)
        self.body.addLayout(foot)

    def _connect(self) -> None:
        desk = self._desk
        self.field.textChanged.connect(desk.ask)
        self.field.returnPressed.connect(desk.search)
        self.tenant.chosen.connect(desk.choose_tenant)
        self.audience.chosen.connect(desk.choose_audience)
        self.language.chosen.connect(desk.choose_language)
        self.hits.clicked.connect(self._open)
        self.hits.opened.connect(self._open)
        desk.changed.connect(self.show_search)
        self.show_search()
