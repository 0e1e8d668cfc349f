"""What the transcript shows of a turn, derived from its events. Pieces only ever grow at their end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.chat.tracked import cited_numbers
from console.chat.words import LANGUAGES, OUTCOMES, count, seconds
from engine_host.answering.events import (
    Ended,
    Opened,
    PassagesFound,
    Quoted,
    Routed,
    Stated,
    Text,
    ToolCalled,
    Withheld,
    Writing,
)
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from console.chat.tracked import TrackedTurn
    from console.widgets.label import Tone
    from engine_host.answering.events import TurnEvent
    from engine_host.orders.port import OrderStatus


@dataclass(frozen=True, slots=True)
class SaidText:
    """Words that the customer reads, with the numbers of the passages they stand in."""

    text: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidQuote:
    text: str
    citation: int


@dataclass(frozen=True, slots=True)
class SaidStatement:
    """A sentence of code about one order; without an id and a status about all active ones."""

    order_id: str
    sentence: str
    status: OrderStatus | None


@dataclass(frozen=True, slots=True)
class SaidWithheld:
    sentence: str
    reason: str


@dataclass(frozen=True, slots=True)
class SaidNote:
    """A sentence for staff: why the turn ended as it did."""

    text: str
    is_fault: bool


Piece = SaidText | SaidQuote | SaidStatement | SaidWithheld | SaidNote


@dataclass(frozen=True, slots=True)
class HeadShown:
    meta: str
    meta_tone: Tone
    time: str
    time_tone: Tone


def derive_pieces(turn: TrackedTurn) -> tuple[Piece, ...]:
    """The body of the bot's message in the order in which it was released."""
    pieces = [piece for event in turn.events for piece in _pieces_of(event)]
    if turn.fault:
        pieces.append(SaidNote(turn.fault, is_fault=True))
    return tuple(pieces)


def _pieces_of(event: TurnEvent) -> tuple[Piece, ...]:
    match event:
        case Stated(text=text, order=order):
            return (SaidStatement(order.order_id, text, order.status) if order else SaidStatement("", text, None),)
        case Text(text=text, citations=citations):
            return (SaidText(text, citations),)
        case Quoted(text=text, citation=citation):
            return (SaidQuote(text, citation),)
        case Withheld(text=text, reason=reason):
            return (SaidWithheld(text, sentence(reason)),)
        case Ended():
            return _ending(event)
        case _:
            return ()


def _ending(ended: Ended) -> tuple[Piece, ...]:
    said = (SaidText(ended.say),) if ended.say else ()
    if ended.outcome in (TurnOutcome.FAILED, TurnOutcome.CANCELLED, TurnOutcome.REFUSED) and ended.why:
        return (*said, SaidNote(ended.why, is_fault=ended.outcome is TurnOutcome.FAILED))
    return said


def sentence(reason: str) -> str:
    """A reason such as "it was said already" as a sentence of its own."""
    reason = reason.strip()
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith((".", "!", "?")) else ".")


def derive_head(turn: TrackedTurn, elapsed_s: float | None = None) -> HeadShown:
    """The line beside the bot's name. `elapsed_s` is how long a running turn has been at it."""
    ended = turn.last_of(Ended)
    parts = [*_way(turn), *_sources(turn)]
    tone: Tone = "text-3"
    if turn.fault or (ended is not None and ended.outcome is TurnOutcome.FAILED):
        tone = "error"
        parts.append("failed")
    elif ended is not None and ended.outcome in OUTCOMES:
        parts.append(OUTCOMES[ended.outcome])
    elif ended is None and not turn.running:
        parts.append("not ended yet")
    parts += _language(turn)
    return HeadShown(", ".join(parts), tone, *_time(turn, ended, elapsed_s))


def _way(turn: TrackedTurn) -> list[str]:
    routed = turn.last_of(Routed)
    if routed is None:
        return []
    if routed.order:
        return ["Order and help" if routed.help else "Order"]
    return ["Help" if routed.help else "Small talk"]


def _sources(turn: TrackedTurn) -> list[str]:
    numbers = cited_numbers(turn)
    quoted = bool(turn.all_of(Quoted)) and not turn.all_of(Text)
    return [count(len(numbers), "source"), *(["quoted"] if quoted else [])] if numbers else []


def _language(turn: TrackedTurn) -> list[str]:
    opened = turn.last_of(Opened)
    return [LANGUAGES.get(opened.language, opened.language)] if opened and opened.language != "en" else []


def _time(turn: TrackedTurn, ended: Ended | None, elapsed_s: float | None) -> tuple[str, Tone]:
    if ended is not None:
        return (seconds(ended.times.total) if ended.times.total is not None else "", "text-3")
    if not turn.running or elapsed_s is None:
        return ("", "text-3")
    word = "writing " if turn.last_of(Writing) else ""
    return (f"{word}{elapsed_s:.1f} s", "accent")


def derive_streaming(turn: TrackedTurn) -> str:
    """What happens this moment, for the end of a running message; "" when it has ended."""
    if not turn.running or turn.last_of(Ended) is not None:
        return ""
    if turn.stopping:
        return "stopping…"
    routed = turn.last_of(Routed)
    if turn.last_of(Writing) is not None:
        return "next sentence is being checked"
    if routed is None:
        return "the question is being read"
    if routed.order and not turn.all_of(ToolCalled):
        return "the order is being looked up"
    if routed.help and turn.last_of(PassagesFound) is None:
        return "passages are being looked for"
    return "waiting for the engine" if routed.help and not routed.order else "the answer is being checked"


def derive_released(turn: TrackedTurn) -> str:
    """What the customer read, as plain text for the clipboard."""
    said = [piece for piece in derive_pieces(turn) if isinstance(piece, SaidText | SaidQuote | SaidStatement)]
    return "\n".join(piece.sentence if isinstance(piece, SaidStatement) else piece.text for piece in said)
