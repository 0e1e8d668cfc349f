"""What a question asks besides where the order is, and which of several orders it names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine_host.answering.asking import Asks, asked_besides
from engine_host.answering.choosing import named_orders
from engine_host.orders.port import Order, OrderItem
from tests.fakes.answering import order

CONTENTS = (
    "what is in my box", "what's in my order KD-4821", "what all is there in today's dabba", "what did i order",
    "which items are in my tiffin", "contents of my order", "डब्बे में क्या है", "आज के ऑर्डर में क्या क्या है",
    "मैंने क्या ऑर्डर किया", "माझ्या डब्यात काय आहे", "आज डब्यात काय काय आहे", "mere dabbe mein kya hai",
    "order me kya kya hai", "kya order kiya maine", "mazya dabyat kay ahe", "and what's in it?",
    "what all is in it", "what was in it", "usme kya hai", "उसमें क्या है", "त्यात काय आहे",
)  # fmt: skip
TOTAL = (
    "how much did I pay", "how much did i pay for KD-4821", "what is my bill", "what was the total of my order",
    "how much is my order", "bill kitna hai", "order ka total kitna hua", "kitne paise lage", "kitna paisa diya maine",
    "बिल कितना है", "मेरा ऑर्डर कितने का है", "कितने रुपये लगे", "बिल किती झाले", "किती पैसे दिले मी",
)  # fmt: skip
COURIER = (
    "who is bringing my dabba", "who's delivering my lunch?", "name of my rider", "delivery boy's number please",
    "which courier has my box", "कौन ला रहा है मेरा डब्बा", "डिलीवरी वाले का नाम क्या है", "कोण आणत आहे माझा डबा",
    "रायडरचे नाव काय", "kaun la raha hai mera dabba", "rider ka naam kya hai", "delivery boy kaun hai",
)  # fmt: skip
NEITHER = (
    "where is my box", "KD-4821", "what is in the wallet", "how much longer for my order", "how much more time",
    "mera dabba kidhar hai", "डब्बा कहाँ है", "डबा कुठे आहे", "when will the courier come", "has my lunch left", "",
)  # fmt: skip


@pytest.mark.parametrize("text", CONTENTS)
def test_that_contents_are_asked_for(text: str) -> None:
    assert asked_besides(text).contents


@pytest.mark.parametrize("text", TOTAL)
def test_that_the_total_is_asked_for(text: str) -> None:
    assert asked_besides(text).total


@pytest.mark.parametrize("text", COURIER)
def test_that_the_courier_is_asked_for(text: str) -> None:
    assert asked_besides(text).courier


@pytest.mark.parametrize("text", NEITHER)
def test_that_nothing_is_told_unasked(text: str) -> None:
    assert asked_besides(text) == Asks()


AT_EIGHT = datetime(2026, 11, 30, 8, tzinfo=UTC)


def of(number: int, *items: tuple[str, str]) -> Order:
    named = tuple(OrderItem(name, 1, diet) for name, diet in items)
    return order(order_id=f"KD-{number}", items=named, expected_at=AT_EIGHT)


ORDERS = (
    of(1, ("Regular lunch", "regular")),
    of(2, ("Low-sugar dinner", "low-sugar")),
    of(3, ("Jain lunch", "jain"), ("Extra roti", "regular")),
    of(4, ("Protein lunch", "protein")),
    of(5, ("Diwali sweets box", "regular")),
    of(6, ("पुरणपोळी", "regular")),
)


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("where is my dinner", [2]),
        ("raat ka dabba kab aayega", [2]),
        ("रात का डब्बा कहाँ है", [2]),
        ("रात्रीचा डबा कुठे आहे", [2]),
        ("where is my regular lunch", [1]),
        ("the low sugar one", [2]),
        ("kam cheeni wala kidhar hai", [2]),
        ("कमी साखर डबा कुठे", [2]),
        ("jain wala dabba", [3]),
        ("जैन डब्बा कहाँ है", [3]),
        ("my jain lunch with extra rotis", [3]),
        ("where are the sweets", [5]),
        ("पुरणपोळी कुठे आहे", [6]),
        ("where is my LUNCH", [1, 3, 4]),
        ("dopahar ka dabba", [1, 3, 4]),
        ("दुपारचा डबा", [1, 3, 4]),
        ("the jain and the protein one", [3, 4]),
        ("where is my dabba", []),
        ("where is my box", []),
        ("kidhar hai", []),
        ("where is my breakfast", [5, 6]),
        ("", []),
    ],
)
def test_that_a_question_names_the_orders_that_match(question: str, numbers: list[int]) -> None:
    assert [order.order_id for order in named_orders(ORDERS, question, UTC)] == [f"KD-{number}" for number in numbers]


def test_that_no_orders_have_no_name() -> None:
    assert named_orders((), "where is my lunch", UTC) == ()
