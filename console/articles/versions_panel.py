"""The versions of an article: which there are, what changed since one of them, and restoring it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.articles.diff_view import DiffView
from console.articles.versions_shown import VersionShown, derive_comparison, derive_versions
from console.widgets.buttons import Button
from console.widgets.columns import Column
from console.widgets.label import Label, divider
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.theme.style import Theme
    from knowledge.article import Article
    from knowledge.article_history import Version

COLUMNS: Final = (
    Column[VersionShown]("number", "No.", 48, "right", lambda row: str(row.number), sort=lambda row: row.number),
    Column[VersionShown]("how", "Published", text=lambda row: row.how, strength="name"),
    Column[VersionShown]("by", "By", 110, text=lambda row: row.by),
    Column[VersionShown](
        "made", "When", 96, "right", lambda row: row.made, sort=lambda row: row.made_at.timestamp()
    ),
)  # fmt: skip
NONE: Final = "No version yet: one is kept each time the article is published."
HEIGHT: Final = 24 + 5 * 26
"""Px of the list: five versions and the header; more are scrolled to."""


class VersionsPanel(QWidget):
    """`restore_asked(number)`."""

    restore_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._article: Article | None = None
        self._versions: tuple[Version, ...] = ()
        self.table = RecordTable[VersionShown](
            theme, COLUMNS, lambda row: row.number, empty=NONE, small=True, name="Versions"
        )
        self.line = Label("", "small", "text-2", wrap=True)
        self.restore = Button(theme, "Restore", icon="history", small=True)
        self.diff = DiffView(theme)
        self._build()
        self.table.picked.connect(self._show_picked)
        self.restore.clicked.connect(self._ask)

    def show_versions(
        self, article: Article, versions: tuple[Version, ...], now: datetime, zone: tzinfo, *, busy: bool
    ) -> None:
        other = self._article is None or self._article.article_id != article.article_id
        self._article, self._versions = article, versions
        self.table.set_records(derive_versions(versions, now, zone))
        if other or self.table.picked_key is None:
            self.table.pick(versions[1].number if len(versions) > 1 else None)
        self._show_picked()
        self.restore.setEnabled(not busy)

    def compare_with_last(self) -> None:
        """Pick the version before the one in service."""
        if len(self._versions) > 1:
            self.table.pick(self._versions[1].number)

    @property
    def _picked(self) -> Version | None:
        key = self.table.picked_key
        return next((one for one in self._versions if one.number == key), None)

    @Slot()
    def _show_picked(self) -> None:
        version = self._picked
        line, lines = ("", ())
        if version is not None and self._article is not None:
            line, lines = derive_comparison(version, self._article)
        elif self._versions:
            line = "Choose a version to see what has changed since."
        self.line.setText(line)
        self.diff.show_lines(lines)
        self.restore.setText(f"Restore version {version.number}" if version else "Restore")
        self.restore.setVisible(bool(lines))

    @Slot()
    def _ask(self) -> None:
        version = self._picked
        if version is not None:
            self.restore_asked.emit(version.number)

    def _build(self) -> None:
        self.table.setFixedHeight(HEIGHT)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 16, 8)
        head.setSpacing(8)
        head.addWidget(self.line, 1)
        head.addWidget(self.restore)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table)
        column.addWidget(divider())
        column.addLayout(head)
        column.addWidget(divider())
        column.addWidget(self.diff, 1)
