"""The events of one turn, in the order they happen: chat page, gateway, commands and replay consume the same.

    Opened (Routed ToolCalled* Retrieved?) (Stated | Text | Quoted | Withheld)* Ended

In a help turn a tool-trained model may ask for a look-up, once: then ModelCalled+ ToolCalled* Stated* stand among its
sentences.

Released to the customer: Stated, Text, Quoted and the `say` of Ended. Everything else is for staff.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine_host.orders.port import Order, VerifiedCustomer
from knowledge.article import Passage
from storage.records import TokenUse, TurnOutcome, TurnTimes


@dataclass(frozen=True, slots=True)
class Question:
    """What a customer typed. `token` is the customer's signed token, None when nobody is signed in.

    `language` is a BCP 47 tag that the asker chose, or None: the language of the question is used.
    `conversation_id` None starts a new conversation.
    """

    text: str
    tenant_id: str
    token: str | None
    conversation_id: str | None = None
    language: str | None = None
    customer_name: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    turn_id: str
    conversation_id: str
    asked_at: datetime
    customer: VerifiedCustomer | None
    language: str


@dataclass(frozen=True, slots=True)
class Routed:
    """Which ways the turn goes and the rule that said so, e.g. `where is my`. `order_ids` are numbers in the text.

    `by` is what decided: number, rule, follow-up, example, model, doubt or small talk; `nearest` is the labelled
    example that was nearest, when examples were asked. `of_before`: the numbers are those of the turn before.
    """

    order: bool
    help: bool
    order_rule: str
    help_rule: str
    order_ids: tuple[str, ...]
    elapsed_ms: float
    by: str = "rule"
    nearest: str = ""
    of_before: bool = False


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """One order look-up as sent, with what came back. `reason` is empty when the order system answered.

    `unmapped` are status words of its rows to which Settings give no meaning: those orders are not in `orders`.
    """

    request: str
    http_status: int | None
    orders: tuple[Order, ...]
    elapsed_ms: float
    reason: str
    unmapped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """A tool call of the model, as it made it, cut to what staff can read. `followed`: code looked up what it chose.

    `reason` says, for staff, what it chose or why it was not followed.
    """

    name: str
    arguments: str
    followed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class PassagesFound:
    passages: tuple[Passage, ...]
    threshold: float
    searched: int
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Stated:
    """What code says of the customer's orders; the look-up was sent `age_s` seconds before the statement.

    `order` is the row it was written from; None when it speaks of all active ones: that there is none, or which.
    """

    text: str
    order: Order | None
    age_s: float
    reread: bool


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence of the model that passed the gate. `citations` are 1-based numbers into the given passages."""

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A supporting passage quoted word for word, by code, because the model's own answer was not released."""

    text: str
    citation: int


@dataclass(frozen=True, slots=True)
class Withheld:
    """A sentence of the model that nobody but staff sees, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Writing:
    """The engine is writing: the first token came. Nothing is shown of it until a sentence passed the gate."""

    ttft_ms: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """The engine died or stalled in mid-answer and another one went on with it, from the text already given.

    `pause_ms` is the time from the last word of the one to the first of the other; `reason` is a sentence.
    """

    pause_ms: float
    from_engine: str
    to_engine: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The turn is over and in the ledger. `say` is what the customer reads when nothing else answers (may be empty);
    `why` is a sentence for staff."""

    outcome: TurnOutcome
    say: str
    why: str
    tokens: TokenUse
    times: TurnTimes


TurnEvent = (
    Opened
    | Routed
    | ToolCalled
    | ModelCalled
    | PassagesFound
    | Stated
    | Text
    | Quoted
    | Withheld
    | Writing
    | Resumed
    | Ended
)
