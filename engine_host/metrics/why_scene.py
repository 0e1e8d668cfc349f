"""What an engine was doing while a turn waited for it, out of its samples and events. Pure; times are epoch s."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine_host.metrics.samples import MetricSample
from engine_host.metrics.window import began_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from engine_host.metrics.samples import Scrape
    from engine_host.metrics.why_batch import Stay
    from engine_host.metrics.why_peers import Peers
    from storage.records import EngineEvent

Span = tuple[float, float]

AROUND_S: Final = 1.5
"""A sample so near to a span tells of it too: samples come once a second."""
SILENT_S: Final = 2.0
FULL_KV: Final = 0.95
READS: Final = 400.0
"""Prompt tokens a second, when it is not known how fast the engine reads."""
SHARED: Final = 2.0
"""A prompt takes so many times as long while others are read and written beside it."""
STILL_KINDS: Final = frozenset({"stalled", "sleep"})
RESTART_KINDS: Final = frozenset({"start", "ready", "failed", "lost", "stop", "restart"})


@dataclass(frozen=True, slots=True)
class Scene:
    """`samples` are of the engine that worked on the turn, oldest first; `stays` are our turns in it, that one too.

    `max_seqs` None: not known. `names` are the tenants'. `zone` is where clocks are read. `reads`: how many prompt
    tokens the engine reads a second, None = not known.
    """

    samples: Sequence[Scrape] = ()
    stays: Sequence[Stay] = ()
    events: Sequence[EngineEvent] = ()
    peers: Peers | None = None
    max_seqs: int | None = None
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    zone: tzinfo = UTC
    reads: float | None = None

    def name(self, tenant_id: str) -> str:
        return self.names.get(tenant_id, tenant_id)

    def reading_s(self, prompts: Iterable[int]) -> float:
        """How long, in s, it may take to read prompts of so many tokens while the engine has other work too."""
        return SHARED * sum(prompts) / (self.reads or READS)


@dataclass(frozen=True, slots=True)
class Load:
    """The engine over a span: the fullest that each figure was. None = not published, or no sample from then.

    `waited`: a request waited in some sample. `preempted`: how many sequences lost their blocks meanwhile.
    """

    running: float | None
    waiting: float | None
    kv_usage: float | None
    preempted: float | None
    kv_blocks: int | None
    block_size: int | None

    @property
    def waited(self) -> bool:
        return bool(self.waiting)

    def is_kv_full(self, prompt_tokens: int) -> bool:
        """Whether a prompt of so many tokens found no room, or sequences lost theirs."""
        if self.preempted:
            return True
        if self.kv_usage is None:
            return False
        if not self.kv_blocks or not self.block_size:
            return self.kv_usage >= FULL_KV
        free = (1 - self.kv_usage) * self.kv_blocks
        return self.kv_usage >= FULL_KV or free < -(-prompt_tokens // self.block_size)


def load_over(samples: Sequence[Scrape], span: Span) -> Load:
    """From the samples within the span, and those just beside it."""
    inside = [one for one in samples_of(samples) if span[0] - AROUND_S <= one.at.timestamp() <= span[1] + AROUND_S]
    steps = [(a.preemptions, b.preemptions) for a, b in pairwise(inside) if not began_again(a, b)]
    grown = [b - a for a, b in steps if a is not None and b is not None and b >= a]
    return Load(
        running=_most(one.running for one in inside),
        waiting=_most(one.waiting for one in inside),
        kv_usage=_most(one.kv_usage for one in inside),
        preempted=sum(grown) if grown else None,
        kv_blocks=next((one.kv_blocks for one in inside if one.kv_blocks), None),
        block_size=next((one.block_size for one in inside if one.block_size), None),
    )


def nearest(samples: Sequence[Scrape], moment: float) -> MetricSample | None:
    """The sample nearest to the moment; None when none is within 5 s of it."""
    found = min(samples_of(samples), key=lambda one: abs(one.at.timestamp() - moment), default=None)
    return found if found is not None and abs(found.at.timestamp() - moment) <= 5.0 else None


def samples_of(samples: Sequence[Scrape]) -> list[MetricSample]:
    return [one for one in samples if isinstance(one, MetricSample)]


def silences(samples: Sequence[Scrape]) -> tuple[Span, ...]:
    """Spans of 2 s and more in which an engine with work in hand made nothing and read nothing.

    Without a sample for a while (an engine that is stopped does not answer) it was silent for as long as it can't
    have taken, at its usual pace, to make what it had made by the next one.
    """
    known = [one for one in samples_of(samples) if one.output_tokens is not None]
    usual = _usual_pace(known)
    found: list[Span] = []
    for before, after in pairwise(known):
        start, end = before.at.timestamp(), after.at.timestamp()
        if not before.running or began_again(before, after):
            continue
        if end - start <= SILENT_S or not usual:
            end = start if _made(before, after) else end
        else:
            end -= _written(before, after) / (usual * max(before.running, after.running or 0.0))
        if end <= start:
            continue
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(span for span in found if span[1] - span[0] >= SILENT_S)


def overlap(one: Span, other: Span) -> float:
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))


def covered(parts: Iterable[Span], span: Span) -> float:
    """How much of the span lies in one of the parts or another, in s."""
    total, until = 0.0, span[0]
    for start, end in sorted(parts):
        total += overlap((max(start, until), end), span) if end > until else 0.0
        until = max(until, end)
    return total


def restarts(scene: Scene, span: Span) -> tuple[EngineEvent, ...]:
    """Events of an engine's end or new beginning in the span."""
    return tuple(
        event for event in scene.events if event.kind in RESTART_KINDS and span[0] <= event.at.timestamp() <= span[1]
    )


def told_still(scene: Scene, until: float) -> list[Span]:
    """When the watch over an engine, or who put it to sleep, said that it makes nothing, at the latest to `until`; not
    where the samples show that it did."""
    spans: list[Span] = []
    for told in (event for event in scene.events if event.kind in STILL_KINDS):
        start = told.at.timestamp()
        later = (event.at.timestamp() for event in scene.events if event.subject == told.subject)
        spans.append((start, min((at for at in later if at > start), default=max(until, start))))
    known = samples_of(scene.samples)
    return [
        (start, end)
        for start, end in spans
        if not any(_made(a, b) for a, b in pairwise(one for one in known if start <= one.at.timestamp() <= end))
    ]


def restarted_at(samples: Sequence[Scrape], span: Span) -> float | None:
    """When the engine was seen to have begun anew, by its counters; None when it did not in this span."""
    for before, after in pairwise(samples_of(samples)):
        at = after.at.timestamp()
        fell = before.output_tokens is not None and (after.output_tokens or 0) < before.output_tokens
        if span[0] - AROUND_S <= at <= span[1] + AROUND_S and (began_again(before, after) or fell):
            return at
    return None


def _written(before: MetricSample, after: MetricSample) -> float:
    return max(0.0, (after.output_tokens or 0.0) - (before.output_tokens or 0.0))


def _made(before: MetricSample, after: MetricSample) -> float:
    pairs = ((before.output_tokens, after.output_tokens), (before.prompt_tokens, after.prompt_tokens))
    return sum(b - a for a, b in pairs if a is not None and b is not None and b > a)


def _usual_pace(samples: Sequence[MetricSample]) -> float:
    """Tokens a second that each sequence writes, between samples that follow each other: the median while any was."""
    paces = sorted(
        _written(a, b) / (b.mono - a.mono) / a.running
        for a, b in pairwise(samples)
        if a.running and 0 < b.mono - a.mono <= SILENT_S and _written(a, b) > 0
    )
    return paces[len(paces) // 2] if paces else 0.0


def _most(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
