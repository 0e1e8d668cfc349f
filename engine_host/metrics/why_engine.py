"""The cause of a phase that the engine had a part in: the engine itself first, then the turn, then the others. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_batch import flood_of, largest, shares_at
from engine_host.metrics.why_own import own_prompt, own_text
from engine_host.metrics.why_scene import covered, load_over, overlap, restarted_at, restarts, silences, told_still
from engine_host.metrics.why_told import Cause, Why
from engine_host.metrics.why_words import clock, count, for_s, percent, tenths, whose

if TYPE_CHECKING:
    from engine_host.metrics.why_batch import Stay, TenantShare
    from engine_host.metrics.why_scene import Load, Scene, Span
    from engine_host.metrics.why_slow import Hot
    from engine_host.metrics.why_turn import TurnSeen

MOST_OF: Final = 0.5
"""A fact explains a phase when it covers this part of what was beyond the usual."""
BIG_PREFILL: Final = 1000
"""Computed prompt tokens of another turn that hold up everybody's steps."""


def engine_why(turn: TurnSeen, scene: Scene, hot: Hot) -> Why:
    span = span_of(turn, hot.phase)
    found = _restart(turn, scene, hot, span)
    if found is None and hot.phase == "prefill" and not _may_have_queued(turn, scene, span):
        found = own_prompt(turn, scene, hot)
    found = found or _stalled(scene, hot, span)
    if found is None and _is_wait(turn, scene, hot, span):
        return _waited(turn, scene, hot, span)
    if found is None and hot.phase == "prefill":
        found = own_prompt(turn, scene, hot)
    if found is None and hot.phase in ("gate", "decode"):
        found = own_text(turn, scene, hot)
    return found or _others(turn, scene, hot, span)


def span_of(turn: TurnSeen, phase: str) -> Span:
    """When the phase was, in epoch s; the whole turn when that is not known."""
    engine = turn.engine_span
    if engine is None:
        return turn.asked_at, turn.ended_at
    asked, taken, first, ended = engine
    gate_end = min(first + turn.lengths.get("gate", 0.0), ended)
    spans = {"queue": (asked, taken), "prefill": (taken, first), "gate": (first, gate_end), "decode": (gate_end, ended)}
    return spans.get(phase, (asked, ended))


def _restart(turn: TurnSeen, scene: Scene, hot: Hot, span: Span) -> Why | None:
    if turn.way.moves and hot.phase == "pause":
        moves = "; ".join(turn.way.moves)
        return Why(Cause.RESTART, hot.phase, f"{moves} after a pause of {for_s(turn.way.pause)}.")
    events = restarts(scene, (span[0] - hot.length, span[1]))
    at = restarted_at(scene.samples, span)
    if not events and at is None:
        return None
    when = clock(events[0].at.timestamp() if events else at or span[0], scene.zone)
    said = f" {events[-1].text}" if events else ""
    return Why(Cause.RESTART, hot.phase, f"Waited {for_s(hot.length)}: the engine began again at {when}.{said}")


def _stalled(scene: Scene, hot: Hot, span: Span) -> Why | None:
    still = [one for one in _still(scene, span) if overlap(one, span) > 0]
    if not still or covered(still, span) < MOST_OF * hot.beyond:
        return None
    since, until = max(still, key=lambda one: one[1] - one[0])
    made_none = f"the engine made no token for {for_s(until - since)} from {clock(since, scene.zone)}"
    return Why(Cause.STALLED, hot.phase, f"Waited {for_s(hot.length)}: {made_none}.")


def _still(scene: Scene, span: Span) -> list[Span]:
    """When the engine had work and did nothing, by its samples and by its own watch. An engine that reads a long prompt
    makes no token either: what that may have taken is no standing still."""
    found = [*silences(scene.samples), *told_still(scene, span[1])]
    read = [stay for stay in scene.stays if stay.computed >= BIG_PREFILL]
    return [
        one
        for one in found
        if one[1] - one[0] > scene.reading_s(stay.computed for stay in read if overlap(stay.reading, one) > 0)
    ]


def _may_have_queued(turn: TurnSeen, scene: Scene, span: Span) -> bool:
    """Whether the prefill of an engine that does not tell queue times holds a wait."""
    return turn.times.queue is None and load_over(scene.samples, span).waited


def _is_wait(turn: TurnSeen, scene: Scene, hot: Hot, span: Span) -> bool:
    return hot.phase == "queue" or (hot.phase == "prefill" and _may_have_queued(turn, scene, span))


def _waited(turn: TurnSeen, scene: Scene, hot: Hot, span: Span) -> Why:
    load, moment = load_over(scene.samples, span), (span[0] + span[1]) / 2
    shares = shares_at(scene.stays, moment, turn.turn_id)
    batch_full = scene.max_seqs is not None and load.running is not None and load.running >= scene.max_seqs
    if load.is_kv_full(_first_in_line(turn, scene)) and not batch_full:
        return Why(Cause.KV_FULL, hot.phase, f"Waited {for_s(hot.length)}: {_kv_words(turn, scene, load, moment)}.")
    if flood := _flood(scene, shares):
        return Why(Cause.FLOOD, hot.phase, f"Waited {for_s(hot.length)}: {_flood_words(scene, flood, shares, load)}.")
    if batch_full or (load.waited and sum(share.seqs for share in shares) >= (scene.max_seqs or math.inf)):
        return Why(Cause.QUEUE_LIMIT, hot.phase, f"Waited {for_s(hot.length)}: {_full_words(scene, shares)}.")
    if reader := _reader(turn, scene, hot, span):
        said = f"{_reader_words(scene, reader)} was read first"
        return Why(Cause.LONG_PREFILL, hot.phase, f"Waited {for_s(hot.length)}: {said}.")
    if load.waited and load.running:
        running = count(load.running, "sequence")
        return Why(Cause.QUEUE_LIMIT, hot.phase, f"Waited {for_s(hot.length)}: the batch took no more than {running}.")
    unknown = "no sample of the engine is left from then" if load.running is None else "its samples do not say why"
    return Why(Cause.UNEXPLAINED, hot.phase, f"Waited {for_s(hot.length)} in the engine’s queue; {unknown}.")


