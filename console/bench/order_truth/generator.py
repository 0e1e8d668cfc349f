"""Seeded conversations over phrasing, language, order state and fault. The same seed gives the same cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.order_truth.cases import LANGUAGES, MOVING, TENANT, Ask, Case, Fault, State, Turn, seeded
from console.bench.order_truth.data import help_questions, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

MOST_CASES = 11_000
"""Order numbers have five digits, and a case takes eight of them."""
NO_FAULT_SHARE = 0.5
SEVERAL = {State.TWO: 2, State.FIVE: 5}
FIRST = {Ask.ORDER: 40, Ask.NUMBERED: 12, Ask.CLAIM: 10, Ask.BOTH: 8, Ask.STRANGER: 5, Ask.HELP: 25}
LATER = {Ask.ORDER: 15, Ask.NUMBERED: 10, Ask.FOLLOW_UP: 20, Ask.CLAIM: 10, Ask.BOTH: 5, Ask.HELP: 40}
FAULTS = tuple(fault for fault in Fault if fault is not Fault.NONE)


def generate(seed: int, count: int) -> Iterator[Case]:
    """The first `count` cases of `seed`, at most MOST_CASES."""
    for number in range(count):
        yield make_case(seed, number)


def generate_moves(seed: int, count: int) -> Iterator[Case]:
    """Cases in which an order of the customer moves between look-up and sending, one question each."""
    for number in range(count):
        rng = seeded("moves", seed, number)
        language, fault = rng.choice(LANGUAGES), MOVING[number % len(MOVING)]
        state = State.NONE if fault is Fault.APPEARS else rng.choice([s for s in State if s is not State.NONE])
        turn = _turn(rng, Ask.ORDER, language, fault, state, _Numbers(seed, number))
        yield Case(seed, number, language, state, fault, (turn,))


def make_case(seed: int, number: int) -> Case:
    """Case `number` of `seed`, whatever cases were made before."""
    rng = seeded(seed, number)
    language = LANGUAGES[number % len(LANGUAGES)]
    fault = Fault.NONE if rng.random() < NO_FAULT_SHARE else rng.choice(FAULTS)
    state = _state(rng, fault)
    numbers, turns = _Numbers(seed, number), list[Turn]()
    fault_from = rng.choice((0, 0, 1))
    count = max(rng.choice((1, 2, 2, 3)), fault_from + 1)
    for place in range(count):
        active = fault if place >= fault_from else Fault.NONE
        ask = _ask(rng, turns[-1] if turns else None, active)
        turns.append(_turn(rng, ask, language, active, state, numbers, moves=place > 0 and rng.random() < 0.5))
    return Case(seed, number, language, state, fault, tuple(turns))


class _Numbers:
    """Order numbers of a case that is not made yet."""

    def __init__(self, seed: int, number: int) -> None:
        self.case = Case(seed, number, "", State.NONE, Fault.NONE, ())


def _state(rng: Random, fault: Fault) -> State:
    """A wrong or unmapped row needs an order; one that appears must not be there before."""
    if fault is Fault.APPEARS:
        return State.NONE
    states = [state for state in State if fault is Fault.NONE or state is not State.NONE]
    return rng.choice(states)


def _ask(rng: Random, before: Turn | None, fault: Fault) -> Ask:
    if fault is Fault.WRONG_ORDER:
        return Ask.NUMBERED  # another order than the one asked for: only then can anybody tell
    if fault is not Fault.NONE and (before is None or before.fault is Fault.NONE):
        asks: Sequence[Ask] = (Ask.ORDER, Ask.ORDER, Ask.CLAIM, Ask.BOTH)
        return rng.choice(asks)
    weights = dict(FIRST if before is None else LATER)
    if before is None or before.ask in (Ask.HELP, Ask.STRANGER):
        weights.pop(Ask.FOLLOW_UP, None)
    return rng.choices(list(weights), list(weights.values()))[0]


def _turn(
    rng: Random, ask: Ask, language: str, fault: Fault, state: State, numbers: _Numbers, *, moves: bool = False
) -> Turn:
    if ask is Ask.HELP:
        question = rng.choice(help_questions(language, TENANT))
        return Turn(ask, question.text, fault, passage=question.passage, moves=moves)
    about = rng.randrange(SEVERAL.get(state, 1)) if ask is Ask.NUMBERED else None
    phrasings = table("phrasings")[language]["numbered" if ask is Ask.STRANGER else ask.value]
    order_id = numbers.case.stranger_order if ask is Ask.STRANGER else numbers.case.order_id(about or 0)
    return Turn(ask, rng.choice(phrasings).format(order=_typed(rng, order_id)), fault, about, moves=moves)


def _typed(rng: Random, order_id: str) -> str:
    """An order number as people type it."""
    letters, _, digits = order_id.partition("-")
    devanagari = digits.translate({ord("0") + n: chr(0x0966 + n) for n in range(10)})
    return rng.choice((
        order_id, order_id, order_id.lower(), f"{letters}{digits}", f"{letters} {digits}", f"{letters}-{devanagari}",
    ))  # fmt: skip
