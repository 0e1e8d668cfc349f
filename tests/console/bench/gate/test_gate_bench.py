"""The gate bench's judge: shares, times and delays from a handful of sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from console.bench.gate.bench import TIME_TARGETS, VERDICT_TARGETS, delay_figures, time_figures, verdict_figures
from console.bench.gate.labelled import Labelled, Verdict, article_title, is_released, labelled_sentences
from console.bench.gate.timing import Timed, answers, delay_of_the_first, timed
from console.bench.report import judge

if TYPE_CHECKING:
    from pathlib import Path

PASSAGE = "A refund to UPI takes up to 2 working days. A refund to a wallet balance is made at once."
TRUE = "UPI refunds take up to 2 working days."


def row(sentence: str, supported: bool = True, kind: str = "near", passage: str = PASSAGE) -> Labelled:
    return Labelled("refunds-and-cancellations.en", "how long", passage, sentence, supported, kind)


def test_that_the_shares_are_of_the_sentences_they_name() -> None:
    judged = [
        Verdict(row(TRUE), True),
        Verdict(row(TRUE), False),
        Verdict(row(PASSAGE, kind="verbatim"), True),
        Verdict(row("Your refund was sent.", False, "order claim"), False),
        Verdict(row("It takes 3 days.", False, "number"), True),
        Verdict(row("It takes 2 hours.", False, "unit"), False),
    ]
    figures = verdict_figures(judged)
    assert figures["verbatim_withheld"] == 0
    assert figures["paraphrase_withheld"] == 0.5
    assert figures["order_claims_released"] == 0
    assert figures["unsupported_released"] == 0.5
    assert figures["released_number"] == 1
    assert figures["released_unit"] == 0
    assert (figures["verbatim"], figures["paraphrases"], figures["unsupported"]) == (1, 2, 3)


@pytest.mark.parametrize(
    ("sentence", "verbatim"),
    [
        (PASSAGE, True),
        ("**A refund to UPI takes up to 2 working days.**", True),
        ("[1] A refund to a wallet balance is made at once.", True),
        (TRUE, False),
        ("A refund to UPI takes up to 2 working days. A refund to a wallet is made at once.", False),
    ],
)
def test_that_a_sentence_is_verbatim_when_all_of_it_stands_in_the_passage(sentence: str, verbatim: bool) -> None:
    assert row(sentence).is_verbatim is verbatim


def test_that_nothing_measured_holds_no_target() -> None:
    figures = time_figures([]) | delay_figures([]) | verdict_figures([])
    result = judge("gate", figures, {**TIME_TARGETS, **VERDICT_TARGETS})
    assert not any(result.holds.values())


def test_that_times_are_shares_of_all_sentences() -> None:
    figures = time_figures([Timed(5, (1, 2), (1, 1)), Timed(7, (3, 40), (1, 1))])
    assert figures["sentence_ms_p50"] == 3
    assert figures["sentence_ms_p95"] == 40
    assert figures["first_sentence_ms_p95"] == 3
    assert figures["passages_ms_p95"] == 7
    assert figures["sentences"] == 4


def test_that_a_sentence_is_released_only_as_a_whole() -> None:
    assert is_released(row(TRUE))
    assert not is_released(row(f"{TRUE} Your refund was sent."))
    assert not is_released(row("A refund to UPI takes up to 7 working days.", False, "number"))


def test_that_an_answer_is_made_of_one_passage_with_others_beside_it() -> None:
    rows = [row(TRUE), row("Wallet refunds are made at once."), row("Boxes have lids.", passage="Boxes have lids.")]
    first, second = answers(rows)
    assert first.sentences == (TRUE, "Wallet refunds are made at once.")
    assert [passage.text for passage in first.passages] == [PASSAGE, "Boxes have lids."]
    assert second.passages[0].text == "Boxes have lids."
    assert len(timed(first).sentences) == len(timed(first).cpu) == 2


def test_that_the_first_sentence_comes_at_most_one_sentence_late() -> None:
    (answer,) = answers(
        [row("A refund to UPI takes up to 2 working days."), row("A refund to a wallet is made at once.")]
    )
    assert delay_of_the_first(answer) == 1
    (withheld,) = answers([row("The moon is made of cheese.")])
    assert delay_of_the_first(withheld) is None
    assert delay_figures([answer, withheld])["first_sentence_delay"] == 1


def test_that_labelled_sentences_are_read_from_a_folder(tmp_path: Path) -> None:
    line = {"article": "a.en", "question": "q", "passage": "p", "sentence": "s", "supported": True, "kind": "near"}
    (tmp_path / "dev.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert labelled_sentences("dev", tmp_path) == (Labelled("a.en", "q", "p", "s", True, "near"),)
    assert labelled_sentences("heldout", tmp_path) == ()
    assert article_title("prices.en") == "Prices"
    assert article_title("a.en") == ""
