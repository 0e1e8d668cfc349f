"""The newest samples of several engines as one, where adding up makes sense. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine_host.metrics.samples import Histogram, MetricSample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Pairs = tuple[tuple[str, float], ...]

TOTALS: Final = (
    "running", "waiting", "kv_blocks", "kv_tokens", "prompt_tokens", "prompt_computed", "prompt_cached",
    "output_tokens", "prefix_queries", "prefix_hits", "preemptions", "requests_ok", "rejections",
)  # fmt: skip
HISTOGRAMS: Final = ("ttft", "inter_token", "per_token", "queue", "prefill", "decode", "e2e", "step_tokens")


def add_up_samples(samples: Mapping[str, MetricSample]) -> MetricSample:
    """By the engines' names, at least one. The sum is as old as its oldest part; `faults` says what has no sum.

    Several start times have none either, so `started` stays None.
    """
    parts = tuple(samples.values())
    if len(parts) == 1:
        return parts[0]
    oldest = min(parts, key=lambda one: one.mono)
    found: dict[str, Any] = {key: _total(parts, key) for key in TOTALS}
    found |= {key: _histogram([getattr(one, key) for one in parts]) for key in HISTOGRAMS}
    found["kv_usage"] = _usage(parts)
    sizes = {one.block_size for one in parts}
    summed = MetricSample(
        at=oldest.at,
        mono=oldest.mono,
        scrape_ms=max(one.scrape_ms for one in parts),
        waiting_reasons=_by_reason([one.waiting_reasons for one in parts]),
        finished=_by_reason([one.finished for one in parts]),
        block_size=sizes.pop() if len(sizes) == 1 else None,
        models=tuple(sorted({model for one in parts for model in one.models})),
    )
    return replace(summed, **found, faults=_faults(samples, [key for key, value in found.items() if value is None]))


def add_up_histograms(parts: Sequence[Histogram]) -> Histogram | None:
    """None when their buckets have different edges."""
    edges = parts[0].edges
    if any(one.edges != edges for one in parts):
        return None
    counts = tuple(sum(column) for column in zip(*(one.counts for one in parts), strict=True))
    return Histogram(edges, counts, sum(one.count for one in parts), sum(one.sum for one in parts))


def _total(parts: Sequence[MetricSample], key: str) -> float | None:
    told = [getattr(one, key) for one in parts]
    return None if None in told else sum(told)


def _histogram(told: Sequence[Histogram | None]) -> Histogram | None:
    known = [one for one in told if one is not None]
    return add_up_histograms(known) if len(known) == len(told) else None


def _usage(parts: Sequence[MetricSample]) -> float | None:
    """Engines weigh by their blocks: an empty small one does not halve the use of a full large one."""
    used = [
        (one.kv_usage * one.kv_blocks, one.kv_blocks) for one in parts if one.kv_usage is not None and one.kv_blocks
    ]
    return sum(blocks for blocks, _ in used) / sum(there for _, there in used) if len(used) == len(parts) else None


def _by_reason(told: Sequence[Pairs]) -> Pairs:
    """() when one of them tells no reasons."""
    totals: dict[str, float] = defaultdict(float)
    for reason, count in (pair for pairs in told for pair in pairs):
        totals[reason] += count
    return tuple(sorted(totals.items())) if all(told) else ()


def _faults(samples: Mapping[str, MetricSample], missing: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Why there is no sum of a figure that some engine has."""
    faults: list[tuple[str, str]] = []
    for key in missing:
        without = [name for name, one in samples.items() if getattr(one, key) is None]
        if not without:
            why = "their blocks are not told" if key == "kv_usage" else "they count in different buckets"
            faults.append((key, f"There is no sum of the engines: {why}. Choose one of them."))
        elif len(without) < len(samples):
            faults.append((key, f"There is no sum of the engines: {without[0]} does not tell it. Choose one of them."))
    return tuple(faults)
