"""What the gate releases and what it withholds, held against real articles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.events import Text, Withheld
from engine_host.answering.fact_gate import order_claim, order_tale
from engine_host.answering.judge import Judge
from engine_host.answering.sentences import split_sentences
from engine_host.answering.verbatim import passage_sentences
from tests.engine_host.answering.articles import all_articles, article, passage_text
from tests.engine_host.answering.gate_tables import CLAIMS, SUPPORTED, TALES, UNSUPPORTED
from tests.fakes.answering import passage

ARTICLES = ("refunds-and-cancellations.en", "late-dabba.hi", "steel-box-return.mr", "prices.en", "late-dabba.mr")


BY_ARTICLE = {
    name: (
        [sentence for own, sentence in [*CLAIMS, *UNSUPPORTED] if own == name],
        [sentence for own, sentence in SUPPORTED if own == name],
    )
    for name in ("refunds.en", "late-dabba.en", "late-dabba.hi")
}


@given(st.data())
def test_that_a_stream_in_any_pieces_releases_what_the_article_carries_and_nothing_else(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(BY_ARTICLE)))
    bad, good = BY_ARTICLE[name]
    written = data.draw(st.lists(st.sampled_from([*bad, *good]), max_size=8, unique=True))
    text = "\n".join(written)
    title, body = article(name)
    judge = Judge("", (passage(body, title),))
    verdicts: list[Text | Withheld] = []
    start = 0
    while start < len(text):
        end = start + data.draw(st.integers(1, 40))
        verdicts += judge.feed(text[start:end])
        start = end
    verdicts += judge.finish()
    assert [v.text for v in verdicts if isinstance(v, Text)] == [sentence for sentence in written if sentence in good]
    assert judge.released == sum(sentence in good for sentence in written)
    assert all(v.reason for v in verdicts if isinstance(v, Withheld))


def released(name: str, text: str) -> list[str]:
    title, body = article(name)
    judge = Judge("", (passage(body, title),))
    return [verdict.text for verdict in [*judge.feed(text), *judge.finish()] if isinstance(verdict, Text)]


@pytest.mark.parametrize(("name", "sentence"), CLAIMS)
def test_that_a_claim_about_an_order_is_withheld_with_a_reason(name: str, sentence: str) -> None:
    assert order_claim(sentence, (passage_text(name),))
    assert released(name, sentence) == []


@pytest.mark.parametrize(("name", "sentence"), UNSUPPORTED)
def test_that_a_sentence_no_passage_carries_is_withheld(name: str, sentence: str) -> None:
    assert released(name, sentence) == []


@pytest.mark.parametrize(("name", "sentence"), SUPPORTED)
def test_that_a_sentence_of_the_passage_is_released(name: str, sentence: str) -> None:
    assert released(name, sentence) == [sentence]


@pytest.mark.parametrize("name", ARTICLES)
def test_that_every_sentence_of_an_article_passes_given_that_article(name: str) -> None:
    own = [sentence for sentence in split_sentences(article(name)[1]) if any(map(str.isalnum, sentence))]
    assert len(own) > 5
    for sentence in own:
        assert order_claim(sentence, (passage_text(name),)) == ""
        assert released(name, sentence) == [sentence]


def test_that_part_of_an_article_sentence_is_no_article_sentence() -> None:
    text = "We can't say that your order is late. Write to us if your order has been cancelled."
    for part in ("your order is late.", "your order has been cancelled."):
        assert order_claim(part, (text,))


def test_that_an_article_sentence_may_speak_of_your_box_word_for_word() -> None:
    text = "Your dabba is on its way when the app shows a scooter."
    assert order_claim(text, (text,)) == ""
    assert order_claim(f"- **{text}**", (text,)) == ""
    assert order_claim("Your dabba is on its way.", (text,))


@pytest.mark.parametrize("sentence", TALES)
def test_that_an_article_that_tells_of_one_order_makes_it_no_truth(sentence: str) -> None:
    text = f"Boxes have lids. {sentence}"
    assert order_claim(sentence, (text,))
    judge = Judge("", (passage(text, "Boxes"),))
    assert [type(verdict) for verdict in [*judge.feed(sentence), *judge.finish()]] == [Withheld]


def test_that_no_sentence_of_the_sample_articles_tells_of_one_order() -> None:
    sentences = [own for body in all_articles() for own in passage_sentences(body)]
    assert len(sentences) > 500
    assert [own for own in sentences if order_tale(own)] == []


@pytest.mark.parametrize(
    "sentence",
    ["If your box is late, write in the app chat.", "When your order has left the kitchen, it can't be changed."],
)
def test_that_a_condition_alone_claims_nothing(sentence: str) -> None:
    assert order_claim(sentence, ()) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "If your box is late, your courier is Ravi.",
        "If your order was packed at 12:05, the desk will know.",
        "When KD-4821 was packed, nobody looked.",
        "If you look now your order is packed",
        "If you ask me your order is packed.",
    ],
)
def test_that_a_condition_hides_no_claim(sentence: str) -> None:
    assert order_claim(sentence, ())


@pytest.mark.parametrize("sentence", ["The price is 140 rupees.", "Prices of 2026 are in the app.", "Rs 160 a box."])
def test_that_a_price_or_a_year_is_no_order_number(sentence: str) -> None:
    assert order_claim(sentence, ()) == ""


def test_that_article_words_about_your_order_in_other_words_are_withheld() -> None:
    judge = Judge("when is it packed", (passage("Your order is packed at 11:00 and leaves the kitchen by 12:00."),))
    verdicts = judge.feed("At 11:00 your order is packed, and by 12:00 it leaves the kitchen.\n")
    assert [type(verdict) for verdict in verdicts] == [Withheld]


def test_that_what_the_box_can_do_by_the_rules_is_no_claim() -> None:
    sentence = "The box can move to another day of the same week at no charge."
    assert released("refunds-and-cancellations.en", sentence) == [sentence]


def test_that_a_sentence_is_released_once() -> None:
    sentence = "A refund to UPI takes up to 2 working days."
    assert released("refunds-and-cancellations.en", f"{sentence} {sentence}") == [sentence]


def test_that_a_released_sentence_cites_the_passage_that_carries_it() -> None:
    names = ("prices.en", "refunds-and-cancellations.en")
    judge = Judge("refund to upi", tuple(passage(article(name)[1], article(name)[0]) for name in names))
    assert judge.feed("A refund to UPI takes up to 2 working days. ") == [
        Text("A refund to UPI takes up to 2 working days.", (2,))
    ]


def test_that_a_true_sentence_beside_the_question_is_released_and_answers_nothing() -> None:
    judge = Judge("can i change the floor on the same day", (passage(article("trial-week.en")[1]),))
    assert [type(verdict) for verdict in judge.feed("The trial week costs Rs 699.\n")] == [Text]
    assert not judge.answered


def test_that_only_a_time_answers_when_a_time_was_asked_for() -> None:
    judge = Judge("When do I get my card refund?", (passage(article("card-payments.en")[1]),))
    judge.feed("We can't send a card refund to another card or to a UPI address.\n")
    assert (judge.released, judge.answered) == (1, False)
    judge.feed("A refund to a card takes 5 to 7 working days.\n")
    assert (judge.released, judge.answered) == (2, True)


@pytest.mark.parametrize("before", ["A gift box can't be cancelled.", "Moon boxes are Rs 900."])
def test_that_what_speaks_of_a_withheld_sentence_is_withheld_too(before: str) -> None:
    body = "You can cancel a plan at any time. It costs nothing."
    judge = Judge("", (passage(body),))
    verdicts = judge.feed(f"{before} You can cancel it at any time. A plan can be cancelled at any time.\n")
    assert [type(verdict) for verdict in verdicts] == [Withheld, Withheld, Text]
    assert [type(verdict) for verdict in Judge("", (passage(body),)).feed("You can cancel it at any time.\n")] == [Text]
