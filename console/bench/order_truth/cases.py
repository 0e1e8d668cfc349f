"""The records of a case: one seeded conversation with its customer, orders, fault and questions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

TENANT = "kamala"
LANGUAGES = ("en", "hi", "mr", "hi-Latn")


def seeded(*parts: object) -> Random:
    """A random source that the same parts make again."""
    return Random(":".join(map(str, parts)))  # noqa: S311 made to be repeated, not to keep secrets


class State(StrEnum):
    """How the customer's orders stand when the conversation begins."""

    PLACED_NOW = "placed_now"
    PREPARING = "preparing"
    PACKED = "packed"
    OUT = "out"
    OUT_BARE = "out_bare"  # on its way, without courier and expected time
    LATE = "late"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    NONE = "none"
    TWO = "two"
    FIVE = "five"


class Fault(StrEnum):
    """What the order system does wrong to one customer."""

    NONE = "none"
    SLOW = "slow"
    MOVES = "moves"
    MOVES_SLOW = "moves_slow"
    APPEARS = "appears"
    HANG = "hang"
    HTTP_404 = "http_404"
    HTTP_500 = "http_500"
    MALFORMED = "malformed"
    HTML = "html"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    RESET = "reset"
    WRONG_ORDER = "wrong_order"
    OTHER_CUSTOMER = "other_customer"
    UNMAPPED = "unmapped"
    CLOCK_AHEAD = "clock_ahead"
    CLOCK_BEHIND = "clock_behind"


MOVING = (Fault.MOVES, Fault.MOVES_SLOW, Fault.APPEARS)
ANSWERED = (Fault.NONE, Fault.SLOW, *MOVING)
"""With these the order system answers rightly; with all others the bot must say that it does not know."""


class Ask(StrEnum):
    """What a question is about."""

    ORDER = "order"
    NUMBERED = "numbered"
    FOLLOW_UP = "follow_up"
    CLAIM = "claim"
    BOTH = "both"
    STRANGER = "stranger"
    HELP = "help"


ABOUT_ORDER = (Ask.ORDER, Ask.NUMBERED, Ask.FOLLOW_UP, Ask.CLAIM, Ask.BOTH)


@dataclass(frozen=True, slots=True)
class Turn:
    """One question. `about` is the place of the order meant among the customer's, None: all that are active.

    `passage` is the sentence of an article that answers a help question; `moves` says that an order of the customer
    goes on by one step before the question is asked.
    """

    ask: Ask
    text: str
    fault: Fault = Fault.NONE
    about: int | None = None
    passage: str = ""
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """`number` and `seed` make it again; `base` is the first of its order numbers."""

    seed: int
    number: int
    language: str
    state: State
    fault: Fault
    turns: tuple[Turn, ...]

    @property
    def customer(self) -> str:
        return f"C-{50_000 + self.number}"

    @property
    def stranger(self) -> str:
        return f"C-{500_000 + self.number}"

    def order_id(self, place: int) -> str:
        """Number of the order at `place`; the stranger's order has the last of a case's eight numbers."""
        return f"KD-{10_000 + self.number * 8 + place}"

    @property
    def stranger_order(self) -> str:
        return self.order_id(7)
