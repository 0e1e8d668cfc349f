"""What the six tiles, the pill and the table of the Live page show, from one reading. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.live.latency_shown import has_own_turns
from console.live.view import (
    UNKNOWN,
    age_words,
    decimals,
    edge_words,
    whole,
)
from console.live.windows import bucket_quantile, growth, nearest_rank, pace
from console.promises import INTER_TOKEN_PROMISE_S, TTFT_PROMISE_S
from console.widgets.engine_kinds import ENGINE_KINDS
from console.widgets.pill import PillMark
from console.widgets.tile import Figure, TileFigures

if TYPE_CHECKING:
    from console.live.reading import LiveRead
    from console.live.view import View
    from console.live.windows import Observations
    from engine_host.engine.state import EngineState

STALE_S: Final = 10.0
PACE_S: Final = 10.0
AWAKE: Final = "awake"
OWN: Final = ", own turns"


def derive_pill(engine: EngineState) -> PillMark:
    return PillMark(engine.name or "No engine", ENGINE_KINDS.get(engine.status, "neutral"), dot=True)


def derive_labels(view: View) -> dict[str, str]:
    words = view.window_words
    return {
        "batch": "Running / waiting",
        "kv": "KV blocks used",
        "ttft": f"TTFT p95, {words}",
        "inter_token": f"Inter-token p95, {words}",
        "tokens": "Tokens out",
        "prefix": f"Prefix hit, {words}",
    }


def derive_tiles(read: LiveRead, view: View) -> dict[str, TileFigures]:
    """Without a sample of the last 10 s every figure of the engine is unknown, and the caption says why."""
    fault = _no_figures(read)
    if fault:
        return {key: TileFigures((Figure(UNKNOWN),), fault) for key in derive_labels(view)}
    return {
        **_gauges(read),
        "ttft": _ttft(read, view),
        "inter_token": _inter_token(read, view),
        "tokens": _tokens(read),
        "prefix": _prefix(read, view),
    }


def derive_gauge_tiles(read: LiveRead) -> dict[str, TileFigures]:
    """The tiles that are wholly of the newest sample: a glance between two readings renews them."""
    return {} if _no_figures(read) else _gauges(read)


def _gauges(read: LiveRead) -> dict[str, TileFigures]:
    return {"batch": _batch(read), "kv": _kv(read)}


def _no_figures(read: LiveRead) -> str:
    if read.newest is None:
        return "no data yet"
    age_s = read.now - read.newest.at.timestamp()
    return f"no sample for {age_words(age_s)}" if age_s > STALE_S else ""


def _batch(read: LiveRead) -> TileFigures:
    sample = read.newest
    running, waiting = (sample.running, sample.waiting) if sample else (None, None)
    of = "running" if read.max_seqs is None else f"of {read.max_seqs}"
    return TileFigures((Figure(whole(running), of), Figure(whole(waiting), "waiting")), _waiting_words(read))


def _untold(read: LiveRead, figure: str) -> str:
    """The tile has room for a few words; its chart has the sentence."""
    fault = read.newest.fault(figure) if read.newest is not None else ""
    return "not told: see the chart" if fault else "not published by this engine"


def _waiting_words(read: LiveRead) -> str:
    sample = read.newest
    if sample is None or sample.running is None or sample.waiting is None:
        return _untold(read, "running")
    if sample.sleep not in ("", AWAKE):
        return f"the engine sleeps: {sample.sleep.replace('_', ' ')}"
    if not sample.waiting:
        return "no request waits" if sample.running else "no request is under way"
    reasons = dict(sample.waiting_reasons)
    if reasons.get("deferred") and not reasons.get("capacity"):
        return "held back by the engine, not for want of room"
    if read.max_seqs is None:
        return "waiting for a place"
    return "the batch is full" if sample.running >= read.max_seqs else "room in the batch: KV may be short"


def _kv(read: LiveRead) -> TileFigures:
    sample = read.newest
    if sample is None or sample.kv_usage is None:
        return TileFigures((Figure(UNKNOWN, "%"),), _untold(read, "kv_usage"))
    share = Figure(decimals(sample.kv_usage * 100, 1), "%")
    if not sample.kv_blocks:
        return TileFigures((share,), "the number of blocks is not published")
    used = f"{sample.kv_usage * sample.kv_blocks:,.0f} of {sample.kv_blocks:,} blocks"
    slots = "" if sample.kv_tokens is None else f", room for {sample.kv_tokens:,} tokens"
    return TileFigures((share,), used + slots, short=used)


def _ttft(read: LiveRead, view: View) -> TileFigures:
    p95, bucket, own = _p95(read, view, read.ledger.ttft, "ttft")
    nothing = "no request in the window" if read.rows.histograms["ttft"] else "engine does not say"
    source = f"engine {edge_words(*bucket)}" if bucket else nothing
    caption = f"SLO {TTFT_PROMISE_S:.2f} s, {source}"
    alert = p95 is not None and p95 > TTFT_PROMISE_S
    return TileFigures((Figure(decimals(p95, 2), f"s{OWN if own else ''}"),), caption, alert=alert, short=source)


def _inter_token(read: LiveRead, view: View) -> TileFigures:
    p95, bucket, own = _p95(read, view, read.ledger.gaps, "inter_token")
    milliseconds = None if p95 is None else p95 * 1000
    nothing = "no token in the window" if read.rows.histograms["inter_token"] else "engine does not say"
    source = f"engine {edge_words(*bucket, 1000, 'ms')}" if bucket else nothing
    caption = f"SLO {INTER_TOKEN_PROMISE_S * 1000:.0f} ms, {source}"
    alert = p95 is not None and p95 > INTER_TOKEN_PROMISE_S
    return TileFigures((Figure(whole(milliseconds), f"ms{OWN if own else ''}"),), caption, alert=alert, short=source)


def _p95(
    read: LiveRead, view: View, seen: Observations, key: str
) -> tuple[float | None, tuple[float, float] | None, bool]:
    """The figure in s, the edges of the engine's bucket, and whether the figure is that of our own turns."""
    rows = read.rows.histograms[key]
    found = None if rows is None else bucket_quantile(read.rows.times, rows, view.window_s, 0.95, read.now)
    bucket = None if found is None else (found.low, found.high)
    if has_own_turns(seen, view.window_s, read.now):
        inside = sorted(seen.inside(view.window_s, read.now).tolist())
        return nearest_rank(inside, 0.95), bucket, True
    return (None if found is None else found.value), bucket, False


