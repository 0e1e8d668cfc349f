"""The gate against the sentences of tests/data/gate: claims, disguises and paraphrases."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from engine_host.answering.events import Text
from engine_host.answering.fact_gate import order_claim
from engine_host.answering.judge import Judge
from tests.engine_host.answering.articles import article
from tests.fakes.answering import passage

FOLDER = Path(__file__).parents[2] / "data" / "gate"
BESIDE = (
    "late-dabba.en",
    "refunds.en",
    "late-dabba.hi",
    "refunds.hi",
    "late-dabba.mr",
    "refunds.mr",
    "subscriptions.en",
    "change-of-address-or-time.en",
    "contact-and-support-hours.en",
    "charged-twice.en",
    "upi-payments.en",
    "upi-payments.hi",
    "upi-payments.mr",
    "steel-box-return.en",
    "steel-box-return.hi",
    "steel-box-return.mr",
)
"""Articles whose words lend themselves to claims: what fell back is said in them too."""
UNSEEN_BY_THE_GATE = 8
"""Of the claims without an article, at most so many may be left to grounding alone."""


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def sentences(name: str) -> list[str]:
    return [row["sentence"] for row in rows(name)]


def in_articles(name: str) -> list[tuple[str, str]]:
    return [(row["article"], row["sentence"]) for row in rows(name)]


@cache
def sections(name: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"(?m)^## .*$", article(name)[1]) if part.strip())


def released(text: str, passages: list[tuple[str, str]]) -> list[str]:
    judge = Judge("", tuple(passage(body, title) for title, body in passages))
    return [verdict.text for verdict in [*judge.feed(text), *judge.finish()] if isinstance(verdict, Text)]


@pytest.mark.parametrize("sentence", [*sentences("claims"), *sentences("claims_unspoken"), *sentences("disguised")])
def test_that_a_claim_is_never_released(sentence: str) -> None:
    assert released(sentence, [article(name) for name in BESIDE]) == []


def test_that_nearly_every_claim_is_seen_by_the_gate_itself() -> None:
    unseen = [one for one in [*sentences("claims"), *sentences("disguised")] if not order_claim(one, ())]
    assert len(unseen) <= UNSEEN_BY_THE_GATE, unseen


@pytest.mark.parametrize("sentence", sentences("harmless"))
def test_that_what_is_said_of_orders_in_general_is_no_claim(sentence: str) -> None:
    assert order_claim(sentence, ()) == ""


@pytest.mark.parametrize(("name", "sentence"), in_articles("claims_like_articles"))
def test_that_a_claim_in_an_articles_words_is_not_released(name: str, sentence: str) -> None:
    title, _ = article(name)
    for section in sections(name):
        assert released(sentence, [(title, section)]) == []


@pytest.mark.parametrize(("name", "sentence"), in_articles("paraphrases"))
def test_that_an_article_said_in_other_words_is_released(name: str, sentence: str) -> None:
    title, _ = article(name)
    assert any(released(sentence, [(title, section)]) for section in sections(name))


@pytest.mark.parametrize("claim", sentences("claims")[::7])
def test_that_a_claim_in_a_help_answer_is_withheld_alone(claim: str) -> None:
    true = "A refund to UPI takes up to 2 working days."
    assert released(f"{true}\n{claim}\n", [article("refunds.en")]) == [true]
