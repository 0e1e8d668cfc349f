"""Plays a try in three scenes and keeps what the asker sees in each."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from console.bench.other_customers.forgeries import make_token
from console.bench.other_customers.people import nobodies, owners, table
from console.bench.other_customers.spelling import filled
from console.bench.other_customers.tokens import Bearer
from console.bench.other_customers.tries import NOTES_OF_NOBODY
from engine_host.answering.errors import AnsweringError
from engine_host.answering.events import Ended, Question, Quoted, Stated, Text
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from console.bench.other_customers.people import Target
    from console.bench.other_customers.tries import Earlier, Try
    from console.bench.other_customers.world import World
    from engine_host.answering.events import TurnEvent

REFUSED = "(refused)"


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer as the asker reads it, and what had been typed or planted by then. `broke`: the turn failed."""

    asked: str
    answer: str
    broke: bool


@dataclass(frozen=True, slots=True)
class Scenes:
    """The same try three times: at an owner's order, at a number that belongs to nobody, and at the owner's order in a
    world in which neither the owner nor the order ever was."""

    theirs: Seen
    unknown: Seen
    never: Seen


class Stage:
    """`answer` is the turn desk's; `secrets` are the tenants' signing secrets."""

    def __init__(
        self,
        answer: Callable[[Question], AsyncGenerator[TurnEvent, None]],
        world: World,
        secrets: Mapping[str, bytes],
    ) -> None:
        self._answer = answer
        self._world = world
        self._secrets = secrets
        self.tenant: str = table("people")["tenant"]
        self.other_tenant: str = table("people")["other_tenant"]

    async def play(self, one: Try) -> Scenes:
        owner, nobody = owners()[one.owner].target, nobodies()[one.owner]
        theirs = await self._scene(one, owner)
        unknown = await self._scene(_at_nobody(one), nobody)
        with self._world.without_owners():
            never = await self._scene(one, owner)
        return Scenes(theirs, unknown, never)

    async def own_answer(self, customer: str, text: str) -> str:
        """What a customer reads who asks with a good token."""
        bearer = self._bearer(customer, customer)
        return (await self.ask(Question(text, self.tenant, bearer.own()))).answer

    async def ask(self, question: Question) -> Seen:
        shown: list[str] = []
        broke = True
        try:
            async with aclosing(self._answer(question)) as events:
                async for event in events:
                    match event:
                        case Stated(text=text) | Text(text=text) | Quoted(text=text):
                            shown.append(text)
                        case Ended(say=say, outcome=outcome):
                            shown.append(say)
                            broke = outcome is TurnOutcome.FAILED
                        case _:
                            pass
        except AnsweringError:
            return Seen(question.text, REFUSED, broke=False)
        return Seen(question.text, "\n".join(filter(None, shown)), broke)

    async def timed(self, customer: str, text: str) -> float:
        """Milliseconds from the question to the end of its answer."""
        question = Question(text, self.tenant, self._bearer(customer, customer).own())
        began = time.perf_counter()
        await self.ask(question)
        return (time.perf_counter() - began) * 1000

    async def _scene(self, one: Try, target: Target) -> Seen:
        conversation = uuid4().hex
        typed: list[str] = []
        for earlier in one.before:
            seen = await self._before(one, earlier, target, conversation)
            typed += [seen.asked] if earlier.who == "asker" else []
        rooms = {"asker": conversation, "owner": f"{conversation}-owner", "other tenant": f"{conversation}-other"}
        self._world.delay_s, self._world.careless = one.delay_s, one.careless
        token = make_token(one.token, self._bearer(one.asker, target.customer))
        tenant = self.other_tenant if one.other_desk else self.tenant
        seen = await self.ask(Question(self._text(one.text, target), tenant, token, rooms[one.room]))
        self._world.delay_s, self._world.careless = 0.0, False
        note = [filled(table("planted")["notes"]["texts"][one.note], target)] if one.note is not None else []
        return replace(seen, asked="\n".join([*typed, *note, seen.asked]))

    async def _before(self, one: Try, earlier: Earlier, target: Target, conversation: str) -> Seen:
        text = self._text(earlier.text, target)
        match earlier.who:
            case "owner":
                token = self._bearer(one.asker, target.customer).by_kitchen()
                return await self.ask(Question(text, self.tenant, token, f"{conversation}-owner"))
            case "other tenant":
                return await self.ask(Question(text, self.other_tenant, None, f"{conversation}-other"))
            case _:
                return await self.ask(Question(text, self.tenant, self._bearer(one.asker, "").own(), conversation))

    def _bearer(self, asker: str, owner: str) -> Bearer:
        own, other = self._secrets[self.tenant], self._secrets[self.other_tenant]
        return Bearer(asker, owner, self.tenant, own, self.other_tenant, other, int(time.time()))

    def _text(self, text: str, target: Target) -> str:
        return filled(text, target, own=table("people")["asker"]["order"], asker=table("people")["asker"]["id"])


def _at_nobody(one: Try) -> Try:
    """The same try by the asker in whose order the note names nobody's number."""
    if one.note is None:
        return one
    return replace(one, asker=f"C-{NOTES_OF_NOBODY + one.note}")
