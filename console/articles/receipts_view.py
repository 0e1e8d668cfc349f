"""Every receipt of a deletion, the newest first, and what one of them says."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from console.articles.receipt_card import ReceiptCard
from console.articles.receipts_shown import NO_RECEIPTS, derive_line, derive_proof, when_text
from console.articles.words import count_text
from console.widgets.buttons import Button
from console.widgets.cards import Card
from console.widgets.columns import Column
from console.widgets.empty_state import EmptyState
from console.widgets.page_header import PageHeader
from console.widgets.record_table import RecordTable
from knowledge.article_history import DeletionReceipt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from console.theme.style import Theme


class ReceiptsView(QWidget):
    closed = Signal()

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = PageHeader("Receipts")
        self.back = Button(theme, "Back to the articles")
        self.table = RecordTable[DeletionReceipt](
            theme, _columns(zone), lambda one: one.receipt_id, empty=NO_RECEIPTS, at_top=True, at_bottom=True,
            name="Receipts",
        )  # fmt: skip
        self.card = ReceiptCard(theme, zone)
        self._side = QStackedWidget()
        self._side.addWidget(EmptyState(theme, "Choose a receipt to see what proves it.", icon="articles"))
        self._side.addWidget(self.card)
        self._build()
        self.table.picked.connect(self._show_picked)
        self.back.clicked.connect(self.closed)
        QShortcut(QKeySequence("Esc"), self, self.closed.emit, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def show_receipts(self, receipts: Sequence[DeletionReceipt]) -> None:
        self.header.set_truth(f"{count_text(len(receipts), 'article')} deleted")
        self.table.set_records(tuple(receipts))
        if self.table.picked_key is None and receipts:
            self.table.pick(receipts[0].receipt_id)
        self._show_picked()

    @Slot()
    def _show_picked(self) -> None:
        receipt = self.table.picked_record
        if receipt is not None:
            self.card.show_receipt(receipt)
        self._side.setCurrentIndex(0 if receipt is None else 1)

    def _build(self) -> None:
        self.header.add_action(self.back)
        card = Card(padding=0)
        card.body.addWidget(self.table)
        side = Card(padding=1)
        side.body.addWidget(self._side)
        side.setFixedWidth(460)
        row = QHBoxLayout()
        row.setContentsMargins(16, 12, 16, 16)
        row.setSpacing(12)
        row.addWidget(card, 1)
        row.addWidget(side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(row, 1)


def _columns(zone: tzinfo) -> tuple[Column[DeletionReceipt], ...]:
    return (
        Column("title", "Article", text=lambda one: one.title, strength="name", second=lambda one: one.source_name),
        Column("points", "Points", 88, "right", derive_line, sort=lambda one: one.points_before),
        Column("proof", "Proof", 130, pill=derive_proof),
        Column("by", "By", 100, text=lambda one: one.deleted_by),
        Column(
            "when", "Deleted", 190, "right", partial(_when, zone), sort=lambda one: one.deleted_at.timestamp()
        ),
    )  # fmt: skip


def _when(zone: tzinfo, receipt: DeletionReceipt) -> str:
    return when_text(receipt, zone)
