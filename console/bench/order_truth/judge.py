"""The judge: reads what the customer saw, and asks the order system's own history whether it was true when it was sent.

Built from nothing of route, gate or statements. What it can't bear out is false.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from console.bench.order_truth.cases import ABOUT_ORDER, ANSWERED, Ask
from console.bench.order_truth.claims import asks_which, numbers_of, read_facts, says_unknown
from console.bench.order_truth.history import ENDED
from console.bench.order_truth.text import words_of
from console.bench.order_truth.truth import false_facts

if TYPE_CHECKING:
    from console.bench.order_truth.cases import Case, Turn
    from console.bench.order_truth.claims import Fact
    from console.bench.order_truth.history import History
    from engine_host.orders.port import Order

SLACK = timedelta(milliseconds=150)
"""Between the bot's last look at its clock and the moment at which the bench sees the text."""
LONG_AGO = timedelta(days=1)
SHORTEST_LIE = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One text that the customer saw, and when. `help`: it tells of an article, by the screen's own mark."""

    text: str
    at: datetime
    help: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """All that one turn showed. `lies` are the engine's false sentences so far, `offered` its supported ones.

    `right_passage`: the passage that answers the question was given. `error`: why the turn can't be judged.
    """

    asked_at: datetime
    pieces: tuple[Piece, ...]
    lies: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    right_passage: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge found of one turn. None: the question does not arise for this turn."""

    case: Case
    place: int
    false: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    lies_shown: tuple[str, ...] = ()
    given: bool | None = None
    unknown: bool | None = None
    helped: bool | None = None
    withheld: bool | None = None
    moved: bool = False
    text: str = ""
    error: str = ""

    @property
    def turn(self) -> Turn:
        return self.case.turns[self.place]

    @property
    def complaints(self) -> tuple[str, ...]:
        missed = {"missed": self.given is False, "not unknown": self.unknown is False, "withheld": bool(self.withheld)}
        told = [f"false: {one}" for one in self.false] + [f"lie shown: {one}" for one in self.lies_shown]
        return (*told, *(name for name, holds in missed.items() if holds), *((self.error,) if self.error else ()))


@dataclass(frozen=True, slots=True)
class Judge:
    """`phones` are the kitchen's own numbers, which are no order facts; `max_age` is how old a stated row may be."""

    history: History
    max_age: timedelta
    phones: tuple[str, ...] = field(default=())

    def verdict(self, case: Case, place: int, seen: Seen) -> Verdict:
        text = "\n".join(piece.text for piece in seen.pieces)
        false: list[str] = []
        stale: list[str] = []
        for piece in seen.pieces:
            for fact in self._false(case, piece):
                told = (
                    f"{fact.field} {'not ' if fact.denied else ''}{fact.value} {fact.role}".strip()
                    + f" in {fact.sentence!r}"
                )
                (stale if self._was_true(case, piece, fact) else false).append(told)
        return Verdict(
            case=case,
            place=place,
            false=tuple(false + stale),
            stale=tuple(stale),
            lies_shown=_shown(seen.lies, text),
            given=self._given(case, place, seen),
            unknown=self._unknown(case, place, seen),
            helped=_helped(case, place, seen),
            withheld=_withheld(case, place, seen),
            moved=self.history.moved_between(case.customer, seen.asked_at, _last(seen)),
            text=text,
            error=seen.error,
        )

    def _facts(self, piece: Piece) -> tuple[Fact, ...]:
        return read_facts(piece.text, self.phones)

    def _false(self, case: Case, piece: Piece) -> tuple[Fact, ...]:
        first = piece.at - self.max_age - SLACK
        return false_facts(self._facts(piece), self.history, case.customer, first, piece.at)

    def _was_true(self, case: Case, piece: Piece, fact: Fact) -> bool:
        numbers = tuple(f for f in self._facts(piece) if f.field == "number")
        facts = (*numbers, fact) if fact.field != "number" else (fact,)
        return not false_facts(facts, self.history, case.customer, piece.at - LONG_AGO, piece.at)

    def _given(self, case: Case, place: int, seen: Seen) -> bool | None:
        """Whether the status of every order that is meant was told; None when the order system did not answer."""
        turn = case.turns[place]
        if turn.ask not in ABOUT_ORDER or turn.fault not in ANSWERED:
            return None
        facts = tuple(fact for piece in seen.pieces for fact in self._facts(piece))
        return any(self._all_told(case, place, seen, facts, at) for at in self._instants(case, seen))

    def _all_told(self, case: Case, place: int, seen: Seen, facts: tuple[Fact, ...], at: datetime) -> bool:
        rows = self._meant(case, place, at)
        if not rows:
            return any(fact.field == "none_active" for fact in facts)
        told = [self._facts(piece) for piece in seen.pieces]
        if all(any(_tells(row, facts, alone=len(rows) == 1) for facts in told) for row in rows):
            return True
        choice = {row.order_id for row in (*rows, *_to_come(self.history.active(case.customer, at)))}
        named, asked = set(numbers_of(facts)), any(asks_which(piece.text) for piece in seen.pieces)
        return asked and len(named) > 1 and choice <= named

    def _meant(self, case: Case, place: int, at: datetime) -> tuple[Order, ...]:
        """The orders that the question means, as they stood at `at`."""
        turn = case.turns[place]
        if turn.about is not None:
            row = self.history.order(case.order_id(turn.about), at)
            return (row,) if row else ()
        active = _to_come(self.history.active(case.customer, at))
        before = case.turns[place - 1] if turn.ask is Ask.FOLLOW_UP else None
        if before is None or before.about is None or len(active) < 2:
            return active
        others = tuple(row for row in active if row.order_id != case.order_id(before.about or 0))
        return others if _means_another(turn.text) else tuple(row for row in active if row not in others)

    def _instants(self, case: Case, seen: Seen) -> tuple[datetime, ...]:
        return self.history.instants(case.customer, max(seen.asked_at, _last(seen) - self.max_age - SLACK), _last(seen))

    def _unknown(self, case: Case, place: int, seen: Seen) -> bool | None:
        """Whether a turn whose facts can't be had says so, with a next step, and denies no order."""
        turn = case.turns[place]
        strange = turn.ask is Ask.STRANGER
        if not strange and (turn.ask not in ABOUT_ORDER or turn.fault in ANSWERED):
            return None
        denies = any(fact.field == "none_active" for piece in seen.pieces for fact in self._facts(piece))
        return any(says_unknown(piece.text) for piece in seen.pieces) and not denies


