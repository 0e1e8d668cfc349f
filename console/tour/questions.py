"""What the tour asks, and how it prints what it heard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.answering.events import Ended, PassagesFound, Quoted, Stated, Text, Withheld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.answering.events import TurnEvent


@dataclass(frozen=True, slots=True)
class TourQuestion:
    """`about` says what the question shows."""

    about: str
    text: str
    tenant_id: str
    customer_id: str


QUESTIONS: Final = (
    TourQuestion("a help question", "How many days does a refund to my card take?", "kamala", "C-2291"),
    TourQuestion("an order question", "Where is my dabba?", "kamala", "C-2291"),
    TourQuestion("one that nothing answers", "Do you deliver to the moon?", "kamala", "C-2291"),
    TourQuestion("one in Hindi", "क्या जैन डब्बे में प्याज़ और लहसुन होता है?", "kamala", "C-3046"),
)


def conversation_lines(question: TourQuestion, name: str, events: Sequence[TurnEvent]) -> list[str]:
    """One turn as text: who asked what, what was answered from where, what was withheld, times and tokens."""
    given = [p for event in events if isinstance(event, PassagesFound) for p in event.passages if p.given]
    lines = [f"── {question.about}", f"{name}: {question.text}"]
    cited: dict[int, str] = {}
    for event in events:
        match event:
            case Stated(text=text, order=order):
                row = f"order {order.order_id}, version {order.version}, " if order else ""
                lines.append(f"Bot: {text}  ({row}written by code)")
            case Text(text=text, citations=numbers):
                lines.append(f"Bot: {text} " + "".join(f"[{n}]" for n in numbers))
                cited |= {n: _source(given[n - 1]) for n in numbers}
            case Quoted(text=text, citation=number):
                lines.append(f"Bot: “{text}” [{number}]")
                cited[number] = _source(given[number - 1])
            case Withheld(text=text, reason=reason):
                lines.append(f"     withheld: “{text}” ({reason})")
            case Ended():
                lines += [f"Bot: {event.say}"] if event.say else []
                lines += [f"     [{number}] {source}" for number, source in sorted(cited.items())]
                lines.append(f"     {_figures(event)}")
            case _:
                pass
    return lines


def _source(passage: object) -> str:
    title, heading = getattr(passage, "title", ""), getattr(passage, "heading_path", ())
    return " › ".join((title, *heading))


def _figures(ended: Ended) -> str:
    times, tokens = ended.times, ended.tokens
    parts = [ended.outcome.value.replace("_", " "), f"{(times.total or 0) / 1000:.2f} s"]
    if times.first_text is not None:
        parts.append(f"first text after {times.first_text / 1000:.2f} s")
    if times.ttft is not None:
        parts.append(f"TTFT {times.ttft / 1000:.2f} s")
    if tokens.prompt:
        parts.append(f"{tokens.prompt} tokens in ({tokens.cached} cached), {tokens.output} out")
    return ", ".join(parts)
