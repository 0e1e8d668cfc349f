"""One question from the first word to the ledger. There is one way through the house, and this is it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from engine_host.answering.errors import UnknownTenant
from engine_host.answering.events import Opened
from engine_host.answering.judge import warm as warm_gate
from engine_host.answering.language import detect_language, statement_language
from engine_host.answering.prompt import estimate_tokens
from engine_host.answering.route import UNROUTED, Asked
from engine_host.answering.turn_record import TurnRecord
from engine_host.answering.under_way import TurnsUnderWay
from engine_host.answering.walk import walk
from engine_host.answering.way import TurnAtHand, WayEnd
from engine_host.client.errors import EngineError
from engine_host.orders.identity import IdentityRefused, verify_token
from knowledge.errors import KnowledgeError
from storage.records import TurnOutcome
from storage.text import storable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
    from typing import Any

    from engine_host.answering.events import Question, TurnEvent
    from engine_host.answering.help_way import HelpWay, WriterSource
    from engine_host.answering.ledger import Account, Ledger
    from engine_host.answering.order_way import OrderWay
    from engine_host.answering.quota import QuotaDesk
    from engine_host.answering.route import Router
    from engine_host.answering.statements import Voice
    from engine_host.answering.way import WayItem
    from engine_host.orders.identity import VerifiedCustomer
    from storage.records import Tenant, Turn


_CANCELLED = WayEnd(TurnOutcome.CANCELLED, why="The asker stopped the answer.")


class TurnDesk:
    """Answers questions. `secret_of` gives a tenant's signing secret, `voice_of` how its kitchen speaks a language."""

    def __init__(
        self,
        ledger: Ledger,
        quota: QuotaDesk,
        router: Router,
        orders: OrderWay,
        help_way: HelpWay,
        engines: WriterSource,
        secret_of: Callable[[str], Awaitable[bytes]],
        voice_of: Callable[[Tenant, str], Voice],
    ) -> None:
        self.under_way = TurnsUnderWay()
        self._ledger = ledger
        self._quota = quota
        self._router = router
        self._orders = orders
        self._help = help_way
        self._engines = engines
        self._secret_of = secret_of
        self._voice_of = voice_of

    async def warm(self) -> None:
        """Make ready what the first question would wait for. Raises KnowledgeError."""
        warm_gate()
        await self._router.warm()

    async def answer(self, question: Question) -> AsyncGenerator[TurnEvent, None]:
        """The events of one turn, the last one Ended, which comes when the ledger has it.

        Closing the iterator cancels the turn: the engine's stream is closed and the ledger keeps what was used.
        Raises UnknownTenant, UnknownConversation, and StorageError when the ledger can't be read or written;
        everything else that can be expected is an outcome of the turn.
        """
        question = replace(question, text=storable(question.text))
        account = await self._ledger.account(question.tenant_id, question.conversation_id)
        if account is None:
            raise UnknownTenant(f"Tenant {question.tenant_id!r} is not known. `dabba usage` lists the tenants.")
        turn = await self._at_hand(question, account)
        record = TurnRecord(question, self._engines.run)
        try:
            await _to_its_end(self._ledger.open(record.opening(turn.customer)))
        except asyncio.CancelledError:
            record.end = _CANCELLED
            await _to_its_end(self._ledger.settle(record.settled(turn.language)))
            raise
        async with aclosing(self._opened(turn, record, account)) as events:
            async for event in events:
                with record.handed_out():
                    yield event

    async def _opened(self, turn: TurnAtHand, record: TurnRecord, account: Account) -> AsyncGenerator[TurnEvent, None]:
        """The turn from Opened to Ended; however it goes, it is settled once."""
        refusal = self._refusal(turn, account.tokens_today)
        self.under_way.enter(record)
        try:
            yield record.note(
                Opened(record.turn_id, record.conversation_id, record.asked_at, turn.customer, turn.language)
            )
            items = _only(refusal) if refusal else self._walked(turn, record, account)
            async with aclosing(items):
                async for item in items:
                    if event := record.take(item):
                        yield event
        except (asyncio.CancelledError, GeneratorExit):
            record.end = _CANCELLED
            raise
        except (EngineError, KnowledgeError) as error:
            record.end = WayEnd(TurnOutcome.FAILED, turn.voice.say("engine_down"), str(error))
        finally:
            self.under_way.leave(record.turn_id)
            if refusal is None:
                self._quota.release(turn.tenant.tenant_id)
            await _to_its_end(self._ledger.settle(record.settled(turn.language)))
        yield record.ended()

    async def _walked(self, turn: TurnAtHand, record: TurnRecord, account: Account) -> AsyncGenerator[WayItem, None]:
        asked = Asked(turn.question.text, (turn.tenant.order_prefix,), _own_turns(account, turn.customer))
        routed = await self._router.route(asked, record.spend)
        if routed.by == "doubt" and turn.customer is None:  # nobody's orders can be looked up
            routed = replace(routed, order=False, order_rule="")
        async with aclosing(walk(replace(turn, routed=routed), self._orders, self._help)) as items:
            async for item in items:
                yield item

    async def _at_hand(self, question: Question, account: Account) -> TurnAtHand:
        tenant = account.tenant
        verified = verify_token(question.token, tenant.tenant_id, await self._secret_of(tenant.tenant_id))
        refused = isinstance(verified, IdentityRefused)
        customer = None if refused else verified
        earlier = _own_turns(account, customer)
        language = question.language or detect_language(question.text, _language_of(earlier))
        return TurnAtHand(
            question=question,
            tenant=tenant,
            customer=customer,
            identity=verified.reason if refused else "",
            language=language,
            voice=self._voice_of(tenant, statement_language(language)),
            routed=UNROUTED,
            history=await self._help.history(earlier, tenant.tenant_id),
        )

    def _refusal(self, turn: TurnAtHand, tokens_today: int) -> WayEnd | None:
        """Why this question is not worked on; None when a place was taken for it."""
        text, tenant = turn.question.text, turn.tenant
        length, longest = estimate_tokens(text), tenant.quota.longest_question_tokens
        if not text.strip():
            return WayEnd(TurnOutcome.REFUSED, turn.voice.say("greeting"), "The question is empty.")
        if length > longest:
            why = f"The question has about {length:,} tokens, more than the {longest:,} of {tenant.name}."
            return WayEnd(TurnOutcome.REFUSED, turn.voice.say("question_too_long"), why)
        if refusal := self._quota.reserve(tenant, tokens_today):
            return WayEnd(TurnOutcome.REFUSED, turn.voice.say("too_many_questions"), refusal.reason)
        return None


def _own_turns(account: Account, customer: VerifiedCustomer | None) -> tuple[Turn, ...]:
    """The turns of the conversation that this customer asked, or those of nobody who is signed in."""
    asker = customer.customer_id if customer else None
    return tuple(turn for turn in account.earlier if turn.opened.customer_id == asker)


def _language_of(earlier: tuple[Turn, ...]) -> str:
    """The language of the last turn; empty for the first one."""
    return earlier[-1].settled.language if earlier and earlier[-1].settled else ""


async def _only(item: WayItem) -> AsyncGenerator[WayItem, None]:
    yield item


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Await `work` to its end however often the awaiting task is cancelled meanwhile; the cancellation goes on then."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError
