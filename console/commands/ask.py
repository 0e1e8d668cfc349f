"""`dabba ask`: one question through the whole house, as a customer would ask it."""

from __future__ import annotations

import sys
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import fail, print_json, run
from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import (
    Ended,
    PassagesFound,
    Question,
    Quoted,
    Resumed,
    Stated,
    Text,
    ToolCalled,
    Withheld,
)
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from console.house import House
    from engine_host.answering.events import TurnEvent
    from knowledge.article import Passage

TOKEN_LIFE_S = 15 * 60


@dataclass(slots=True)
class Answer:
    """The events of one turn, gathered for printing."""

    events: list[TurnEvent] = field(default_factory=list["TurnEvent"])

    @property
    def ended(self) -> Ended:
        return next(event for event in reversed(self.events) if isinstance(event, Ended))

    @property
    def released(self) -> list[str]:
        texts = [event.text for event in self.events if isinstance(event, Stated | Text | Quoted)]
        return [*texts, self.ended.say] if self.ended.say else texts

    @property
    def sources(self) -> list[tuple[int, Passage]]:
        """Cited passages with their numbers, in the order of the numbers."""
        given = [p for e in self.events if isinstance(e, PassagesFound) for p in e.passages if p.given]
        cited = {n for e in self.events if isinstance(e, Text) for n in e.citations}
        cited |= {e.citation for e in self.events if isinstance(e, Quoted)}
        return [(number, given[number - 1]) for number in sorted(cited)]


def ask(
    question: Annotated[str, typer.Argument(help="What the customer types.")],
    tenant: Annotated[str, typer.Option(help="Tenant id; found from the customer when left out.")] = "",
    customer: Annotated[str, typer.Option(help="Customer id, such as C-2291; nobody is signed in without it.")] = "",
    language: Annotated[str, typer.Option(help="en, hi, mr; the question's own language when left out.")] = "",
    engine: Annotated[bool, typer.Option(help="Start an engine when none runs and the question needs one.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Ask the bot one question. Exit 0 when the turn came to its end."""
    run(_ask(question, tenant, customer, language, engine, as_json))


async def _ask(text: str, tenant: str, customer: str, language: str, engine: bool, as_json: bool) -> None:
    from console.commands.starting import StartingWriters, say_steps
    from console.house import open_house
    from storage.paths import home_from_environment

    home = home_from_environment()
    house = await open_house(home, StartingWriters if engine else None)
    try:
        await house.engines.join()
        house.engine.state.watch(say_steps())
        question = Question(
            text=text,
            tenant_id=tenant or await tenant_of(house, customer),
            token=None,
            language=language or None,
        )
        question = await signed(house, question, customer)
        answer = Answer()
        show = _nothing if as_json else _Printer().show
        async with aclosing(house.turns.answer(question)) as events:
            async for event in events:
                answer.events.append(event)
                show(event)
    finally:
        await house.close()
    if as_json:
        print_json(as_object(answer))
    if answer.ended.outcome is TurnOutcome.FAILED:
        fail(answer.ended.why)


async def tenant_of(house: House, customer: str) -> str:
    """The tenant that the demo order system knows the customer under, else the first tenant."""
    from storage.queries.tenants import all_tenants

    tenants = await house.database.run(all_tenants)
    if not tenants:
        fail("No tenant is known yet: the sample kitchen is not set up. Run ./dabba once.")
    if customer:
        for known in await house.orders.known_customers():
            if known.customer_id == customer:
                return known.tenant_id
    return tenants[0].tenant_id


async def signed(house: House, question: Question, customer: str) -> Question:
    """The question with the token that the kitchen's own app would send along for `customer`.

    An unknown tenant has no app and gets no secret: the desk refuses its question.
    """
    from dataclasses import replace

    from engine_host.orders.identity import issue_token
    from storage.queries.tenants import all_tenants

    known_tenants = {tenant.tenant_id for tenant in await house.database.run(all_tenants)}
    if not customer or question.tenant_id not in known_tenants:
        return question
    names = {known.customer_id: known.name for known in await house.orders.known_customers()}
    secret = await house.secrets.tenant_secret(question.tenant_id)
    token = issue_token(secret, question.tenant_id, customer, TOKEN_LIFE_S)
    return replace(question, token=token, customer_name=names.get(customer, customer))


def as_object(answer: Answer) -> dict[str, object]:
    """What `--json` prints: the answer as the customer reads it, its sources, and every event."""
    ended = event_to_json(answer.ended)
    return {
        "outcome": ended["outcome"],
        "answer": " ".join(answer.released),
        "why": ended["why"],
        "sources": [
            {
                "number": number,
                "article": passage.article_id,
                "title": passage.title,
                "heading": list(passage.heading_path),
                "start": passage.start,
                "end": passage.end,
                "text": passage.text,
                "score": passage.score,
            }
            for number, passage in answer.sources
        ],
        "tokens": ended["tokens"],
        "times_ms": ended["times"],
        "events": [event_to_json(event) for event in answer.events],
    }


def source_line(number: int, passage: Passage) -> str:
    return f"[{number}] {' › '.join((passage.title, *passage.heading_path))}  ({passage.score:.2f})"


class _Printer:
    """Prints what the customer reads on stdout as it is released, what only staff sees on stderr."""

    def __init__(self) -> None:
        self._answer = Answer()

    def show(self, event: TurnEvent) -> None:
        self._answer.events.append(event)
        match event:
            case ToolCalled(request=request, http_status=status, elapsed_ms=ms):
                print(f"  {request}  {status or 'no answer'}  {ms:.0f} ms", file=sys.stderr)
            case Withheld(text=text, reason=reason):
                print(f"  withheld: {text!r}: {reason}", file=sys.stderr)
            case Resumed(pause_ms=ms, from_engine=before, to_engine=after):
                print(f"  {before} broke off, {after} went on after {ms:.0f} ms", file=sys.stderr)
            case Stated(text=text):
                print(text, flush=True)
            case Text(text=text, citations=citations):
                print(text, "".join(f"[{n}]" for n in citations), flush=True)
            case Quoted(text=text, citation=citation):
                print(f"“{text}” [{citation}]", flush=True)
            case Ended():
                self._end(event)
            case _:
                pass

    def _end(self, ended: Ended) -> None:
        if ended.say:
            print(ended.say)
        for number, passage in self._answer.sources:
            print(source_line(number, passage))
        total = (ended.times.total or 0) / 1000
        tokens = ended.tokens
        print(
            f"  {ended.outcome.value}, {total:.2f} s, {tokens.prompt} tokens in, {tokens.output} out", file=sys.stderr
        )


def _nothing(_event: TurnEvent) -> None:
    """`--json` prints once, at the end."""
