"""What the chat page asks of the house. Everything here runs in the loop; nothing here knows Qt."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from engine_host.answering.events import Question
from engine_host.orders.identity import issue_token
from storage.queries.conversations import conversation_turns, set_feedback, set_flag
from storage.queries.review import review_list
from storage.queries.tenants import all_tenants
from storage.queries.turns import recent_turns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.house import House
    from engine_host.answering.events import TurnEvent
    from engine_host.orders.demo.book import DemoCustomer
    from storage.queries.review import ReviewList, Segment
    from storage.records import Conversation, Tenant, Turn

TOKEN_LIFE_S: Final = 15 * 60
PEERS_LOOKED_AT: Final = 200
PEERS_SINCE: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class People:
    """Whom one can act as. `lists_customers` False: the kitchen's own order system, which names nobody."""

    tenants: tuple[Tenant, ...] = ()
    customers: tuple[DemoCustomer, ...] = ()
    lists_customers: bool = True


@dataclass(frozen=True, slots=True)
class Token:
    """A signed token of one customer."""

    tenant_id: str
    customer_id: str
    text: str
    expires_at: datetime

    def is_good_at(self, moment: datetime) -> bool:
        return moment < self.expires_at


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the identity it is asked under. `customer_id` "" = nobody is signed in."""

    text: str
    tenant_id: str
    customer_id: str
    customer_name: str
    language: str
    conversation_id: str | None
    token: Token | None


async def read_list(house: House, segment: Segment, search: str) -> ReviewList:
    return await house.database.run(lambda session: review_list(session, segment, search))


async def read_turns(house: House, conversation_id: str) -> tuple[Turn, ...]:
    return await house.database.run(lambda session: conversation_turns(session, conversation_id))


async def read_recent(house: House) -> tuple[Turn, ...]:
    """The turns that a turn may be held against."""
    since = datetime.now(UTC) - PEERS_SINCE
    return await house.database.run(lambda session: recent_turns(session, since, PEERS_LOOKED_AT))


async def rate(house: House, turn_id: str, feedback: Literal[-1, 0, 1]) -> Turn:
    return await house.database.run(lambda session: set_feedback(session, turn_id, feedback))


async def flag(house: House, conversation_id: str, flagged: bool) -> Conversation:
    return await house.database.run(lambda session: set_flag(session, conversation_id, flagged))


async def read_tenants(house: House) -> tuple[Tenant, ...]:
    return await house.database.run(all_tenants)


async def read_customers(house: House) -> tuple[DemoCustomer, ...]:
    """May take a second: the demo order system is started when it does not run yet."""
    return await house.orders.known_customers()


async def issue(house: House, tenant_id: str, customer_id: str) -> Token:
    """The token that the kitchen's own app would send for this customer. Raises SecretError."""
    secret = await house.secrets.tenant_secret(tenant_id)
    now = datetime.now(UTC)
    text = issue_token(secret, tenant_id, customer_id, TOKEN_LIFE_S, now)
    # The token names whole seconds.
    return Token(tenant_id, customer_id, text, now.replace(microsecond=0) + timedelta(seconds=TOKEN_LIFE_S))


async def ask(house: House, asked: Asked) -> AsyncGenerator[TurnEvent, None]:
    """The events of one turn. A token that has run out meanwhile is issued anew."""
    question = Question(
        text=asked.text,
        tenant_id=asked.tenant_id,
        token=await _token_for(house, asked),
        conversation_id=asked.conversation_id,
        language=asked.language or None,
        customer_name=asked.customer_name,
    )
    async with aclosing(house.turns.answer(question)) as events:
        async for event in events:
            yield event


async def _token_for(house: House, asked: Asked) -> str | None:
    if not asked.customer_id:
        return None
    token = asked.token
    mine = token is not None and (token.tenant_id, token.customer_id) == (asked.tenant_id, asked.customer_id)
    if token is None or not mine or not token.is_good_at(datetime.now(UTC) + timedelta(seconds=5)):
        token = await issue(house, asked.tenant_id, asked.customer_id)
    return token.text
