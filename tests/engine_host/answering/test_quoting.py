"""Which words of an article are quoted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.quoting import best_quote, best_window, kinds_asked_for
from tests.engine_host.answering.articles import article
from tests.fakes.answering import passage


@given(st.text(alphabet="ab .!?\n१।A0-|", max_size=120), st.text(alphabet="ab \n", max_size=20))
def test_that_the_window_is_cut_from_the_passage(passage: str, question: str) -> None:
    assert best_window(question, passage) in passage


def test_that_the_window_holds_the_sentences_about_the_question() -> None:
    body = article("late-dabba.en")[1]
    window = best_window("usual arrival time of dinner boxes", body)
    assert "Dinner boxes from Kamala Dabba arrive between 19:00 and 20:30." in window
    assert window in body
    assert len(window) < len(body) / 2


def test_that_a_repeated_sentence_does_not_stretch_the_window() -> None:
    text = "Yes. One fish. Two fish. Yes. Red bread. Blue bread."
    assert best_window("red blue bread", text) == "Yes. Red bread. Blue bread."


def test_that_a_short_passage_is_quoted_whole() -> None:
    assert best_window("anything", "One. Two.\n") == "One. Two."


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When do I get my refund?", 1),
        ("how much is the jain box", 1),
        ("रिफंड कब आता है", 1),
        ("परतावा किती दिवसांत मिळतो", 1),
        ("what is in a jain box", 0),
        ("by when do i pay and how much", 2),
    ],
)
def test_that_a_question_tells_what_kind_of_fact_it_asks_for(question: str, kinds: int) -> None:
    assert len(kinds_asked_for(question)) == kinds


def test_that_a_question_after_a_time_is_answered_by_a_passage_that_holds_one() -> None:
    near = replace(passage("A refund starts by itself. You need not ask for the refund."), score=0.60)
    timed = replace(passage("A refund to UPI takes up to 2 working days."), score=0.55)
    assert best_quote("When do I get my refund?", (near, timed)) == (2, timed.text)
    assert best_quote("Must I ask for the refund?", (near, timed)) == (1, near.text)


def test_that_the_window_holds_the_fact_that_was_asked_for() -> None:
    text = "A refund is fair. A refund is kind. A refund is good. A refund is ours. It takes up to 2 working days. Bye."
    assert "2 working days" in best_window("when is the refund", text, sentences=2)
