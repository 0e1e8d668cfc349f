"""What one turn gathers on its way: its events, tokens and times, until it is settled."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import Ended, PassagesFound, Quoted, Stated, Text, ToolCalled, Withheld
from engine_host.answering.under_way import Step, TurnUnderWay
from engine_host.answering.unknown_reason import unknown_reason
from engine_host.answering.way import EngineUse, WayEnd
from storage.records import NewTurn, RunShare, SettledTurn, TokenUse, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from collections.abc import Generator

    from engine_host.answering.events import Question, TurnEvent
    from engine_host.answering.way import Spent, WayItem
    from engine_host.orders.port import VerifiedCustomer


class TurnRecord:
    """Made when the question came. `take` is given every item of the ways; `settled` and `ended` say how it went."""

    def __init__(self, question: Question, engine_run: str | None) -> None:
        self.turn_id = uuid4().hex
        self.conversation_id = question.conversation_id or uuid4().hex
        self.asked_at = datetime.now(UTC)
        self.end = WayEnd(TurnOutcome.FAILED, why="The turn broke off.")
        self._question = question
        self._engine_run = engine_run
        self._began = time.monotonic()
        self._ends: list[WayEnd] = []
        self._events: list[TurnEvent] = []
        self._use: EngineUse | None = None
        self._spent = TokenUse()
        self._spent_at: list[RunShare] = []
        self._lookup_ms: float | None = None
        self._retrieve_ms: float | None = None
        self._first_text_at: float | None = None
        self._read_s = 0.0
        self._settled: SettledTurn | None = None

    def opening(self, customer: VerifiedCustomer | None) -> NewTurn:
        return NewTurn(
            turn_id=self.turn_id,
            conversation_id=self.conversation_id,
            tenant_id=self._question.tenant_id,
            customer_id=customer.customer_id if customer else None,
            customer_name=self._question.customer_name,
            question=self._question.text,
            asked_at=self.asked_at,
            engine_run=self._engine_run,
        )

    def spend(self, spent: Spent) -> None:
        """Count tokens that were spent beside the answer."""
        kept, tokens = self._spent, spent.tokens
        if spent.engine_run is not None:
            self._spent_at.append(RunShare(spent.engine_run, tokens))
        self._spent = TokenUse(kept.prompt + tokens.prompt, kept.cached + tokens.cached, kept.output + tokens.output)

    def take(self, item: WayItem) -> TurnEvent | None:
        """Note one item; returns it when it is an event for whoever listens."""
        match item:
            case EngineUse():
                self._use = item
                return None
            case WayEnd():
                self._ends.append(item)
                self.end = _joined(self._ends)
                return None
            case _:
                return self.note(item)

    def note(self, event: TurnEvent) -> TurnEvent:
        self._events.append(event)
        match event:
            case ToolCalled():
                self._lookup_ms = (self._lookup_ms or 0.0) + event.elapsed_ms
            case PassagesFound():
                self._retrieve_ms = event.elapsed_ms
            case Stated() | Text() | Quoted():
                self._first_text_at = self._first_text_at or time.monotonic()
            case _:
                pass
        return event

    @contextmanager
    def handed_out(self) -> Generator[None]:
        """While an event is with whoever reads the answer: the turn stands still until the next one is wanted."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._read_s += time.monotonic() - began

    def under_way(self) -> TurnUnderWay:
        """The turn as it is now."""
        use = self._use
        begun = TurnUnderWay(self.turn_id, self._question.tenant_id, self.asked_at, Step.BEFORE)
        if use is None:
            return begun
        held = use.holds
        return replace(
            begun,
            step=Step.ASKED if use.first_token_at is None else Step.WRITING,
            engine_run=use.run,
            prompt_tokens=held.prompt or None,
            cached_tokens=held.cached,
            output_tokens=held.output,
            max_tokens=use.longest,
        )

    def settled(self, language: str) -> SettledTurn:
        """The turn for the ledger; made once, so that Ended tells exactly what was kept."""
        answer = [e.text for e in self._events if isinstance(e, Stated | Text | Quoted)]
        self._settled = SettledTurn(
            turn_id=self.turn_id,
            outcome=self.end.outcome,
            language=language,
            answer=" ".join([*answer, self.end.say]).strip(),
            tokens=self._tokens(),
            times=self._times(),
            events=(),
            withheld=sum(isinstance(e, Withheld) for e in self._events),
            engine_run=self._run,
            elsewhere=self._elsewhere(),
        )
        events = (*self._events, self.ended())
        unknown = unknown_reason(events)
        return replace(
            self._settled,
            events=tuple(event_to_json(event) for event in events),
            unknown=unknown.name.lower() if unknown else "",
        )

    def ended(self) -> Ended:
        kept = self._settled
        if kept is None:
            raise RuntimeError("A turn is settled before it is told as ended.")
        return Ended(kept.outcome, self.end.say, self.end.why, kept.tokens, kept.times)

    @property
    def _run(self) -> str | None:
        """The run that wrote last; that of the model that was asked for the way when nothing was written."""
        beside = self._spent_at[-1].engine_run if self._spent_at else None
        return self._use.run if self._use and self._use.run else beside

    def _elsewhere(self) -> tuple[RunShare, ...]:
        beside = [share for share in self._spent_at if share.engine_run != self._run]
        return (*(self._use.elsewhere if self._use else ()), *beside)

    def _tokens(self) -> TokenUse:
        use, beside = self._use, self._spent
        if use is None:
            return beside
        return TokenUse(
            beside.prompt + use.prompt_tokens, beside.cached + use.cached_tokens, beside.output + use.output_tokens
        )

    def _times(self) -> TurnTimes:
        use = self._use
        first = use.first_token_at if use else None
        last = use.last_token_at if use else None
        ttft = (first - use.asked_at) * 1000 if use and first is not None else None
        decode = (last - first - use.pause_s) * 1000 if use and first is not None and last is not None else None
        gaps = use.output_tokens - use.requests if use else 0
        queue = use.queue_ms if use else None
        return TurnTimes(
            queue=queue,
            retrieve=self._retrieve_ms,
            lookup=self._lookup_ms,
            prefill=max(0.0, ttft - (queue or 0.0)) if ttft is not None else None,
            decode=decode,
            gate=use.gate_ms if use else None,
            first_text=(self._first_text_at - self._began) * 1000 if self._first_text_at else None,
            ttft=ttft,
            inter_token=decode / gaps if decode and gaps > 0 else None,
            total=(time.monotonic() - self._began) * 1000,
            client=self._read_s * 1000,
        )


def _joined(ends: list[WayEnd]) -> WayEnd:
    """One end of a turn that went both ways: the order's outcome leads, and nothing that was said is lost."""
    say = " ".join(end.say for end in ends if end.say)
    return WayEnd(ends[0].outcome, say, " ".join(end.why for end in ends if end.why))
