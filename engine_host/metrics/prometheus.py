"""A vLLM /metrics page -> one MetricSample. Pure.

Names change between versions: `names.py` has a list of them for each figure. Several engines behind one page (data
parallel) are added up. What is not on the page stays None.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine_host.metrics import names
from engine_host.metrics.page import Page, PageUnreadable
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

__all__ = ["PageUnreadable", "read_page"]

_NOT_OK: Final = ("abort", "error")
_COMPUTED: Final = "local_compute"
_HISTOGRAMS: Final = {
    "ttft": names.TTFT,
    "inter_token": names.INTER_TOKEN,
    "per_token": names.PER_TOKEN,
    "queue": names.QUEUE,
    "prefill": names.PREFILL,
    "decode": names.DECODE,
    "e2e": names.E2E,
    "step_tokens": names.STEP_TOKENS,
}


def read_page(text: str, at: datetime, mono: float, scrape_ms: float, model: str = "") -> MetricSample:
    """`model` is the one that is asked for, "" when nobody knows: of a page with several models only its series count.

    Raises PageUnreadable when the text is no metrics page or holds no vLLM figure.
    """
    page = Page(text, model)
    finished = page.by_label("finished", names.SUCCESS, "finished_reason")
    sources = dict(page.by_label("prompt_computed", names.PROMPT_BY_SOURCE, "source"))
    histograms: dict[str, Any] = {key: page.histogram(key, series) for key, series in _HISTOGRAMS.items()}
    sample = MetricSample(
        at=at,
        mono=mono,
        scrape_ms=scrape_ms,
        running=page.total("running", names.RUNNING),
        waiting=page.total("waiting", names.WAITING),
        waiting_reasons=page.by_label("waiting_reasons", names.WAITING_BY_REASON, "reason"),
        kv_usage=page.usage("kv_usage"),
        kv_blocks=page.blocks(),
        block_size=page.config("block_size", _only) or None,
        kv_tokens=page.config("kv_cache_size_tokens", sum),
        prompt_tokens=page.total("prompt_tokens", names.PROMPT_TOKENS),
        prompt_computed=sources.get(_COMPUTED),
        prompt_cached=page.total("prompt_cached", names.PROMPT_CACHED),
        output_tokens=page.total("output_tokens", names.OUTPUT_TOKENS),
        prefix_queries=page.total("prefix_queries", names.PREFIX_QUERIES),
        prefix_hits=page.total("prefix_hits", names.PREFIX_HITS),
        preemptions=page.total("preemptions", names.PREEMPTIONS),
        requests_ok=sum(count for reason, count in finished if reason not in _NOT_OK) if finished else None,
        finished=finished,
        rejections=_sum(count for _, count in page.by_label("rejections", names.REJECTIONS, "reason")),
        sleep=_sleep(page),
        started=page.total("started", names.STARTED),
        models=page.models,
    )
    return replace(sample, **histograms, faults=page.faults)


def _only(numbers: Iterable[int]) -> int:
    """0 where engines differ: nobody could say how long a block is."""
    told = set(numbers)
    return told.pop() if len(told) == 1 else 0


def _sum(numbers: Iterable[float]) -> float | None:
    told = list(numbers)
    return sum(told) if told else None


def _sleep(page: Page) -> str:
    """The state in which its engines are: the first that is not awake, when one is."""
    states = [state for state, engines in page.by_label("sleep", names.SLEEP_STATE, "sleep_state") if engines]
    return next((state for state in states if state != "awake"), "awake" if states else "")