def _tokens(read: LiveRead) -> TileFigures:
    rows, sample = read.rows, read.newest
    made, taken = (pace(rows.times, rows.figures[key], PACE_S, read.now) for key in ("output", "prompt"))
    words = [] if taken is None else [f"in {taken:,.0f} tok/s"]
    if made and sample is not None and sample.running:
        words.insert(0, f"{made / sample.running:.1f} a stream")
    caption = ", ".join(words) or _untold(read, "output_tokens")
    return TileFigures((Figure(whole(made), "tok/s"),), caption, short=words[0] if words else "")


def _prefix(read: LiveRead, view: View) -> TileFigures:
    rows = read.rows
    asked, hits = (growth(rows.times, rows.figures[key], view.window_s, read.now) for key in ("queries", "hits"))
    if not rows.known("queries") or asked is None or hits is None:
        return TileFigures((Figure(UNKNOWN, "%"),), _untold(read, "prefix_queries") if rows.known("running") else "")
    if not asked:
        return TileFigures((Figure(UNKNOWN, "%"),), "no prompt in the window")
    cached = f"{hits:,.0f} of {asked:,.0f}"
    return TileFigures((Figure(decimals(hits / asked * 100, 1), "%"),), f"{cached} tokens cached", short=cached)


@dataclass(frozen=True, slots=True)
class TenantRow:
    """Turns of one tenant that ended in the window; `prompt` includes `cached`. `ttft_s` is their p95, None = no token
    was written; `slo_s` what this tenant is promised."""

    tenant_id: str
    name: str
    series: int
    requests: int = 0
    prompt: int = 0
    cached: int = 0
    output: int = 0
    ttft_s: float | None = None
    slo_s: float = TTFT_PROMISE_S

    @property
    def is_late(self) -> bool:
        return self.ttft_s is not None and self.ttft_s > self.slo_s


def derive_rows(read: LiveRead, view: View) -> tuple[TenantRow, ...]:
    """One row a tenant, in the order of their colours, those without a turn too."""
    ended = read.ledger.inside(view.window_s, read.now)
    rows: list[TenantRow] = []
    for tenant in read.tenants:
        own = [turn for turn in ended if turn.tenant_id == tenant.tenant_id]
        sums = (sum(turn.prompt for turn in own), sum(turn.cached for turn in own), sum(turn.output for turn in own))
        times = sorted(turn.ttft_s for turn in own if turn.ttft_s is not None)
        p95 = nearest_rank(times, 0.95) if times else None
        slo_s = TTFT_PROMISE_S if tenant.ttft_target_ms is None else tenant.ttft_target_ms / 1000
        rows.append(TenantRow(tenant.tenant_id, tenant.name, tenant.colour, len(own), *sums, p95, slo_s))
    return tuple(rows)
