"""What one settled turn says about the truth of the bot: what was withheld, how long the order took, what it did not
know. Made beside the database, once for each turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.answering.event_json import event_from_json
from engine_host.answering.unknown_reason import UnknownReason, is_unknown, unknown_reason, unmapped_words

if TYPE_CHECKING:
    from storage.records import SettledTurn

SENTENCES: Final = ("Text", "Withheld")


@dataclass(frozen=True, slots=True)
class Truth:
    """`written` are the model's sentences, those `withheld` among them; `lookup_s` is the time of all look-ups of the
    turn, None when there was none; `unmapped` are status words that Settings give no meaning."""

    written: int = 0
    withheld: int = 0
    lookup_s: float | None = None
    unknown: UnknownReason | None = None
    unmapped: tuple[str, ...] = ()


NOTHING_TOLD: Final = Truth()


def truth_of(settled: SettledTurn) -> Truth:
    """Most turns are counted from their plain values: events are read only of those that have something to tell."""
    lookup, kept = settled.times.lookup, settled.events
    written = sum(event.get("event") in SENTENCES for event in kept)
    plain = Truth(written, settled.withheld, None if lookup is None else lookup / 1000)
    if not is_unknown(settled.outcome) and not any(event.get("unmapped") for event in kept):
        return plain
    try:
        events = tuple(event_from_json(event) for event in kept)
    except ValueError:
        # Another version of the program kept them.
        return Truth(plain.written, plain.withheld, plain.lookup_s, UnknownReason.OTHER)
    return Truth(plain.written, plain.withheld, plain.lookup_s, unknown_reason(events), unmapped_words(events))
