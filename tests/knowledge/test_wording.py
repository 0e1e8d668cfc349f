from __future__ import annotations

import pytest

from knowledge.wording import one_slip_apart, plain_english, with_words


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("wen do i hav to tell u the new adress", "when do i have to tell you the new address"),
        ("COD available?", "cash on delivery available?"),
        ("can i cancel at 8.30 am", "can i cancel at 8.30 am"),
        ("gpay refund how many days", "upi refund how many days"),
        ("till wat time does my tiffin wait", "until what time does my box wait"),
        ("डब्बा कब आएगा", "डब्बा कब आएगा"),
        ("", ""),
    ],
)
def test_that_a_question_is_put_into_the_words_of_articles(typed: str, plain: str) -> None:
    assert plain_english(typed) == plain


def test_that_only_whole_words_are_exchanged() -> None:
    assert with_words("boxes box, BOX", {"box": "crate"}) == "boxes crate, crate"


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("adress", "address", True),
        ("address", "adress", True),
        ("adderss", "address", True),
        ("addrexs", "address", True),
        ("addres", "address", True),
        ("address", "address", False),
        ("adres", "address", False),
        ("aderdss", "address", False),
        ("dress", "address", False),
        ("ab", "ba", True),
        ("", "a", True),
    ],
)
def test_that_one_slip_is_a_letter_more_less_other_or_two_exchanged(one: str, other: str, near: bool) -> None:
    assert one_slip_apart(one, other) is near