def _to_come(active: tuple[Order, ...]) -> tuple[Order, ...]:
    """The orders that are still to come; those that ended lately count only for a customer who has no other."""
    return tuple(row for row in active if row.status not in ENDED) or active


def _tells(row: Order, facts: tuple[Fact, ...], *, alone: bool) -> bool:
    numbers = numbers_of(facts)
    right = row.order_id in numbers or (alone and not numbers)
    return right and any(f.field == "status" and f.value == row.status.value and not f.denied for f in facts)


def _means_another(text: str) -> bool:
    return any(word in words_of(text).split() for word in ("other", "दूसरा", "दुसरी", "dusra"))


def _shown(lies: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Lies of the engine that stand in what the customer saw, word for word."""
    words = f" {words_of(text)} "
    spoken = {lie: words_of(lie) for lie in lies}
    return tuple(lie for lie, said in spoken.items() if len(said.split()) >= SHORTEST_LIE and f" {said} " in words)


def _helped(case: Case, place: int, seen: Seen) -> bool | None:
    if case.turns[place].ask is not Ask.HELP:
        return None
    return any(piece.help for piece in seen.pieces)


def _withheld(case: Case, place: int, seen: Seen) -> bool | None:
    """Whether a help answer was there and the customer got none; None when there was none to give."""
    helped = _helped(case, place, seen)
    return None if helped is None or not (seen.offered or seen.right_passage) else not helped


def _last(seen: Seen) -> datetime:
    return max((piece.at for piece in seen.pieces), default=seen.asked_at)
