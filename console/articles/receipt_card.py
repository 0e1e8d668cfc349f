"""A receipt of a deletion, as the pane shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.articles.receipts_shown import derive_pairs, derive_probe
from console.widgets.key_value import KeyValueGrid
from console.widgets.label import ElidedLabel, Label
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.theme.style import Theme
    from knowledge.article_history import DeletionReceipt


class ReceiptCard(QFrame):
    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self.setProperty("fill", "surface")
        self.title = ElidedLabel("", "title")
        self.facts = KeyValueGrid(theme, line=24)
        self.probes = Paragraph(theme, px=12, line=19)
        header = QFrame()
        header.setFixedHeight(48)
        header.setProperty("edge", "bottom")
        row = QVBoxLayout(header)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.title)
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 16, 16)
        body.setSpacing(8)
        body.addWidget(self.facts)
        body.addSpacing(4)
        body.addWidget(Label("What was asked before and after", "section"))
        body.addWidget(self.probes)
        body.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addLayout(body, 1)

    def show_receipt(self, receipt: DeletionReceipt) -> None:
        self.title.setText(f"Deleted: {receipt.title}")
        self.facts.set_pairs(derive_pairs(receipt, self._zone))
        lines = [derive_probe(probe) for probe in receipt.probes]
        self.probes.set_runs((Run("\n".join(lines) or "Nothing: it had no text in the index.", "text-2"),))
