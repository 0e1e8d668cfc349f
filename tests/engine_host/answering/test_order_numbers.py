"""Order numbers, in the spellings that customers use, and what is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.order_numbers import order_ids, without_order_ids

if TYPE_CHECKING:
    from datetime import date


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
        ("I am C-8101, how are refunds paid", "i am , how are refunds paid"),
        ("do you deliver to 411045", "do you deliver to 411045"),
        ("How do I get a refund of Rs 250?", "How do I get a refund of Rs 250?"),
        ("KD-4821", ""),
    ],
)
def test_that_articles_are_searched_without_order_numbers(text: str, searched: str) -> None:
    assert without_order_ids(text, ("KD",)) == searched


SCRIPTS = ("0123456789", "०१२३४५६७८९", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "૦૧૨૩૪૫૬૭૮૯", "٠١٢٣٤٥٦٧٨٩")
LETTERS = (
    "KD",
    "kd",
    "Kd",
    "K D",
    "k.d.",
    "ＫＤ",
    "КD",
    "ΚD",
    "K\u200bD",
    "K\u200dD",
    "केडी",
    "के डी",
    "के.डी.",
    "K̶D̶",
    "ᴋᴅ",
)
BETWEEN = ("", " ", "-", " - ", "–", "—", "‑", "#", ".", "_", "/", ": ", "\u00a0", "\u200d", " no. ", " number ")
NUMBERS = st.integers(1000, 99999).map(str)


def in_script(digits: str, script: str) -> str:
    return digits.translate(str.maketrans("0123456789", script))


@given(
    letters=st.sampled_from(LETTERS),
    between=st.sampled_from(BETWEEN),
    script=st.sampled_from(SCRIPTS),
    digits=NUMBERS,
    before=st.sampled_from(["", "where is ", "ऑर्डर ", "mera order ", "(", "माझी ऑर्डर "]),
    after=st.sampled_from(["", "?", " please", ")", " कहाँ है", " ka status", ".", " कुठे आहे"]),
)
def test_that_a_number_is_read_in_any_letters_digits_and_separators(
    letters: str, between: str, script: str, digits: str, before: str, after: str
) -> None:
    text = f"{before}{letters}{between}{in_script(digits, script)}{after}"
    assert order_ids(text, ("KD",)) == (f"KD-{digits}",)


@given(
    phrase=st.sampled_from(
        ["Rs {}", "rs.{}", "₹{}", "₹ {}", "{} rs", "{} रुपये", "{} रु", "INR {}", "Rs-{}", "a price of {}", "worth {}"]
    ),
    amount=NUMBERS,
    script=st.sampled_from(SCRIPTS),
)
def test_that_a_price_is_no_order_number(phrase: str, amount: str, script: str) -> None:
    assert order_ids(phrase.format(in_script(amount, script)), ("KD",)) == ()
    assert order_ids(f"order {phrase.format(in_script(amount, script))}", ("KD",)) == ()


@given(hour=st.integers(0, 23), minute=st.integers(0, 59), form=st.sampled_from(["{}:{:02}", "{}.{:02}", "{}-{:02}"]))
def test_that_a_time_is_no_order_number(hour: int, minute: int, form: str) -> None:
    told = form.format(hour, minute)
    for text in (f"at {told}", f"order at {told}", f"my order by {told}", f"{told} pm", f"kd at {told}"):
        assert order_ids(text, ("KD",)) == ()


@given(when=st.dates())
def test_that_a_date_is_no_order_number(when: date) -> None:
    for form in ("%d-%m-%Y", "%d/%m/%Y", "%d.%m.%Y", "%d %B %Y", "%Y-%m-%d"):
        assert order_ids(f"order of {when.strftime(form)}", ("KD",)) == ()


@given(phone=st.integers(6_000_000_000, 9_999_999_999).map(str), pin=st.integers(110_000, 855_999).map(str))
def test_that_phones_and_pin_codes_are_no_order_numbers(phone: str, pin: str) -> None:
    spelled = (
        phone,
        f"+91 {phone}",
        f"+91-{phone[:5]}-{phone[5:]}",
        f"{phone[:5]} {phone[5:]}",
        f"0{phone[:2]} {phone[2:]}",
    )
    for text in (*spelled, *(f"call {one}" for one in spelled), f"pin {pin}", f"order to pin code {pin}"):
        assert order_ids(text, ("KD",)) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("where is AR-4821", ("AR-4821",)),
        ("ar4821 kidhar hai", ("AR-4821",)),
        ("KD-4821 and MO-5002", ("KD-4821", "MO-5002")),
        ("flight AI 4821", ()),
        ("my car MH 12 AB 1234", ()),
        ("no 4821", ()),
        ("at-1230", ()),
    ],
)
def test_that_a_number_of_another_house_is_read_as_it_stands(text: str, found: tuple[str, ...]) -> None:
    assert order_ids(text, ("KD",)) == found


@pytest.mark.parametrize(
    "text", ["order 250 boxes", "order 1200 rotis", "order 4821 rupees", "ऑर्डर ४८२१ रुपये", "order #1"]
)
def test_that_how_much_is_ordered_is_no_order_number(text: str) -> None:
    assert order_ids(text, ("KD",)) == ()


@pytest.mark.parametrize("text", ["#4821 where", "4821 order kahan hai", "ऑर्डर नंबर ४८२१", "ऑर्डर क्रमांक ४८२१ कुठे"])
def test_that_digits_beside_their_word_are_an_order_number(text: str) -> None:
    assert order_ids(text, ("KD",)) == ("KD-4821",)


@pytest.mark.parametrize(("text", "number"), [("KD-48O1", "KD-4801"), ("kd 4l2i", "KD-4121"), ("KD 48 21", "KD-4821")])
def test_that_letters_typed_for_digits_and_gaps_are_read(text: str, number: str) -> None:
    assert order_ids(text, ("KD",)) == (number,)


def test_that_a_prefix_of_any_letters_is_read() -> None:
    assert order_ids("एमओ ५००२ and mo#5003", ("MO",)) == ("MO-5002", "MO-5003")
    assert order_ids("एआर-४८२१", ("AR",)) == ("AR-4821",)
