"""Usage in bars, one a day, week or month, stacked by tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from console.tenants.bars_shown import NOW, derive_bars, derive_limit, derive_quota_words
from console.tenants.outlook_shown import rest_of_today
from console.tenants.period import GRAINS, bar_begins, span_words
from console.widgets.bar_chart import BarChart
from console.widgets.cards import Panel
from console.widgets.chart_data import Line
from console.widgets.legend import Legend
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from console.tenants.reading import UsageRead
    from console.theme.style import Theme
    from storage.records import Tenant

NO_USAGE: Final = "No turn used a token in this time."
HELP: Final = (
    "Tokens in and out of each tenant by day, week (from Monday) or month, as the turns wrote them into the ledger: "
    "what counts against the daily quotas. A day is the tenant's own calendar day. The line is the sum of all quotas "
    "of a day; it is left out while the bars are too low to be seen beside it. Hatched: what may still come today, "
    "the sum of the tenants' forecasts; left out while one of those that asked today has none."
)


class UsagePanel(Panel):
    """`grain_chosen("day" | "week" | "month")` when a person chooses."""

    grain_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Usage", help_text=HELP, padding=0)
        self._theme = theme
        self._tenants: tuple[Tenant, ...] = ()
        self.grains = Segment([Option(key, text) for key, text in GRAINS.items()], small=True)
        self.grains.setAccessibleName("Bars by")
        self.grains.chosen.connect(self.grain_chosen)
        self.add_action(self.grains)
        self._legend_row = QHBoxLayout()
        self._legend_row.setContentsMargins(12, 0, 12, 0)
        self.legend = Legend(theme, ())
        self._legend_row.addWidget(self.legend)
        self.bars = BarChart(theme, empty=NO_USAGE)
        self.body.setSpacing(0)
        self.body.addLayout(self._legend_row)
        self.body.addWidget(self.bars, 1)

    def show_usage(self, read: UsageRead, zone: ZoneInfo, grain: str = "day") -> None:
        self._keep_tenants(read.tenants)
        rest = rest_of_today(read, zone)
        bars = derive_bars(read, zone, grain, rest)
        today = read.now.astimezone(zone).date()
        self.set_unit(f"tokens in and out, {span_words(bar_begins(grain, today)[0], today)}")
        self.bars.set_days(bars, [tenant.colour for tenant in read.tenants])
        amounts = zip(read.tenants, bars[-1].amounts, strict=True)
        self.legend.set_values({tenant.tenant_id: _rounded(amount) for tenant, amount in amounts})
        self.legend.set_note(NOW[grain])
        self.legend.set_total("hatched: may still come today" if rest else "")
        limit = derive_limit(bars, read.tenants) if grain == "day" else None
        if limit is None:
            self.bars.clear_limit()
        else:
            self.bars.set_limit(*limit)
        self.set_value(derive_quota_words(bars, read.tenants) if grain == "day" else "", "text-2")

    def _keep_tenants(self, tenants: tuple[Tenant, ...]) -> None:
        """The legend's entries are the tenants: when they change it is made again."""
        if tenants == self._tenants:
            return
        self._tenants = tenants
        lines = [Line(t.tenant_id, t.name, "series", kind="stack", series=t.colour, digits=0) for t in tenants]
        old, self.legend = self.legend, Legend(self._theme, lines)
        self._legend_row.replaceWidget(old, self.legend)
        old.hide()
        old.deleteLater()


def _rounded(amount: float) -> float:
    """The legend shows as many digits as it is given: two after the point of a million."""
    return round(amount, -4) if amount >= 1e6 else amount
