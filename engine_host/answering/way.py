"""What the two ways through a turn share: the turn at hand and how a way ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.answering.events import TurnEvent

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

    `read_at` is monotonic seconds: when `say` states something that was read from the order system.
    """

    outcome: TurnOutcome
    say: str = ""
    why: str = ""
    read_at: float | None = None


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What the engine did for the turn so far: token counts as the engine gave them, times in monotonic seconds."""

    asked_at: float
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    first_token_at: float | None = None
    last_token_at: float | None = None
    queue_ms: float | None = None
    gate_ms: float = 0.0


WayItem = TurnEvent | EngineUse | WayEnd
