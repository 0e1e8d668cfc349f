"""Order numbers, in the spellings that customers use, and what is none."""

from __future__ import annotations

import pytest

from engine_host.answering.order_numbers import order_ids, without_order_ids


@pytest.mark.parametrize(
    "text",
    [
        "KD-4821",
        "kd-4821",
        "kd4821",
        "KD 4821",
        "K D 4821",
        "K.D. 4821",
        "KD - 4821",
        "KD–4821",
        "KD‑4821",
        "KD—4821",
        "KD#4821",
        "KD_4821",
        "KD no: is KD/4821?",
        "KD-४८२१",
        "ＫＤ－４８２１",
        "КD-4821",
        "ΚD-4821",
        "K\u200bD-4821",
        "KD\u00a04821",
        "order 4821",
        "order no 4821",
        "Order no. 4821 please",
        "order number: 4821",
        "order #4821",
        "order id 4821",
        "ऑर्डर KD ४८२१ कहाँ है",
        "(kd-4821)",
        "KD-4821.",
        "KD-4821KD-4821",
    ],
)
def test_that_an_order_number_is_read_in_any_spelling(text: str) -> None:
    assert order_ids(text, ("KD",)) == ("KD-4821",)


@pytest.mark.parametrize(
    "text",
    [
        "AR 4821",
        "KD-12",
        "KD-12345678",
        "Rs 4821",
        "4821",
        "20 rs 250",
        "okd-4821",
        "pin 411004",
        "call 020 5550 0142",
        "",
    ],
)
def test_that_other_numbers_are_no_order_number(text: str) -> None:
    assert order_ids(text, ("KD",)) == ()


def test_that_order_numbers_keep_their_order_and_come_once() -> None:
    assert order_ids("kd 5001, KD-4821 and KD5001", ("KD",)) == ("KD-5001", "KD-4821")


def test_that_a_number_without_letters_takes_the_first_prefix() -> None:
    assert order_ids("order 4821", ("AR", "KD")) == ("AR-4821",)
    assert order_ids("order 4821", ()) == ()


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("refund KD-4821 to me please", "refund to me please"),
        ("Refund KD 4821 and order no. 4822?", "refund and order no. 4822?"),
        ("refund order no. 4821 please", "refund order no. please"),
        ("Refund AR-3107, kd4821", "refund ,"),
        ("KD-४८२१ के पैसे", "के पैसे"),
        ("How do I get a refund of Rs 250?", "How do I get a refund of Rs 250?"),
        ("KD-4821", ""),
    ],
)
def test_that_articles_are_searched_without_order_numbers(text: str, searched: str) -> None:
    assert without_order_ids(text, ("KD",)) == searched
