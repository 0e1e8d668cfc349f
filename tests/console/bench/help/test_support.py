from __future__ import annotations

import pytest

from console.bench.help.support import is_carried

PASSAGE = (
    "A refund to UPI takes up to 2 working days. A refund to a card takes 5 to 7 working days.\n"
    "- A box that has left the kitchen can't be cancelled.\n- A Mini box costs Rs 95."
)


@pytest.mark.parametrize(
    ("sentence", "carried"),
    [
        ("A refund to UPI takes up to 2 working days.", True),
        ("Refunds to UPI take 2 working days.", True),
        ("A refund to UPI takes 3 working days.", False),
        ("A refund to UPI takes 7 working days.", False),
        ("A refund to a wallet takes 2 working days.", False),
        ("A box that has left the kitchen can be cancelled.", False),
        ("A box that left the kitchen cannot be cancelled.", True),
        ("Yes.", False),
        ("", False),
    ],
)
def test_that_numbers_words_and_not_must_stand_in_one_sentence(sentence: str, carried: bool) -> None:
    assert is_carried(sentence, ["Something else entirely.", PASSAGE]) is carried


def test_that_nothing_carries_where_there_is_no_text() -> None:
    assert not is_carried("A refund takes 2 working days.", [])


def test_that_a_sentence_which_ties_the_two_sides_of_an_and_together_is_left_aside() -> None:
    own = "You can pause a plan when you travel and cancel it at any time."
    assert not is_carried("You can pause a plan at any time.", [own])
    assert is_carried("You can pause a plan when you travel.", [own])
    assert is_carried("You can pause a plan when you travel and cancel it at any time.", [own])
