"""`dabba bench bridge`: does the window stay quick under load, start at once and always close cleanly?

Everything runs offscreen in child processes: the figures are of Qt, Python and this code, not of a graphics driver.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, cast

from console.bench.children import exits_in_mid_work, run_child, warm_start_s
from console.bench.report import BenchResult, judge

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

STARTS: Final = 5
EXITS: Final = 100
TARGETS: Final[Mapping[str, str]] = {
    "stall_p99_ms": "<= 16.7",
    "stall_max_ms": "<= 100",
    "tokens_per_s": ">= 1584",
    "charts_per_s": ">= 114",
    "warm_start_s": "<= 1.5",
}
"""Tokens and charts are 99 and 95 % of what was sent: the load must really have been shown."""


def run_bridge_bench(seconds: float = 60, starts: int = STARTS, exits: int = EXITS) -> BenchResult:
    """Measures for `seconds`, then starts `starts` and closes `exits` programs. Blocks, for about 2.5 minutes."""
    load = run_child("measure", "--seconds", str(seconds), limit_s=seconds + 60)
    if not load.clean:
        log.error("The load run was not clean: %s", load.complaint)
    reports = exits_in_mid_work(exits)
    for number, report in enumerate(reports, start=1):
        if not report.clean:
            log.error("Exit %d of %d was not clean: %s", number, exits, report.complaint or report.code)
    figures = load_figures(load.facts) | {
        "warm_start_s": warm_start_s(starts),
        "clean_exits": float(sum(report.clean for report in reports)),
    }
    return judge("bridge", figures, {**TARGETS, "clean_exits": f">= {exits}"})


def load_figures(facts: Mapping[str, object]) -> dict[str, float | None]:
    """The figures of a measuring child; None where it reported none."""
    stalls = facts.get("stalls")
    waits: Mapping[str, float] = cast("Mapping[str, float]", stalls) if isinstance(stalls, dict) else {}
    figures: dict[str, float | None] = {f"stall_{name}_ms": waits.get(name) for name in ("p50", "p99", "max")}
    for name in ("cpu_share", "tokens_per_s", "batches_per_s", "charts_per_s"):
        value = facts.get(name)
        figures[name] = value if isinstance(value, float) else None
    return figures
