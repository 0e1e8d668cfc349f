"""The table of tenants on the Live page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.live.helps import HELPS
from console.live.tiles_shown import TenantRow
from console.live.view import UNKNOWN
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from console.live.view import View
    from console.theme.style import Theme


NO_TENANTS: Final = "No tenants yet. Keys, quotas and counts all belong to a tenant."


class TenantPanel(Panel):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Tenants", help_text=HELPS["tenants"], padding=0, expandable=True)
        columns = (
            Column[TenantRow]("tenant", "Tenant", text=lambda r: r.name, series=lambda r: r.series, strength="name"),
            _number("requests", "Turns", lambda r: r.requests, 58),
            _number("prompt", "In", lambda r: r.prompt, 76),
            _number("cached", "Cached", lambda r: r.cached, 76),
            _number("output", "Out", lambda r: r.output, 66),
            Column[TenantRow](
                "ttft",
                "TTFT p95, SLO",
                128,
                "right",
                text=_ttft_words,
                sort=lambda r: r.ttft_s or 0.0,
                strength="text",
                ink=lambda r: "error" if r.is_late else None,
                icon=lambda r: ("warning", "error") if r.is_late else None,
            ),
        )
        self.table = RecordTable[TenantRow](
            theme, columns, lambda r: r.tenant_id, empty=NO_TENANTS,
            small=True, at_bottom=True, name="Tenants in the window",
        )  # fmt: skip
        self.body.addWidget(self.table, 1)

    def show_rows(self, rows: Sequence[TenantRow], view: View) -> None:
        self.set_unit(f"turns that ended, over {view.window_words}")
        self.table.follow(rows)


def _ttft_words(row: TenantRow) -> str:
    return f"{UNKNOWN if row.ttft_s is None else f'{row.ttft_s:.2f}'} of {row.slo_s:.2f} s"


def _number(key: str, title: str, value: Callable[[TenantRow], int], width: int) -> Column[TenantRow]:
    return Column[TenantRow](
        key, title, width, "right", text=lambda row: f"{value(row):,}", sort=value, strength="text"
    )
