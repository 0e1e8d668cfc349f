"""Figures of `dabba bench live` from what its child reports. Pure."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TARGETS: Final[Mapping[str, str]] = {
    "panels": ">= 12",
    "engines": "== 3",
    "readings_a_second": ">= 0.9",
    "cpu_share": "<= 0.05",
    "memory_mib_an_hour": "<= 20",
    "scrape_p95_ms": "<= 10",
    "stall_p99_ms": "<= 16.7",
    "open_24_h_ms": "<= 300",
}
SETTLED: Final = 0.5
"""Memory is judged from this share of the run on: caches fill before, and the page keeps an hour of samples."""
LEAST_S: Final = 120.0
"""In less, what is made once looks like growth."""


def growth_an_hour(points: Sequence[tuple[float, float]]) -> float | None:
    """MiB an hour of (second, MiB), the slope of the line through the second half; None of a short run."""
    if not points:
        return None
    from_second = points[-1][0] * SETTLED
    late = [point for point in points if point[0] >= from_second]
    if late[-1][0] - late[0][0] < LEAST_S:
        return None
    slope, _ = statistics.linear_regression([at for at, _ in late], [mib for _, mib in late])
    return slope * 3600


def percentile(values: Sequence[float], share: float) -> float | None:
    """Nearest rank; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)] if ordered else None


def child_figures(facts: Mapping[str, Any]) -> dict[str, float | None]:
    """None where the child reported nothing."""
    stalls: Mapping[str, float] = facts.get("stalls") or {}
    memory: list[tuple[float, float]] = [(at, mib) for at, mib in facts.get("memory", ())]
    costs: list[float] = facts.get("costs_ms", [])
    return {
        "panels": facts.get("panels"),
        "engines": facts.get("engines"),
        "scrapes_a_second": facts.get("scrapes_a_second"),
        "readings_a_second": facts.get("readings_a_second"),
        "cpu_share": facts.get("cpu_share"),
        "memory_mib": memory[-1][1] if memory else None,
        "memory_mib_an_hour": growth_an_hour(memory),
        "scrape_p50_ms": percentile(costs, 0.5),
        "scrape_p95_ms": percentile(costs, 0.95),
        "stall_p50_ms": stalls.get("p50"),
        "stall_p99_ms": stalls.get("p99"),
        "stall_max_ms": stalls.get("max"),
    }
