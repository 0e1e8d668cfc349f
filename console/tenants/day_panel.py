"""Today of the picked tenant: its curve, the forecast, and what it means for the quota."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.tenants.day_curve import DayCurve
from console.widgets.cards import Panel
from console.widgets.label import divider
from console.widgets.painting import swatch
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.tenants.outlook_shown import DayShown
    from console.theme.style import Theme

HELP: Final = (
    "Tokens in and out that count against the quota of this tenant's own day, by the time at which each question came. "
    "The dashed line is the forecast: today's amount on the mean shape of the same weekday in the four weeks before, "
    "by the clock on the wall; without such days, today's mean pace since its first question. It is what will be "
    "asked for: over the quota questions are refused. High: raise the quota, or ask the tenant what goes on."
)


class DayPanel(Panel):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Today", help_text=HELP, padding=0)
        self.mark = TenantMark(theme)
        self.lead_with(self.mark)
        self.curve = DayCurve(theme)
        self.words = Paragraph(theme, px=12, line=17)
        around = QVBoxLayout()
        around.setContentsMargins(12, 8, 12, 10)
        around.addWidget(self.words)
        self.body.setSpacing(0)
        self.body.addWidget(self.curve, 1)
        self.body.addWidget(divider())
        self.body.addLayout(around)

    def show_day(self, shown: DayShown | None) -> None:
        self.curve.show_day(shown)
        self.mark.show_series(shown.series if shown else 0)
        self.set_title(shown.name if shown else "Today")
        self.set_unit("tokens today" if shown else "")
        self.set_value(shown.value if shown else "", "text")
        self.words.set_runs(
            (Run(f"{shown.fact} ", shown.color, 600), Run(shown.why, "text-2"))
            if shown else (Run("No tenant is picked.", "text-2"),)
        )  # fmt: skip


class TenantMark(QWidget):
    """The square of a tenant's colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._series = 0
        self.setFixedSize(10, 14)
        theme.changed.connect(self.update)

    def show_series(self, series: int) -> None:
        self._series = series
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(10, 14)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._series:
            rect = QRectF(self.rect())
            swatch(QPainter(self), rect.x(), rect.center().y(), self._theme.series_fill(self._series))
