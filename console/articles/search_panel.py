"""The search test: a question as a customer asks it, and the passages the bot would get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.articles.search_shown import (
    ASK,
    AUDIENCES,
    HitShown,
    derive_footer,
    derive_hits,
    derive_measure,
    derive_why,
    language_choices,
    tenant_choices,
)
from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.fields import ComboBox, SearchField
from console.widgets.label import Label, divider
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from console.articles.search_shown import Probe
    from console.articles.searching import SearchDesk
    from console.articles.table_shown import Shelf
    from console.theme.style import Theme

HELP: Final = (
    "The same search as for an answer: only articles that are published today and open to this asker. Dense is the "
    "likeness of the question to the passage and to its nearest sentence, BM25 the score of the search by words, fused "
    "what both make together and what is held against the threshold. Passages that this asker may not see stand below "
    "with the reason: only staff see them."
)
REST: Final = "what the bot would get"


def _title(hit: HitShown) -> str:
    return hit.why.capitalize() if hit.hidden else hit.title


def _second(hit: HitShown) -> str:
    path = f"{hit.title} › {hit.heading}" if hit.heading else hit.title
    return path if hit.hidden else f"› {hit.heading}" if hit.heading else ""


COLUMNS: Final = (
    Column[HitShown]("place", "", 30, text=lambda hit: hit.place, icon=lambda hit: hit.mark, strength="text-3"),
    Column[HitShown]("passage", "passage", text=_title, strength="name", second=_second),
    Column[HitShown]("dense", "dense", 56, "right", lambda hit: f"{hit.dense:.2f}"),
    Column[HitShown]("words", "BM25", 56, "right", lambda hit: f"{hit.words:.1f}"),
    Column[HitShown]("fused", "fused", 56, "right", lambda hit: f"{hit.fused:.2f}", strength="strong"),
)


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
            theme, COLUMNS, lambda hit: hit.key, retired=lambda hit: not hit.given, small=True,
            sortable=False, name="Passages",
        )  # fmt: skip
        self.footer = Label("", "small", "text-3", wrap=True)
        self.known = Button(theme, "Make a known question", "link")
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
        self._show_probe(self._desk.probe)
        retrieved = found.retrieved if found else None
        most = self._desk.most
        self.hits.set_records(derive_hits(found.explained, most, retrieved.threshold) if found and retrieved else ())
        self.hits.pick(None)
        self._show_picked()
        measure = derive_measure(retrieved) if retrieved else REST
        self.set_unit("searching…" if self._desk.waits else measure)
        self.footer.set_tone("error" if found and found.sentence else "text-3")
        self.footer.setText(self._footer())
        self.hits.set_empty("" if retrieved or self._desk.waits or (found and found.sentence) else ASK)

    def _show_probe(self, probe: Probe) -> None:
        self.tenant.set_key(probe.tenant_id)
        self.language.set_key(probe.language)
        if self.field.text() != probe.text:
            self.field.blockSignals(True)
            self.field.setText(probe.text)
            self.field.blockSignals(False)

    def _footer(self) -> str:
        found = self._desk.found
        if found is None:
            return ""
        return derive_footer(found.retrieved, self._desk.most) if found.retrieved else found.sentence

    @Slot()
    def _show_picked(self) -> None:
        """Of a picked passage the footer says what became of it."""
        hit = self.hits.picked_record
        self.known.setVisible(hit is not None)
        if hit is not None:
            self.footer.setText(derive_why(hit))

    @Slot()
    def _make_known(self) -> None:
        hit = self.hits.picked_record
        if hit is not None:
            self._desk.make_known(hit)

    @Slot()
    def _open(self) -> None:
        hit = self.hits.picked_record
        if hit is not None:
            self.opened.emit(hit.article_id, hit.start)

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
        foot = QHBoxLayout()
        foot.setContentsMargins(11, 6, 11, 8)
        foot.setSpacing(8)
        foot.addWidget(self.footer, 1)
        foot.addWidget(self.known, 0, Qt.AlignmentFlag.AlignTop)
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
        self.hits.picked.connect(self._show_picked)
        self.known.clicked.connect(self._make_known)
        self.hits.clicked.connect(self._open)
        self.hits.opened.connect(self._open)
        desk.changed.connect(self.show_search)
        self.show_search()
