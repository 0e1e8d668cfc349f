"""The table of tenants with its row of totals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from console.tenants.amounts import amount_text, kv_text
from console.tenants.usage_shown import UsageRow, derive_total, quota_color, quota_text, share_text
from console.theme.fonts import ui_font
from console.widgets.bars import paint_share
from console.widgets.cards import Card
from console.widgets.columns import Column
from console.widgets.painting import LEFT, RIGHT, draw_text
from console.widgets.record_table import RecordTable
from engine_host.usage.cost import cost_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

ROW_PX: Final = 30
HEAD_PX: Final = 28
FEWEST_ROWS: Final = 3
MOST_ROWS: Final = 8
LESS_ROOM: Final = {"cancelled": 1420, "kv": 1300}
"""Columns that a page of less px leaves out; the export has them."""
NO_TENANTS: Final = "No tenants yet. Keys, quotas and counts all belong to a tenant."


KV_HELP: Final = (
    "Tokens times hours in KV memory, computed from the turns: the whole prompt during prefill and decode, and half of "
    "the answer during decode. Cached tokens count: a block that several turns share is held for each of them."
)
COST_HELP: Final = (
    "By the prices of the settings: tokens by the million, or the hours of the machine shared by KV memory. "
    "– : no price is set. Set one in Settings, section Prices."
)
OUTLOOK_HELP: Final = (
    "What today will have used by the tenant's midnight, or when its quota ends. – : too little to tell."
)


class UsageTable(Card):
    """As high as its tenants, eight at most, fewer on a low page; more of them scroll."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(padding=0)
        self._columns = usage_columns(theme)
        self._most_rows = MOST_ROWS
        self.table = RecordTable[UsageRow](
            theme, self._columns, lambda row: row.tenant_id, empty=NO_TENANTS, at_top=True, name="Tenants"
        )
        self.total = TotalRow(theme, self.table, self._columns)
        self.body.setSpacing(0)
        self.body.addWidget(self.table)
        self.body.addWidget(self.total)
        self.show_rows(())

    def set_room(self, width_px: int, height_px: int) -> None:
        """How wide the page is, and how high the table may be."""
        for number, column in enumerate(self._columns):
            if column.key in LESS_ROOM:
                self.table.setColumnHidden(number, width_px < LESS_ROOM[column.key])
        self._most_rows = min(max((height_px - HEAD_PX - ROW_PX) // ROW_PX, FEWEST_ROWS), MOST_ROWS)
        self._fit()

    def show_rows(self, rows: Sequence[UsageRow]) -> None:
        self.table.set_records(rows)
        self.total.show_total(derive_total(rows))
        self._fit()

    def _fit(self) -> None:
        rows = min(max(len(self.table.shown()), 2), self._most_rows)
        self.table.setFixedHeight(HEAD_PX + ROW_PX * rows)


class TotalRow(QWidget):
    """Painted under the columns of its table."""

    def __init__(self, theme: Theme, table: RecordTable[UsageRow], columns: Sequence[Column[UsageRow]]) -> None:
        super().__init__()
        self._theme = theme
        self._table = table
        self._columns = tuple(columns)
        self._total = derive_total(())
        self.setFixedHeight(ROW_PX)
        table.horizontalHeader().sectionResized.connect(self.update)

    def show_total(self, total: UsageRow) -> None:
        self._total = total
        self.setAccessibleName(", ".join(f"{column.title} {column.words(total)}" for column in self._columns))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, ROW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QPainterPath()
        ground.addRoundedRect(QRectF(self.rect()).adjusted(0, -20, 0, 0), 7, 7)
        painter.setClipRect(self.rect())
        painter.fillPath(ground, self._theme.color("sunken"))
        header = self._table.horizontalHeader()
        for number, column in enumerate(self._columns):
            if header.isSectionHidden(number):
                continue
            left = header.sectionViewportPosition(number)
            last = number == len(self._columns) - 1
            cell = QRectF(left + 12, 0, header.sectionSize(number) - (24 if last else 22), ROW_PX)
            if column.paint is not None:
                column.paint(painter, cell, self._total)
            else:
                align = RIGHT if column.align == "right" else LEFT
                text = column.text(self._total) if column.text else ""
                draw_text(painter, cell, text, ui_font(13, 600), self._theme.color("text"), align)


class Painter(Protocol):
    def __call__(self, painter: QPainter, rect: QRectF, row: UsageRow) -> None: ...


def usage_columns(theme: Theme) -> tuple[Column[UsageRow], ...]:
    return (
        Column[UsageRow](
            "tenant", "Tenant", text=lambda r: r.name, second=lambda r: r.note, series=lambda r: r.series,
            strength="name",
        ),
        _number("requests", "Requests", lambda r: r.requests, 76, whole=True),
        _number("computed", "In, computed", lambda r: r.computed, 98),
        _number("cached", "In, cached", lambda r: r.cached, 82),
        _number("out", "Out", lambda r: r.output, 76),
        _number("refused", "Refused", lambda r: r.refused, 74, whole=True, ink=_notable("warn")),
        _number("cancelled", "Cancelled", lambda r: r.cancelled, 84, whole=True),
        _number("failed", "Failed", lambda r: r.failed, 64, whole=True, ink=_notable("error")),
        Column[UsageRow](
            "kv", "KV token-h", 92, "right", text=lambda r: kv_text(r.kv_hours), sort=lambda r: r.kv_hours or 0.0,
            strength="text", help_text=KV_HELP,
        ),
        Column[UsageRow](
            "cost", "Cost", 84, "right", text=lambda r: cost_text(r.cost, r.currency), sort=lambda r: r.cost or 0.0,
            strength="text", help_text=COST_HELP,
        ),
        Column[UsageRow](
            "quota", "Quota today", 258, text=lambda r: f"{share_text(r)} {quota_text(r)}",
            paint=quota_painter(theme), sort=lambda r: r.share,
        ),
        Column[UsageRow](
            "outlook", "Forecast, midnight", 132, text=lambda r: r.outlook, ink=lambda r: r.outlook_ink,
            icon=lambda r: ("warning", r.outlook_ink) if r.outlook_ink else None, strength="text-2",
            help_text=OUTLOOK_HELP,
        ),
    )  # fmt: skip


def quota_painter(theme: Theme) -> Painter:
    """Bar, share, and how much of how much. The row of totals has no bar."""

    def paint(painter: QPainter, rect: QRectF, row: UsageRow) -> None:
        color = quota_color(row.share)
        if row.tenant_id:
            paint_share(painter, theme, QRectF(rect.x(), rect.center().y() - 3, 84, 6), row.share, color)
        ink: ColorToken = "text-3" if not row.quota else "text" if color == "seg-a" else color
        share = QRectF(rect.x() + 84, rect.y(), 58, rect.height())
        font = ui_font(13, 400 if row.tenant_id else 600)
        draw_text(painter, share, share_text(row), font, theme.color(ink), RIGHT)
        words = rect.adjusted(150, 0, 0, 0)
        draw_text(painter, words, quota_text(row), ui_font(12), theme.color("text-2"))

    return paint


def _number(
    key: str, title: str, value: Callable[[UsageRow], int], width: int, *, whole: bool = False,
    ink: Callable[[int], ColorToken | None] | None = None,
) -> Column[UsageRow]:  # fmt: skip
    def text(row: UsageRow) -> str:
        return f"{value(row):,}" if whole else amount_text(value(row))

    def color(row: UsageRow) -> ColorToken | None:
        return ink(value(row)) if ink else None

    return Column[UsageRow](key, title, width, "right", text=text, sort=value, strength="text", ink=color)


def _notable(color: ColorToken) -> Callable[[int], ColorToken | None]:
    """Counts that should be 0: grey while they are."""

    def ink(count: int) -> ColorToken | None:
        return color if count else "text-2"

    return ink
