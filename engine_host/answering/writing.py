"""What the model writes in a help turn: sentences through the judge, and one look-up at most that it may ask for."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from engine_host.answering.events import ModelCalled, Text, Withheld, Writing
from engine_host.answering.judge import Judge
from engine_host.answering.moving import Moves
from engine_host.answering.tools import BadCall, OrderChoice, closing, order_tool, parse_calls
from engine_host.answering.tools_in_text import CallSieve, SpelledCall
from engine_host.answering.tools_spelled import read_spelled
from engine_host.answering.way import EngineUse, WayEnd
from engine_host.client.errors import EngineError, EngineRefused
from engine_host.client.tool_calls import MOST_CALLS
from engine_host.client.types import ChatDelta, ChatEnd, ChatEngine, ChatRequest, ChatToolCall, ChatUsage
from storage.records import TurnOutcome
from storage.text import storable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.answering.events import TurnEvent
    from engine_host.answering.help_way import Writer
    from engine_host.answering.order_way import OrderWay
    from engine_host.answering.prompt import HelpPrompt
    from engine_host.answering.tools_in_text import Sifted
    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.client.types import ChatEvent

LONGEST_SHOWN = 400
"""Characters of a call that staff see."""
_NO_TOOL = "it is a tool call, and the model had no tool to call now"
_UNREAD = "it is a tool call written as text, and not one that can be read"


class Draft:
    """The model's part of one help turn. `released`: sentences that passed; `order_end`: how a look-up went that it
    asked for; `why` tells staff what went wrong after it."""

    def __init__(self, turn: TurnAtHand, writer: Writer, prompt: HelpPrompt, orders: OrderWay) -> None:
        self.order_end: WayEnd | None = None
        self.why = ""
        self._turn = turn
        self._writer = writer
        self._messages = prompt.messages
        self._orders = orders
        self._judge = Judge(turn.question.text, prompt.given)
        self._use: EngineUse | None = None
        self._calls: list[ChatToolCall] = []
        self._said: list[str] = []

    @property
    def released(self) -> int:
        return self._judge.released

    @property
    def answered(self) -> bool:
        """Whether a released sentence was about the question."""
        return self._judge.answered

    @property
    def said(self) -> str:
        return " ".join(self._said)

    async def write(self, longest: int) -> AsyncGenerator[WayItem, None]:
        """At most `longest` tokens, over both requests. Yields events of the turn and EngineUse. Raises EngineError."""
        tools = (order_tool(),) if self._writer.tools else ()
        request = ChatRequest(self._writer.model, self._messages, max_tokens=longest, tools=tools)
        async with aclosing(self._begin(request)) as items:
            async for item in items:
                yield item
        if self._calls:
            async with aclosing(self._answer_calls(request)) as items:
                async for item in items:
                    yield item
        for verdict in self._heard(self._judge.finish()):
            yield verdict
        if self._use:
            yield replace(self._use, gate_ms=self._judge.spent_ms)

    async def _begin(self, request: ChatRequest) -> AsyncGenerator[WayItem, None]:
        """An engine that takes no tools after all (it was started anew, with other flags) is asked without."""
        try:
            async with aclosing(self._stream(request)) as items:
                async for item in items:
                    yield item
        except EngineRefused:
            if not request.tools:
                raise
            async with aclosing(self._stream(replace(request, tools=()))) as items:
                async for item in items:
                    yield item

    async def _stream(self, request: ChatRequest) -> AsyncGenerator[WayItem, None]:
        before, use = self._use, EngineUse(time.monotonic(), longest=request.max_tokens)
        moves, sieve, may_call = Moves(), CallSieve(), bool(request.tools) and request.may_call
        async with aclosing(self._writer.stream(request)) as stream:
            async for event in stream:
                sifted = sieve.feed(event.text) if isinstance(event, ChatDelta) else []
                verdicts = self._judged(sifted, may_call=may_call)
                if resumed := moves.take(event):
                    use = use.paused(resumed.pause_ms / 1000)
                    yield resumed
                use = _noted(use, event)
                first = self._use is None or self._use.first_token_at is None
                self._use = replace(before.then(use) if before else use, gate_ms=self._judge.spent_ms)
                yield self._use
                if first and self._use.first_token_at is not None:
                    yield Writing((self._use.first_token_at - self._use.asked_at) * 1000)
                for verdict in verdicts:
                    yield verdict
                if isinstance(event, ChatToolCall) and may_call:
                    self._calls = [*self._calls, event][:MOST_CALLS]
                elif isinstance(event, ChatToolCall):
                    yield _called(event, BadCall(_NO_TOOL))
        for verdict in self._judged(sieve.finish(), may_call=may_call):
            yield verdict

    def _judged(self, sifted: list[Sifted], *, may_call: bool) -> list[TurnEvent]:
        """A call in the text ends the sentence before it; it is withheld unless it can be read and may be made."""
        found: list[TurnEvent] = []
        for part in sifted:
            if isinstance(part, str):
                found += self._heard(self._judge.feed(part))
                continue
            found += self._sentence_ends()
            calls = read_spelled(part, time.monotonic()) if may_call else ()
            self._calls += calls[: MOST_CALLS - len(self._calls)]
            if not calls:
                found.append(Withheld(_shown(part), _UNREAD if may_call else _NO_TOOL))
        return found

    def _sentence_ends(self) -> list[Text | Withheld]:
        return self._heard(self._judge.feed("\n"))

    def _heard(self, verdicts: list[Text | Withheld]) -> list[Text | Withheld]:
        self._said += [verdict.text for verdict in verdicts if isinstance(verdict, Text)]
        return verdicts

    async def _answer_calls(self, request: ChatRequest) -> AsyncGenerator[WayItem, None]:
        """Look up what the calls chose, close them, and let the model go on without a tool."""
        for verdict in self._sentence_ends():
            yield verdict
        verdicts = parse_calls(self._calls, self._turn.tenant.order_prefix)
        for call, verdict in zip(self._calls, verdicts, strict=True):
            yield _called(call, verdict)
        choices = [verdict for verdict in verdicts if isinstance(verdict, OrderChoice)]
        if choices:
            async with aclosing(self._look_up(choices)) as items:
                async for item in items:
                    yield item
        left = request.max_tokens - (self._use.output_tokens if self._use else 0)
        if left <= 0:
            return
        closed = closing(self.said, choices[0] if choices else None, self._result())
        going_on = replace(request, messages=(*request.messages, *closed), max_tokens=left, may_call=False)
        try:
            async with aclosing(self._stream(going_on)) as items:
                async for item in items:
                    yield item
        except EngineError as error:
            self.why = str(error)

    async def _look_up(self, choices: list[OrderChoice]) -> AsyncGenerator[WayItem, None]:
        """The order way's events for the orders chosen; its end is kept for the help way to place."""
        ids = tuple(dict.fromkeys(choice.order_id for choice in choices if choice.order_id))
        asked = replace(self._turn, routed=replace(self._turn.routed, order=True, order_ids=ids))
        async with aclosing(self._orders.answer(asked)) as items:
            async for item in items:
                if isinstance(item, WayEnd):
                    self.order_end = item
                else:
                    yield item

    def _result(self) -> str:
        """The key of the truth about the calls, without any order fact."""
        if self.order_end is None:
            return "refused"
        if self._turn.customer is None:
            return "not_signed_in"
        return "shown" if self.order_end.outcome is TurnOutcome.ORDER_STATED else "no_answer"


