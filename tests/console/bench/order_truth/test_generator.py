"""The cases: the same seed gives the same ones, and everything that may vary does."""

from __future__ import annotations

from console.bench.order_truth.cases import LANGUAGES, MOVING, Ask, Fault, State
from console.bench.order_truth.generator import generate, generate_moves, make_case
from console.bench.order_truth.history import History
from console.bench.order_truth.stock import stock
from engine_host.orders.port import OrderStatus

CASES = list(generate(7, 400))


def test_that_the_same_seed_gives_the_same_conversations() -> None:
    assert list(generate(7, 400)) == CASES
    assert list(generate(8, 400)) != CASES


def test_that_one_case_can_be_made_alone() -> None:
    assert make_case(7, 123) == CASES[123]


def test_that_languages_states_faults_and_questions_all_come_up() -> None:
    turns = [turn for case in CASES for turn in case.turns]
    assert {case.language for case in CASES} == set(LANGUAGES)
    assert {case.state for case in CASES} == set(State)
    assert {turn.fault for turn in turns} == set(Fault)
    assert {turn.ask for turn in turns} == set(Ask)
    assert {len(case.turns) for case in CASES} == {1, 2, 3}


def test_that_a_follow_up_follows_an_order_question() -> None:
    for case in CASES:
        for before, turn in zip(case.turns, case.turns[1:], strict=False):
            assert turn.ask is not Ask.FOLLOW_UP or before.ask not in (Ask.HELP, Ask.STRANGER)
        assert case.turns[0].ask is not Ask.FOLLOW_UP


def test_that_no_two_cases_share_an_order_number_or_customer() -> None:
    numbers = [case.order_id(place) for case in CASES for place in range(8)]
    assert len(set(numbers)) == len(numbers)
    people = [person for case in CASES for person in (case.customer, case.stranger)]
    assert len(set(people)) == len(people)


def test_that_a_case_is_stocked_with_the_state_that_it_names() -> None:
    several = {State.NONE: 0, State.TWO: 2, State.FIVE: 5}
    for case in CASES[:120]:
        history = History()
        stock(history, case)
        active = history.active(case.customer)
        assert len(active) == several.get(case.state, 1), case
        assert history.order(case.stranger_order) is not None
        if case.state is State.LATE:
            assert active[0].status is OrderStatus.OUT_FOR_DELIVERY
            assert active[0].expected_at
            assert active[0].expected_at < active[0].as_of


def test_that_every_move_is_one_question_with_a_fault_that_moves() -> None:
    cases = list(generate_moves(3, 60))
    assert {case.fault for case in cases} == set(MOVING)
    assert all(len(case.turns) == 1 and case.turns[0].fault is case.fault for case in cases)
    assert all((case.state is State.NONE) == (case.fault is Fault.APPEARS) for case in cases)
