"""Which figures of a sample the Live page keeps, by the keys under which its charts and tiles know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine_host.metrics.samples import Histogram, MetricSample

    Figures = Mapping[str, Callable[[MetricSample], float | None]]

WAITING_REASONS: Final = ("capacity", "deferred")
"""vLLM's words: no room in the batch or in the KV blocks; held back by something else, such as a KV transfer."""


def _used(sample: MetricSample) -> float | None:
    """KV blocks, not their share: only blocks of several engines can be added up."""
    return None if sample.kv_usage is None or not sample.kv_blocks else sample.kv_usage * sample.kv_blocks


def _reason(name: str) -> Callable[[MetricSample], float | None]:
    return lambda sample: dict(sample.waiting_reasons).get(name)


GAUGES: Final[Figures] = {
    "running": lambda sample: sample.running,
    "waiting": lambda sample: sample.waiting,
    "kv_usage": lambda sample: sample.kv_usage,
    "kv_used": _used,
    "kv_blocks": lambda sample: sample.kv_blocks,
    **{f"waiting_{reason}": _reason(reason) for reason in WAITING_REASONS},
}
COUNTERS: Final[Figures] = {
    "prompt": lambda sample: sample.prompt_tokens,
    "computed": lambda sample: sample.prompt_computed,
    "cached": lambda sample: sample.prompt_cached,
    "output": lambda sample: sample.output_tokens,
    "queries": lambda sample: sample.prefix_queries,
    "hits": lambda sample: sample.prefix_hits,
    "preemptions": lambda sample: sample.preemptions,
    "rejections": lambda sample: sample.rejections,
    "steps": lambda sample: None if sample.step_tokens is None else sample.step_tokens.count,
    "step_tokens": lambda sample: None if sample.step_tokens is None else sample.step_tokens.sum,
}
HISTOGRAMS: Final[Mapping[str, Callable[[MetricSample], Histogram | None]]] = {
    "ttft": lambda sample: sample.ttft,
    "inter_token": lambda sample: sample.inter_token,
    "per_token": lambda sample: sample.per_token,
    "queue": lambda sample: sample.queue,
    "prefill": lambda sample: sample.prefill,
    "decode": lambda sample: sample.decode,
    "e2e": lambda sample: sample.e2e,
}
