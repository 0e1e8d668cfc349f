"""The panels of the history, and what each line of them shows over the slots of a span. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from console.widgets.chart_data import Line
from engine_host.metrics.history_figures import quantiles, ratio, summed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine_host.metrics.history_figures import Slotted

Series = dict[str, "NDArray[np.float64]"]
MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True)
class HistoryPanel:
    """`names` are vLLM's series that it is made of. `derive` gives a number for each slot and line. `top` is the
    highest value that there can be, None = there is no such value."""

    key: str
    title: str
    unit: str
    lines: tuple[Line, ...]
    help_text: str
    names: str
    derive: Callable[[Sequence[Slotted]], Series]
    millions: bool = False
    top: float | None = None


def _sum(engines: Sequence[Slotted], pick: Callable[[Slotted], NDArray[np.float64]]) -> NDArray[np.float64]:
    return summed([pick(one) for one in engines], [one.lost for one in engines])


def _batch(engines: Sequence[Slotted]) -> Series:
    """The highest of a sum is not the sum of the highest: with several engines nobody knows it."""
    running = _sum(engines, lambda one: one.mean("running"))
    waiting = _sum(engines, lambda one: one.mean("waiting"))
    highest = engines[0].highest("running") if len(engines) == 1 else np.full(len(running), np.nan)
    return {"running": running, "highest": highest, "waiting": waiting}


def _percentiles(histogram: str, scale: float = 1.0) -> Callable[[Sequence[Slotted]], Series]:
    def derive(engines: Sequence[Slotted]) -> Series:
        found = quantiles([one.taken_in(histogram) for one in engines], (0.5, 0.95, 0.99)) * scale
        return {"p50": found[:, 0], "p95": found[:, 1], "p99": found[:, 2]}

    return derive


def _phases(engines: Sequence[Slotted]) -> Series:
    names = ("queue", "prefill", "decode")
    return {name: quantiles([one.taken_in(name) for one in engines], (0.95,))[:, 0] for name in names}


def _tokens(engines: Sequence[Slotted]) -> Series:
    return {
        "out": _sum(engines, lambda one: one.rate("output_tokens")),
        "in": _sum(engines, lambda one: one.rate("prompt_tokens")),
    }


def _kv(engines: Sequence[Slotted]) -> Series:
    """Of all blocks together; without the number of blocks of each, several engines have no common share."""
    if len(engines) == 1:
        return {"mean": engines[0].mean("kv_usage") * 100, "highest": engines[0].highest("kv_usage") * 100}
    blocks = [one.last("kv_blocks") for one in engines]
    nothing = np.full(len(engines[0].lost), np.nan)
    if any(count is None for count in blocks):
        return {"mean": nothing, "highest": nothing}
    weighted = dict(zip(engines, blocks, strict=True))
    used = _sum(engines, lambda one: one.mean("kv_usage") * (weighted[one] or 0))
    there = _sum(engines, lambda one: np.where(np.isnan(one.mean("kv_usage")), np.nan, weighted[one] or 0))
    return {"mean": 100 * ratio(used, there), "highest": nothing}


def _prefix(engines: Sequence[Slotted]) -> Series:
    hits = _sum(engines, lambda one: one.growth("prefix_hits")[0])
    return {"hit": 100 * ratio(hits, _sum(engines, lambda one: one.growth("prefix_queries")[0]))}


def _requests(engines: Sequence[Slotted]) -> Series:
    return {
        "ok": MINUTE * _sum(engines, lambda one: one.rate("requests_ok")),
        "refused": MINUTE * _sum(engines, lambda one: one.rate("rejections")),
        "preempted": MINUTE * _sum(engines, lambda one: one.rate("preemptions")),
    }


PERCENTILES: Final = (Line("p50", "p50", "second"), Line("p95", "p95", "main"), Line("p99", "p99", "third"))
_EDGES: Final = "From the buckets of the engine's histogram, interpolated: only the edges of the bucket are sure."

PANELS: Final = (
    HistoryPanel(
        "batch", "Batch", "sequences",
        (
            Line("running", "running", "main", fill=True, digits=1),
            Line("highest", "highest", "third", digits=0),
            Line("waiting", "waiting", "bad", digits=1),
        ),
        "Mean of the sequences that shared the engine's steps, and of those that waited; the dotted line is the most "
        "running ones that a sample saw. Of several engines added up no highest is known.",
        "vllm:num_requests_running, vllm:num_requests_waiting", _batch,
    ),
    HistoryPanel(
        "ttft", "Time to first token", "s", PERCENTILES, f"Time from a request to its first token. {_EDGES}",
        "vllm:time_to_first_token_seconds", _percentiles("ttft"),
    ),
    HistoryPanel(
        "tokens", "Tokens", "tok/s",
        (Line("out", "out", "main", fill=True, digits=0), Line("in", "in", "second", digits=0)),
        "Growth a second of the tokens that the engine wrote, and of those of the prompts, cached ones included.",
        "vllm:generation_tokens_total, vllm:prompt_tokens_total", _tokens,
    ),
    HistoryPanel(
        "kv", "KV blocks used", "% of all",
        (Line("mean", "mean", "main", fill=True, digits=1), Line("highest", "highest", "third", digits=1)),
        "Part of the KV blocks that held keys and values of running sequences: the mean, and the highest sample.",
        "vllm:kv_cache_usage_perc, vllm:cache_config_info", _kv, top=100.0,
    ),
    HistoryPanel(
        "inter_token", "Inter-token latency", "ms",
        tuple(Line(line.key, line.name, line.look, digits=0) for line in PERCENTILES),
        f"Time between two tokens of one answer. {_EDGES}",
        "vllm:inter_token_latency_seconds", _percentiles("inter_token", 1000),
    ),
    HistoryPanel(
        "phases", "Where the time went", "s, p95 of each",
        (Line("queue", "queue", "bad"), Line("prefill", "prefill", "main"), Line("decode", "decode", "second")),
        f"The slowest twentieth of each phase; the phases of one request are not in one point. {_EDGES}",
        "vllm:request_queue_time_seconds, vllm:request_prefill_time_seconds, vllm:request_decode_time_seconds", _phases,
    ),
    HistoryPanel(
        "e2e", "End to end", "s", PERCENTILES, f"Time from a request to its last token. {_EDGES}",
        "vllm:e2e_request_latency_seconds", _percentiles("e2e"),
    ),
    HistoryPanel(
        "prefix", "Prefix hits", "% of prompt tokens", (Line("hit", "hit", "main", fill=True, digits=1),),
        "Part of the prompt tokens that came from the prefix cache. Nothing is shown while nothing was asked.",
        "vllm:prefix_cache_hits_total, vllm:prefix_cache_queries_total", _prefix, top=100.0,
    ),
    HistoryPanel(
        "requests", "Requests", "a minute",
        (
            Line("ok", "ended well", "main", digits=1),
            Line("refused", "refused", "bad", digits=1),
            Line("preempted", "preempted", "third", digits=1),
        ),
        "Requests that ended as they should, that the engine refused at its door, and that lost their KV blocks to "
        "another one and began again.",
        "vllm:request_success_total, vllm:admission_rejections_total, vllm:num_preemptions_total", _requests,
    ),
)  # fmt: skip


def derive_panels(engines: Sequence[Slotted]) -> dict[str, Series]:
    """By the key of each panel; no engine gives no panel."""
    return {panel.key: panel.derive(engines) for panel in PANELS} if engines else {}