def _called(call: ChatToolCall, verdict: OrderChoice | BadCall) -> ModelCalled:
    name, arguments = storable(call.name), storable(call.arguments[:LONGEST_SHOWN])
    match verdict:
        case OrderChoice(order_id):
            what = f"It chose order {order_id}." if order_id else "It named no order: all under way are looked up."
            return ModelCalled(name, arguments, True, what)
        case BadCall(reason):
            return ModelCalled(name, arguments, False, f"Not followed: {reason}.")


def _shown(call: SpelledCall) -> str:
    return storable(call.text[:LONGEST_SHOWN]).strip()


def _noted(use: EngineUse, event: ChatEvent) -> EngineUse:
    match event:
        case ChatEngine(run=run):
            return use.at(run)
        case ChatDelta(at=at, output_tokens=counted):
            first = at if use.first_token_at is None else use.first_token_at
            output = use.output_tokens if counted is None else max(use.output_tokens, counted)
            return replace(use, first_token_at=first, last_token_at=at, output_tokens=output)
        case ChatToolCall(first_at=first_at, last_at=last_at):
            first = first_at if use.first_token_at is None else min(first_at, use.first_token_at)
            last = last_at if use.last_token_at is None else max(last_at, use.last_token_at)
            return replace(use, first_token_at=first, last_token_at=last)
        case ChatUsage(prompt, cached, output):
            return replace(use, prompt_tokens=prompt, cached_tokens=cached, output_tokens=output)
        case ChatEnd(queue_ms=queue_ms):
            return replace(use, queue_ms=queue_ms)
