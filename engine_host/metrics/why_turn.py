"""One settled turn as "Why slow?" sees it: how long each part of it took, and what was said of it on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from storage.records import TokenUse, Turn, TurnOutcome, TurnTimes

PHASES: Final = ("queue", "retrieve", "lookup", "prefill", "gate", "decode", "pause", "client", "other")
TO_FIRST_TEXT: Final = ("queue", "retrieve", "lookup", "prefill", "gate", "other")
RELEASED: Final = ("Stated", "Text", "Quoted")
Route = tuple[bool, bool]
"""Whether a turn is about an order, and about help."""


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """What came before the first text that the customer saw, in s; `held` in characters.

    `wrote`: the engine had begun to write. `held`: what the gate kept until it let something go, the sentence that it
    let go at last included; of it, `withheld` sentences were never shown. `pause` is what moves to other engines took
    over the whole turn, `pause_before` the part of it before that text; `moves` says each in a clause.
    """

    routed: float = 0.0
    lookup: float = 0.0
    retrieve: float = 0.0
    wrote: bool = False
    held: int = 0
    withheld: int = 0
    pause: float = 0.0
    pause_before: float = 0.0
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """`asked_at` and `ended_at` are epoch s. `first_text` is s from the question until the customer saw something;
    None when nothing was shown. `lengths` holds the phases that happened, in s; together they are the whole turn."""

    turn_id: str
    tenant_id: str
    question: str
    asked_at: float
    ended_at: float
    outcome: TurnOutcome
    route: Route | None
    times: TurnTimes
    tokens: TokenUse
    engine_run: str | None = None
    way: OnTheWay = field(default_factory=OnTheWay)
    first_text: float | None = None
    lengths: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def total(self) -> float:
        return self.ended_at - self.asked_at

    @property
    def computed(self) -> int:
        """Prompt tokens that the engine did not have in its prefix cache."""
        return max(self.tokens.prompt - self.tokens.cached, 0)

    @property
    def engine_span(self) -> tuple[float, float, float, float] | None:
        """Epoch s at which the engine was asked, took the turn into its batch, gave the first and the last token; None
        when no model wrote. Told backwards from the end: a turn ends with its last token."""
        if self.times.ttft is None:
            return None
        writing = seconds(self.times.decode) + self.way.pause
        first = self.ended_at - writing
        asked = max(first - seconds(self.times.ttft), self.asked_at)
        return asked, min(asked + seconds(self.times.queue), first), first, self.ended_at


def seconds(milliseconds: float | None) -> float:
    return (milliseconds or 0.0) / 1000


def seen_of(turn: Turn) -> TurnSeen | None:
    """None for a turn that is still open, or was closed without its times."""
    new, settled = turn.opened, turn.settled
    if settled is None or settled.times.total is None:
        return None
    asked, times, way = new.asked_at.timestamp(), settled.times, way_of(settled.events)
    shown = times.first_text if times.first_text is not None else (times.total if settled.answer else None)
    first_text = None if shown is None else seconds(shown)
    return TurnSeen(
        turn_id=new.turn_id,
        tenant_id=new.tenant_id,
        question=new.question,
        asked_at=asked,
        ended_at=asked + seconds(times.total),
        outcome=settled.outcome,
        route=_route(settled.events),
        times=times,
        tokens=settled.tokens,
        engine_run=new.engine_run,
        way=way,
        first_text=first_text,
        lengths=lengths_of(times, way, first_text),
    )


def way_of(events: Sequence[Mapping[str, Any]]) -> OnTheWay:
    """From the plain values of a turn's events; events that another version kept otherwise count as nothing."""
    first = next((n for n, event in enumerate(events) if event.get("event") in RELEASED), len(events))
    before = events[:first]
    withheld = [event for event in before if event.get("event") == "Withheld"]
    shown = str(events[first].get("text", "")) if first < len(events) and events[first].get("event") == "Text" else ""
    moved = [event for event in events if event.get("event") == "Resumed"]
    return OnTheWay(
        routed=_sum(before, "Routed", "elapsed_ms"),
        lookup=_sum(before, "ToolCalled", "elapsed_ms"),
        retrieve=_sum(before, "PassagesFound", "elapsed_ms"),
        wrote=any(event.get("event") == "Writing" for event in before),
        held=len(shown) + sum(len(str(event.get("text", ""))) for event in withheld),
        withheld=len(withheld),
        pause=_sum(moved, "Resumed", "pause_ms"),
        pause_before=_sum(before, "Resumed", "pause_ms"),
        moves=tuple(f"{one.get('from_engine')} broke off and {one.get('to_engine')} went on" for one in moved),
    )


def lengths_of(times: TurnTimes, way: OnTheWay, first_text: float | None) -> dict[str, float]:
    """`gate` is from the first token to the first text that was let go: the sentence was written and judged then.
    `decode` is the writing after it. `other` is what no phase explains: routing, database, this program."""
    found = {name: seconds(getattr(times, name)) for name in ("queue", "retrieve", "lookup", "prefill")}
    writing, client = seconds(times.decode), seconds(times.client)
    before = way.routed + way.lookup + way.retrieve + way.pause_before + seconds(times.ttft)
    gate = max(0.0, first_text - before) if way.wrote and first_text is not None else 0.0
    found |= {"gate": gate, "client": client, "pause": way.pause}
    if times.ttft is not None:
        found["decode"] = max(0.0, writing - gate - client)
    found["other"] = max(0.0, seconds(times.total) - sum(found.values()))
    return {name: found[name] for name in PHASES if found.get(name)}


def _sum(events: Sequence[Mapping[str, Any]], kind: str, key: str) -> float:
    values = (event.get(key) for event in events if event.get("event") == kind)
    return sum(value for value in values if isinstance(value, int | float)) / 1000


def _route(events: Sequence[Mapping[str, Any]]) -> Route | None:
    routed = next((event for event in events if event.get("event") == "Routed"), None)
    return (bool(routed.get("order")), bool(routed.get("help"))) if routed else None
