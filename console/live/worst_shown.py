"""The worst turns of the last minute as rows, and one of them at length. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from console.live.view import UNKNOWN
from console.live.why_reading import SLOW_S
from console.widgets.bars import Piece
from console.widgets.time_bars import TimeBar
from engine_host.metrics.why_told import Cause
from engine_host.metrics.why_turn import PHASES, TO_FIRST_TEXT
from engine_host.metrics.why_words import clock, count, for_s, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from console.live.why_reading import WhyRead
    from engine_host.metrics.why_batch import TenantShare
    from engine_host.metrics.why_detail import TurnWhy
    from storage.records import Tenant

PHASE_WORDS: Final[Mapping[str, str]] = {"lookup": "look-up", "pause": "engine moved", "client": "reader"}
ALWAYS: Final = ("queue", "retrieve", "lookup", "prefill", "gate", "decode")
NOTHING_SLOW: Final = f"No turn of the last minute took longer than {SLOW_S:g} s."


@dataclass(frozen=True, slots=True)
class WorstRow:
    """`pieces` are the phases until the first text, in s; the bar stands for `first_text` of `longest`."""

    turn_id: str
    asked: str
    tenant: str
    series: int
    question: str
    first_text: float
    pieces: tuple[Piece, ...]
    longest: float
    why: str


@dataclass(frozen=True, slots=True)
class BatchLine:
    """Whose turns were in the batch and what they held."""

    name: str
    series: int
    words: str


@dataclass(frozen=True, slots=True)
class WhyShown:
    """One turn at length. `whole` is the end of the axis of `bars` in ms; `engine` what the engine itself said then."""

    title: str
    tenant: str
    series: int
    question: str
    cause: str
    sentence: str
    bars: tuple[TimeBar, ...]
    whole: float
    peers: str
    then: str = ""
    batch: tuple[BatchLine, ...] = ()
    engine: str = ""


@dataclass(frozen=True, slots=True)
class WorstShown:
    rows: tuple[WorstRow, ...] = ()
    details: Mapping[str, WhyShown] | None = None
    unit: str = ""
    empty: str = NOTHING_SLOW


def derive_worst(read: WhyRead, tenants: Sequence[Tenant], zone: tzinfo) -> WorstShown:
    known = {tenant.tenant_id: tenant for tenant in tenants}
    longest = max((one.turn.first_text or 0.0 for one in read.worst), default=0.0)
    usual = "" if read.median is None else f", median {read.median:.2f} s"
    return WorstShown(
        rows=tuple(_row(one, known, longest, zone) for one in read.worst),
        details={one.turn.turn_id: derive_why(one, tenants, zone) for one in read.worst},
        unit=f"to the first text the customer saw{usual}",
    )


def derive_why(one: TurnWhy, tenants: Sequence[Tenant], zone: tzinfo) -> WhyShown:
    turn, known = one.turn, {tenant.tenant_id: tenant for tenant in tenants}
    tenant = known.get(turn.tenant_id)
    bars, whole = _bars(one)
    return WhyShown(
        title=f"Turn of {clock(turn.asked_at, zone)}, {for_s(turn.total)}",
        tenant=tenant.name if tenant else turn.tenant_id,
        series=tenant.colour if tenant else 0,
        question=turn.question,
        cause="" if one.why.cause is Cause.NOTHING else one.why.cause.value.capitalize(),
        sentence=one.why.sentence,
        bars=bars,
        whole=whole,
        peers=_peers(one),
        then="" if one.moment is None else f"In the batch at {clock(one.moment, zone)}, beside this turn",
        batch=tuple(_line(share, known) for share in one.batch),
        engine=_engine(one, zone),
    )


def _row(one: TurnWhy, known: Mapping[str, Tenant], longest: float, zone: tzinfo) -> WorstRow:
    turn, tenant = one.turn, known.get(one.turn.tenant_id)
    return WorstRow(
        turn_id=turn.turn_id,
        asked=f"{datetime.fromtimestamp(turn.asked_at, zone):%H:%M:%S}",
        tenant=tenant.name if tenant else turn.tenant_id,
        series=tenant.colour if tenant else 0,
        question=" ".join(turn.question.split()),
        first_text=turn.first_text or 0.0,
        pieces=_pieces(one),
        longest=longest,
        why=one.why.sentence,
    )


def _pieces(one: TurnWhy) -> tuple[Piece, ...]:
    """Neutral ones alternate; the cause, when it came before the first text, is the hot one."""
    lengths, left = one.turn.lengths, one.turn.first_text or 0.0
    pieces: list[Piece] = []
    for number, name in enumerate(TO_FIRST_TEXT):
        length = min(lengths.get(name, 0.0), left)
        left -= length
        neutral = "seg-b" if number % 2 else "seg-a"
        pieces.append(Piece(length, "seg-hot" if name == one.why.phase else neutral))
    return tuple(piece for piece in pieces if piece.amount > 0)


def _bars(one: TurnWhy) -> tuple[tuple[TimeBar, ...], float]:
    """A bar for each phase, one after the other, in ms; the tick is where the peers' median would end."""
    lengths, peers = one.turn.lengths, one.peers
    bars: list[TimeBar] = []
    start = 0.0
    for name in PHASES:
        length = 1000 * lengths.get(name, 0.0)
        usual = None if peers is None else 1000 * peers.lengths.get(name, 0.0)
        if name not in ALWAYS and length < 1 and (usual or 0.0) < 1:
            continue
        bars.append(
            TimeBar(
                PHASE_WORDS.get(name, name),
                start,
                length or None,
                "hot" if name == one.why.phase else "neutral",
                f"{length:,.0f} ms" if name in lengths else UNKNOWN,
                "" if usual is None else f"{usual:,.0f}",
                None if usual is None else start + usual,
            )
        )
        start += length
    ends = [bar.mark for bar in bars if bar.mark is not None]
    return tuple(bars), max([start, *ends, 1.0])


def _peers(one: TurnWhy) -> str:
    if one.peers is None:
        return "Too few turns of its kind are known to compare."
    of = count(one.peers.turns, "turn")
    return f"Ticks: medians of the last {of} of its kind, {for_s(one.peers.total)} in all."


def _line(share: TenantShare, known: Mapping[str, Tenant]) -> BatchLine:
    tenant = known.get(share.tenant_id)
    words = f"{count(share.seqs, 'turn')}, {share.tokens:,} tokens"
    return BatchLine(tenant.name if tenant else share.tenant_id, tenant.colour if tenant else 0, words)


def _engine(one: TurnWhy, zone: tzinfo) -> str:
    sample = one.sample
    if one.moment is None:
        return "No model wrote in this turn."
    if sample is None:
        return "No sample of the engine is left from then."
    told = [
        None if sample.running is None else f"{sample.running:,.0f} running",
        None if sample.waiting is None else f"{sample.waiting:,.0f} waiting",
        None if sample.kv_usage is None else f"KV {percent(sample.kv_usage)}",
    ]
    figures = ", ".join(filter(None, told)) or "it publishes none of its load"
    at = f"{sample.at.astimezone(zone):%H:%M:%S}"
    return f"The engine at {at}: {figures}.{_strangers(one, sample.running)}"


def _strangers(one: TurnWhy, running: float | None) -> str:
    """Sequences that are not explained by our turns: this one, and those beside it."""
    ours = 1 + sum(share.seqs for share in one.batch)
    others = 0 if running is None else round(running) - ours
    return f" {count(others, 'sequence')} of them not ours." if others > 0 else ""
