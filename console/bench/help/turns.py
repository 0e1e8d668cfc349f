"""What one question of the sample set came to, read from the events of its turn. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from engine_host.answering.events import Ended, PassagesFound, Quoted, Text, Withheld, Writing
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine_host.answering.events import TurnEvent
    from knowledge.evaluate import KnownQuestion


class Answered(Enum):
    """How an answer came from the articles, if it did. A wrong one has any sentence from another article."""

    GENERATED = "generated"
    QUOTED = "quoted"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of the model; `reason` is empty when it was released."""

    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HelpTurn:
    """`given` are the texts that an answer could come from; `found_right` = one is of an article that answers.

    `searched` is False when the router took the question for one about an order alone, or for small talk.
    """

    question: KnownQuestion
    answered: Answered
    shown: tuple[str, ...]
    written: tuple[WrittenSentence, ...]
    given: tuple[str, ...]
    found_right: bool
    searched: bool
    ttft_ms: float | None


def turn_of(question: KnownQuestion, events: Sequence[TurnEvent], names: Mapping[str, str]) -> HelpTurn:
    """`names` gives an article's source name, without its ending, by its id."""
    given = [passage for event in events if isinstance(event, PassagesFound) for passage in event.passages]
    given = [passage for passage in given if passage.given]
    articles = [names.get(passage.article_id, "") for passage in given]
    written = [event for event in events if isinstance(event, Text | Withheld)]
    return HelpTurn(
        question=question,
        answered=_answered(question, events, articles),
        shown=tuple(event.text for event in events if isinstance(event, Text | Quoted)),
        written=tuple(WrittenSentence(one.text, one.reason if isinstance(one, Withheld) else "") for one in written),
        given=tuple(passage.text for passage in given),
        searched=any(isinstance(event, PassagesFound) for event in events),
        found_right=bool(question.articles & set(articles)),
        ttft_ms=next((event.ttft_ms for event in events if isinstance(event, Writing)), None),
    )


def _answered(question: KnownQuestion, events: Sequence[TurnEvent], articles: Sequence[str]) -> Answered:
    cited = [number for event in events if isinstance(event, Text) for number in event.citations]
    quoted = [event.citation for event in events if isinstance(event, Quoted)]
    if cited or quoted:
        right = all(articles[number - 1] in question.articles for number in (*cited, *quoted))
        return Answered.WRONG if not right else Answered.GENERATED if cited else Answered.QUOTED
    ended = next((event for event in reversed(events) if isinstance(event, Ended)), None)
    unknown = ended is not None and ended.outcome is TurnOutcome.DOES_NOT_KNOW
    return Answered.UNKNOWN if unknown else Answered.OTHERWISE
