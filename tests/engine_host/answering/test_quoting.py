"""Which words of an article are quoted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.quoting import best_quote, best_window, near_the_first
from engine_host.answering.relevance import Relevance, kinds_asked_for
from tests.engine_host.answering.articles import article
from tests.engine_host.answering.gate_tables import TALES
from tests.fakes.answering import passage


@given(st.text(alphabet="ab .!?\n१।A0-|", max_size=120), st.text(alphabet="ab \n", max_size=20))
def test_that_the_window_is_cut_from_the_passage(passage: str, question: str) -> None:
    assert best_window(Relevance(question, [passage]), passage) in passage


def test_that_the_window_holds_the_sentences_about_the_question() -> None:
    body = article("late-dabba.en")[1]
    window = best_window(Relevance("usual arrival time of dinner boxes", [body]), body)
    assert "Dinner boxes from Kamala Dabba arrive between 19:00 and 20:30." in window
    assert window in body
    assert len(window) < len(body) / 2


def test_that_a_repeated_sentence_does_not_stretch_the_window() -> None:
    text = "Yes. One fish. Two fish. Yes. Red bread. Blue bread."
    assert best_window(Relevance("red blue bread", [text]), text) == "Yes. Red bread. Blue bread."


def test_that_a_short_passage_is_quoted_whole() -> None:
    assert best_window(Relevance("anything", ["One. Two."]), "One. Two.\n") == "One. Two."


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
    near = passage("A refund starts by itself. You need not ask for the refund.")
    timed = passage("A refund to UPI takes up to 2 working days.")
    assert best_quote("When do I get my refund?", (near, timed)) == (2, timed.text)
    assert best_quote("Must I ask for the refund?", (near, timed)) == (1, near.text)


def test_that_a_passage_far_under_the_first_is_not_quoted_for_its_kind_of_fact() -> None:
    right = passage("Half the amount comes back after the cancellation time.")
    far = replace(passage("A monthly plan costs Rs 3,091.20."), score=right.score - 0.1)
    assert best_quote("how much comes back", (right, far)) == (1, right.text)


def test_that_passages_are_near_the_first_up_to_one_that_is_not() -> None:
    passages = [replace(passage("One. Two."), score=score) for score in (0.60, 0.66, 0.55, 0.54, 0.59)]
    assert near_the_first(passages) == tuple(passages[:3])
    assert near_the_first(()) == ()


def test_that_the_window_holds_the_fact_that_was_asked_for() -> None:
    text = "A refund is fair. A refund is kind. A refund is good. A refund is ours. It takes up to 2 working days. Bye."
    assert "2 working days" in best_window(Relevance("when is the refund", [text]), text, sentences=2)


def test_that_a_sentence_about_another_thing_of_the_same_list_is_not_about_the_question() -> None:
    passages = ["A Regular box costs Rs 140. A Protein box costs Rs 185. A Mini box costs Rs 95."]
    relevance = Relevance("how much is a protein box", passages)
    assert relevance.is_about("A Protein box costs Rs 185.")
    assert not relevance.is_about("A Regular box costs Rs 140.")


def test_that_a_question_without_a_word_of_the_passages_tells_nothing_about_a_sentence() -> None:
    assert Relevance("why", ["A Regular box costs Rs 140."]).is_about("A Regular box costs Rs 140.")


@pytest.mark.parametrize("tale", TALES)
def test_that_a_sentence_that_tells_of_one_order_is_not_quoted(tale: str) -> None:
    text = f"Boxes have lids. {tale} Lids are of steel."
    found = best_quote(f"boxes {tale}", (passage(text),))
    assert found is not None
    assert found[1] in ("Boxes have lids.", "Lids are of steel.")


def test_that_a_tale_over_two_lines_is_not_quoted_in_part() -> None:
    text = "Boxes have lids.\n\nYour zebra dabba\nis on its way and\narrives soon."
    assert best_quote("zebra dabba on its way soon", (passage(text),)) == (1, "Boxes have lids.")


def test_that_a_quotation_begins_with_a_sentence_and_not_with_a_line() -> None:
    text = (
        "Boxes have lids.\n\n    If you can't open a lid, follow the steps at\n    [lids and tiers](/help/lids) and\n"
        "    ask the courier.\n\nA lid stays on for 3 hours. Lids are of steel. Steel is washed."
    )
    found = best_quote("how do I open a lid that I can't open", (passage(text),))
    assert found is not None
    assert found[1].startswith(("Boxes", "If you can't open a lid, follow the steps at\n    [lids and tiers]"))


def test_that_a_number_of_hours_is_a_time() -> None:
    assert Relevance("how long is the link valid", ["The link is valid for 37 hours."]).answers("The link is 37 hours.")


def test_that_the_next_passage_is_quoted_when_the_first_only_tells_of_orders() -> None:
    passages = (passage("Your lunch has left the kitchen."), passage("Lunch leaves the kitchen by 12:00."))
    assert best_quote("when does lunch leave", passages) == (2, "Lunch leaves the kitchen by 12:00.")
    assert best_quote("when does lunch leave", passages[:1]) is None


def test_that_a_question_is_held_against_passages_in_the_words_of_articles() -> None:
    relevance = Relevance("gpay refund", ["A refund to UPI takes 2 days. A refund to a card takes 7 days."])
    assert relevance.worth("A refund to UPI takes 2 days.") > relevance.worth("A refund to a card takes 7 days.")
