"""Streams: however a text is cut into pieces, the verdicts are the same, and nothing is shown that was not judged."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine_host.answering.events import Text, Withheld
from engine_host.answering.judge import Judge
from engine_host.answering.sentences import LONGEST_SENTENCE, SentenceSplitter, split_sentences
from tests.engine_host.answering.articles import article
from tests.fakes.answering import passage

Verdicts = list[Text | Withheld]

SENTENCES = (
    "A refund to UPI takes up to 2 working days.",
    "A refund to a wallet balance is made at once!",
    "Your refund was sent.",
    "डब्बा 20 से 45 मिनट देर से आए तो 30 रुपये का क्रेडिट मिलता है।",
    "आपका डब्बा रास्ते में है।",
    "UPI ने दिलेले पैसे कामकाजाच्या 2 दिवसांत परत येतात…",
    "Rs. 30",
    "12.50",
    "“Is it late?”",
    "Mr. Rao knows",
    "📦✅ 12:10",
    "e\u0301 👩‍🍳",
    "\ud83d",
    "| a | b |",
    "```",
    "Open until 5 p.m.",
)
ENDS = ("\n", " ", "\r\n", "।", "…", "\u2028", "", "\t", ". ", '." ', "?\n\n")
TEXTS = st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from(ENDS)), max_size=8).map(
    lambda parts: "".join(sentence + end for sentence, end in parts)
) | st.text(alphabet="aB1 .!?।…\"')\n\r\t—Rs,;\ud83d\udce6", max_size=80)
CUTS = st.lists(st.integers(0, 400), max_size=20)
BESIDE = tuple(passage(article(name)[1], article(name)[0]) for name in ("refunds.en", "late-dabba.hi", "refunds.mr"))


def pieces(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)})
    return [text[start:end] for start, end in pairwise(places)]


def judged(parts: list[str]) -> Verdicts:
    judge = Judge("", BESIDE)
    return [*(verdict for part in parts for verdict in judge.feed(part)), *judge.finish()]


def without_blanks(text: str) -> str:
    return "".join(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())


@given(TEXTS, CUTS)
@example("A refund\ud83d", [9])
@example("\ud83d\udce6 A refund to UPI takes up to 2 working days.", [1])
def test_that_any_cut_gives_the_same_verdicts(text: str, cuts: list[int]) -> None:
    assert judged(pieces(text, cuts)) == judged([text])


@given(TEXTS, CUTS)
def test_that_every_letter_is_judged_once_and_in_order(text: str, cuts: list[int]) -> None:
    told = "".join(verdict.text for verdict in judged(pieces(text, cuts)))
    assert without_blanks(told) == without_blanks(text)


@given(TEXTS, CUTS)
def test_that_nothing_is_shown_that_is_not_a_whole_sentence(text: str, cuts: list[int]) -> None:
    shown = [verdict.text for verdict in judged(pieces(text, cuts)) if isinstance(verdict, Text)]
    assert set(shown) <= set(split_sentences(text))


@given(st.integers(LONGEST_SENTENCE - 2, 3 * LONGEST_SENTENCE), CUTS, st.sampled_from([". ", "\n", "", "।x"]))
def test_that_a_sentence_without_an_end_is_withheld_in_pieces(length: int, cuts: list[int], end: str) -> None:
    text = ("box " * length)[:length] + end + "A refund to UPI takes up to 2 working days."
    verdicts = judged(pieces(text, cuts))
    assert verdicts == judged([text])
    assert without_blanks("".join(verdict.text for verdict in verdicts)) == without_blanks(text)
    assert all(len(verdict.text) <= LONGEST_SENTENCE for verdict in verdicts)
    assert all(isinstance(verdict, Withheld) for verdict in verdicts[:-1])


def test_that_memory_stays_bounded_while_no_end_comes() -> None:
    splitter = SentenceSplitter()
    for _ in range(10_000):
        splitter.feed("no end in sight ")
        assert len(splitter._open) <= LONGEST_SENTENCE


def test_that_what_follows_an_endless_sentence_is_judged_again() -> None:
    verdicts = judged(["x" * (LONGEST_SENTENCE + 1), "\nA refund to UPI takes up to 2 working days.\n"])
    assert [type(verdict) for verdict in verdicts] == [Withheld, Withheld, Text]
    assert "longer than 1,000 characters" in verdicts[0].reason  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("डब्बा आएगा।ठीक है", ["डब्बा आएगा।", "ठीक है"]),
        ("क्या?” हाँ।” ठीक", ["क्या?”", "हाँ।”", "ठीक"]),
        ("one\r\ntwo\rthree\u2028four", ["one", "two", "three", "four"]),
        ("At 9.30 a.m. it opens. Come.", ["At 9.30 a.m. it opens.", "Come."]),
        ("See https://a.example/x?y=1.5 now. Ok", ["See https://a.example/x?y=1.5 now.", "Ok"]),
        ("**Bold end.** Next.", ["**Bold end.**", "Next."]),
        ("a\ud83d\udce6 b\ud83d", ["a📦 b�"]),
    ],
)
def test_that_ends_of_all_kinds_are_seen(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_that_the_first_sentence_comes_with_the_first_letter_after_its_end() -> None:
    judge = Judge("", BESIDE)
    assert judge.feed("A refund to UPI takes up to 2 working days.") == []
    assert [verdict.text for verdict in judge.feed(" A")] == ["A refund to UPI takes up to 2 working days."]
