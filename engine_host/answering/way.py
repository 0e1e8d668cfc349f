"""What the two ways through a turn share: the turn at hand and how a way ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine_host.answering.events import TurnEvent
from storage.records import RunShare, TokenUse

if TYPE_CHECKING:
    from engine_host.answering.events import Question, Routed
    from engine_host.answering.statements import Voice
    from engine_host.client.types import ChatMessage
    from engine_host.orders.port import VerifiedCustomer
    from storage.records import Tenant, TurnOutcome


@dataclass(frozen=True, slots=True)
class TurnAtHand:
    """Everything a way needs to know of the turn. `customer` None: nobody is verified, and `identity` says why."""

    question: Question
    tenant: Tenant
    customer: VerifiedCustomer | None
    identity: str
    language: str
    voice: Voice
    routed: Routed
    history: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class WayEnd:
    """The last item of a way. `say` is for the customer after all that was released, `why` for staff.

    `say` holds no order fact: it may wait for other ways and for the ledger.
    """

    outcome: TurnOutcome
    say: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of a request beside the answer, and the engine run that it was made to; None when that is unknown."""

    tokens: TokenUse
    engine_run: str | None


NO_TOKENS: Final = TokenUse()


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What the engine did for the turn so far: token counts as the engine gave them, times in monotonic seconds.

    Of several `requests` the counts are added up; `pause_s` is the time between one's last token and the next one's
    first. `run` is the engine run that works on it now; of the counts, `elsewhere` is what other runs had to do.
    """

    asked_at: float
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    first_token_at: float | None = None
    last_token_at: float | None = None
    queue_ms: float | None = None
    gate_ms: float = 0.0
    requests: int = 1
    pause_s: float = 0.0
    run: str | None = None
    elsewhere: tuple[RunShare, ...] = ()
    longest: int | None = None
    """How many tokens the request under way may write; the engine has `holds` for it, and let go what came before."""
    let_go: TokenUse = NO_TOKENS

    @property
    def holds(self) -> TokenUse:
        """What the request under way has in its engine: the counts without those of earlier requests and other runs."""
        held = TokenUse(self.prompt_tokens, self.cached_tokens, self.output_tokens)
        for gone in (self.let_go, *(share.tokens for share in self.elsewhere)):
            held = _less(held, gone)
        return held

    def at(self, run: str | None) -> EngineUse:
        """This use, going on in another run of an engine."""
        return replace(self, run=run, elsewhere=self._shares_beside(run))

    def paused(self, pause_s: float) -> EngineUse:
        """This use after a break in which its answer moved; before the first token nothing was broken."""
        if self.first_token_at is None:
            return self
        return replace(self, requests=self.requests + 1, pause_s=self.pause_s + pause_s)

    def _shares_beside(self, run: str | None) -> tuple[RunShare, ...]:
        """What every run but `run` had to do of it so far."""
        own = TokenUse(self.prompt_tokens, self.cached_tokens, self.output_tokens)
        for share in self.elsewhere:
            own = _less(own, share.tokens)
        here = (RunShare(self.run, own),) if self.run is not None and own != TokenUse() else ()
        return tuple(share for share in (*self.elsewhere, *here) if share.engine_run != run)

    def then(self, later: EngineUse) -> EngineUse:
        """This use and that of a `later` request of the same turn."""
        pause = 0.0
        if self.last_token_at is not None and later.first_token_at is not None:
            pause = later.first_token_at - self.last_token_at
        queued = [ms for ms in (self.queue_ms, later.queue_ms) if ms is not None]
        beside = self._shares_beside(later.run)
        here = TokenUse(self.prompt_tokens, self.cached_tokens, self.output_tokens)
        for share in beside:
            here = _less(here, share.tokens)
        return replace(
            later,
            asked_at=self.asked_at,
            prompt_tokens=self.prompt_tokens + later.prompt_tokens,
            cached_tokens=self.cached_tokens + later.cached_tokens,
            output_tokens=self.output_tokens + later.output_tokens,
            first_token_at=later.first_token_at if self.first_token_at is None else self.first_token_at,
            last_token_at=self.last_token_at if later.last_token_at is None else later.last_token_at,
            queue_ms=sum(queued) if queued else None,
            requests=self.requests + later.requests,
            pause_s=self.pause_s + pause + later.pause_s,
            elsewhere=(*beside, *later.elsewhere),
            let_go=here,
        )


def _less(tokens: TokenUse, gone: TokenUse) -> TokenUse:
    return TokenUse(tokens.prompt - gone.prompt, tokens.cached - gone.cached, tokens.output - gone.output)


WayItem = TurnEvent | EngineUse | WayEnd
