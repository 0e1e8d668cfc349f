"""A vLLM /metrics page -> one MetricSample. Pure.

Names change between versions: each figure has a list of them, newest first. Several engines behind one page
(data parallel) are added up; their KV use is the mean. What is not on the page stays None.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families

from engine_host.metrics.samples import Histogram, MetricSample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

RUNNING = ("vllm:num_requests_running",)
WAITING = ("vllm:num_requests_waiting",)
KV_USAGE = ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc")
PROMPT_TOKENS = ("vllm:prompt_tokens_total",)
OUTPUT_TOKENS = ("vllm:generation_tokens_total",)
PREFIX_QUERIES = ("vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total")
PREFIX_HITS = ("vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total")
PREEMPTIONS = ("vllm:num_preemptions_total",)
SUCCESS = ("vllm:request_success_total",)
CACHE_CONFIG = ("vllm:cache_config_info",)
TTFT = ("vllm:time_to_first_token_seconds",)
INTER_TOKEN = ("vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds")

_NOT_OK = ("abort", "error")
_HISTOGRAMS = (TTFT, INTER_TOKEN)
_PLAIN = (RUNNING, WAITING, KV_USAGE, PROMPT_TOKENS, OUTPUT_TOKENS, PREFIX_QUERIES, PREFIX_HITS, PREEMPTIONS)
_READ = frozenset(
    name
    for names in (*_PLAIN, SUCCESS, CACHE_CONFIG, *_HISTOGRAMS)
    for name in (*names, *(f"{n}{end}" for n in names for end in ("_bucket", "_count", "_sum")))
)

Series = dict[str, list[tuple[dict[str, str], float]]]


class PageUnreadable(ValueError):
    """The page is not one of a vLLM server. `str(e)` is a sentence."""


def read_page(text: str, at: datetime, mono: float, scrape_ms: float) -> MetricSample:
    """Raises PageUnreadable when the text is no metrics page or holds no vLLM figure."""
    series = _series(text)
    if not series:
        raise PageUnreadable("The metrics page holds no vLLM figures: it may belong to another program.")
    return MetricSample(
        at=at,
        mono=mono,
        scrape_ms=scrape_ms,
        running=_total(series, RUNNING),
        waiting=_total(series, WAITING),
        kv_usage=_mean(series, KV_USAGE),
        kv_blocks=_config(series, "num_gpu_blocks", sum),
        block_size=_config(series, "block_size", max),
        prompt_tokens=_total(series, PROMPT_TOKENS),
        output_tokens=_total(series, OUTPUT_TOKENS),
        prefix_queries=_total(series, PREFIX_QUERIES),
        prefix_hits=_total(series, PREFIX_HITS),
        preemptions=_total(series, PREEMPTIONS),
        requests_ok=_finished_well(series),
        ttft=_histogram(series, TTFT),
        inter_token=_histogram(series, INTER_TOKEN),
    )


def _series(text: str) -> Series:
    """The samples that are read here. The other nine tenths of a page are skipped before the parser sees them."""
    wanted = "\n".join(line for line in text.splitlines() if line.partition("{")[0].partition(" ")[0] in _READ)
    series: Series = defaultdict(list)
    try:
        for family in text_string_to_metric_families(wanted + "\n"):
            for sample in family.samples:
                if not math.isnan(sample.value):
                    series[sample.name].append((sample.labels, sample.value))
    except ValueError as error:
        raise PageUnreadable("The metrics page cannot be read: a line of it is broken off.") from error
    return dict(series)


def _found(series: Series, names: Sequence[str], end: str = "") -> list[tuple[dict[str, str], float]]:
    for name in names:
        if name + end in series:
            return series[name + end]
    return []


def _total(series: Series, names: Sequence[str]) -> float | None:
    found = _found(series, names)
    return sum(value for _, value in found) if found else None


def _mean(series: Series, names: Sequence[str]) -> float | None:
    found = _found(series, names)
    return sum(value for _, value in found) / len(found) if found else None


def _finished_well(series: Series) -> float | None:
    found = _found(series, SUCCESS)
    return sum(v for labels, v in found if labels.get("finished_reason") not in _NOT_OK) if found else None


def _config(series: Series, label: str, combine: Callable[[Iterable[int]], int]) -> int | None:
    """Numbers that vLLM publishes as labels of a gauge."""
    told = [labels.get(label, "") for labels, _ in _found(series, CACHE_CONFIG)]
    numbers = [int(text) for text in told if text.isdecimal()]
    return combine(numbers) if numbers else None


def _histogram(series: Series, names: Sequence[str]) -> Histogram | None:
    buckets: dict[float, float] = defaultdict(float)
    for labels, value in _found(series, names, "_bucket"):
        buckets[float(labels["le"])] += value
    if math.inf not in buckets:
        return None
    edges = tuple(sorted(buckets))
    count = sum(value for _, value in _found(series, names, "_count")) or buckets[math.inf]
    total = sum(value for _, value in _found(series, names, "_sum"))
    return Histogram(edges, tuple(buckets[edge] for edge in edges), count, total)