def _others(turn: TurnSeen, scene: Scene, hot: Hot, span: Span) -> Why:
    """What shared the engine's steps with a phase that the turn itself does not explain."""
    load, moment = load_over(scene.samples, span), (span[0] + span[1]) / 2
    shares = shares_at(scene.stays, moment, turn.turn_id)
    took = {"prefill": "Prefill took", "gate": "The first sentence took", "decode": "Writing took"}.get(hot.phase)
    took = f"{took or 'The engine took'} {for_s(hot.length)}{hot.usual_words}"
    if load.preempted:
        gone = f"{count(load.preempted, 'sequence')} lost its blocks" if load.preempted == 1 else (
            f"{load.preempted:,.0f} sequences lost their blocks"
        )  # fmt: skip
        return Why(Cause.KV_FULL, hot.phase, f"{took}: {_kv_words(turn, scene, load, moment)}, and {gone}.")
    if flood := _flood(scene, shares):
        return Why(Cause.FLOOD, hot.phase, f"{took}: {_flood_words(scene, flood, shares, load)}.")
    if reader := _reader(turn, scene, hot, span):
        said = f"{_reader_words(scene, reader)} was read in the same steps"
        return Why(Cause.LONG_PREFILL, hot.phase, f"{took}: {said}.")
    if load.running is not None and load.running > 1:
        return Why(
            Cause.SHARED_STEPS, hot.phase, f"{took}: {count(load.running, 'sequence')} shared the engine’s steps."
        )
    return Why(Cause.UNEXPLAINED, hot.phase, f"{took}; neither the turn nor the engine’s samples say why.")


def _first_in_line(turn: TurnSeen, scene: Scene) -> int:
    """The longest prompt, in tokens, that waited before this turn, or its own: the first in line that finds no room
    holds up all behind it."""
    asked = turn.engine_span[0] if turn.engine_span else turn.asked_at
    ahead = (stay.prompt for stay in scene.stays if stay.asked <= asked < stay.taken)
    return max(turn.tokens.prompt, *ahead, 0)


def _reader(turn: TurnSeen, scene: Scene, hot: Hot, span: Span) -> Stay | None:
    """Of the long prompts that were read for most of what was beyond the usual, one after the other or together, the
    longest."""
    others = [one for one in scene.stays if one.turn_id != turn.turn_id and one.computed >= BIG_PREFILL]
    beside = [one for one in others if overlap(one.reading, span) > 0]
    if covered([one.reading for one in beside], span) < MOST_OF * hot.beyond:
        return None
    return max(beside, key=lambda stay: stay.computed, default=None)


def _reader_words(scene: Scene, reader: Stay) -> str:
    return f"a prompt of {reader.computed:,} tokens of {scene.name(reader.tenant_id)}"


def _kv_words(turn: TurnSeen, scene: Scene, load: Load, moment: float) -> str:
    of = f" ({percent(load.kv_usage)} of {load.kv_blocks:,} blocks)" if load.kv_usage and load.kv_blocks else ""
    held = largest(scene.stays, moment, turn.turn_id)
    if not held or not load.kv_blocks or not load.block_size:
        return f"KV was full{of}"
    tokens = [stay.tokens_at(moment) for stay in held]
    blocks = sum(-(-each // load.block_size) for each in tokens)
    each, whose_turns = f"of about {tenths(sum(tokens) / len(tokens))} tokens", scene.name(held[0].tenant_id)
    share, used = blocks / load.kv_blocks, load.kv_usage or 1.0
    if share > used:  # they seem to have been there a little longer than they were
        return f"KV was full{of}, held by turns of {whose_turns} {each} for the most part"
    return f"KV was full{of}; {count(len(held), 'turn')} of {whose_turns} {each} held {percent(share)} of the blocks"


def _flood(scene: Scene, shares: tuple[TenantShare, ...]) -> TenantShare | None:
    """A kitchen that has one tenant has no tenant that crowds out others."""
    return None if len(scene.names) == 1 else flood_of(shares)


def _flood_words(scene: Scene, flood: TenantShare, shares: tuple[TenantShare, ...], load: Load) -> str:
    seen = load.running if load.running is not None else sum(share.seqs for share in shares)
    return f"{scene.name(flood.tenant_id)} had {_seats(scene, flood, shares, max(seen, flood.seqs))} seats"


def _full_words(scene: Scene, shares: tuple[TenantShare, ...]) -> str:
    if not shares:
        return f"the batch of {scene.max_seqs:,} was full, none of it ours"
    most = shares[0]
    seats = _seats(scene, most, shares, scene.max_seqs or most.seqs)
    return f"batch full, {seats} seats {whose(scene.name(most.tenant_id))}"


def _seats(scene: Scene, share: TenantShare, shares: tuple[TenantShare, ...], of: float) -> str:
    """Our turns leave the engine a little before they end, so that more of them may seem to be in it than it takes."""
    total, most = sum(one.seqs for one in shares), scene.max_seqs
    if most is None or total <= most:
        return f"{share.seqs:,} of {of:,.0f}"
    return f"{most:,} of {most:,}" if share.seqs == total else f"the largest part of {most:,}"
