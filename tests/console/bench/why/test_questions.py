"""What is asked while incidents are staged."""

from __future__ import annotations

from random import Random

from console.bench.why.house import LONGEST_QUESTION
from console.bench.why.words import ROOM, Questions
from engine_host.answering.prompt import estimate_tokens
from engine_host.orders.demo.book import DemoCustomer

CUSTOMERS = (DemoCustomer("C-1", "kamala", "Asha", "en"), DemoCustomer("C-2", "meridian", "Bipin", "en"))


def test_that_no_two_letters_are_alike_and_the_same_seed_writes_the_same() -> None:
    ask, again = Questions(Random(1)), Questions(Random(1))
    letters = [ask.letter("kamala").text for _ in range(20)]
    assert len(set(letters)) == 20
    assert letters == [again.letter("kamala").text for _ in range(20)]


def test_that_a_letter_is_long_and_still_no_longer_than_its_tenant_may_ask() -> None:
    letters = [Questions(Random(seed)).letter("kamala").text for seed in range(50)]
    assert all(1000 < estimate_tokens(text) <= LONGEST_QUESTION for text in letters)
    assert not any("{" in text for text in letters)


def test_that_an_order_is_asked_about_by_a_customer_of_that_tenant() -> None:
    asked = [Questions(Random(seed), CUSTOMERS).order("meridian") for seed in range(5)]
    assert {one.customer_id for one in asked} == {"C-2"}


def test_that_the_article_behind_a_list_has_one_sentence() -> None:
    names = ("lanes-of-the-bicycle-round", "things-in-the-picnic-basket", "what-the-thali-is-made-of")
    texts = [(ROOM / "articles" / f"{name}.en.md").read_text(encoding="utf-8").split("---")[2] for name in names]
    assert [text.count(".") for text in texts] == [1, 1, 1]
    assert all(len(text) > 300 for text in texts)
