from __future__ import annotations

from dataclasses import replace

import pytest

from console.bench.help.figures import REPEATED, figures_of, reasons_of, wrongly_withheld
from console.bench.help.turns import Answered, HelpTurn, WrittenSentence
from knowledge.evaluate import KnownQuestion, Support

ANSWER = "A box more than 45 minutes late is free."
GIVEN = (ANSWER, "The desk answers the phone.")
KNOWN = KnownQuestion("1", "is it free when it is very late", "en", "kamala", (Support("late.en", ANSWER),))
OPEN = KnownQuestion("2", "who are you", "hi", "kamala")
TURN = HelpTurn(KNOWN, Answered.GENERATED, ("x",), (), GIVEN, found_right=True, searched=True, ttft_ms=None)


def test_that_answers_are_counted_by_language_and_refusals_in_all() -> None:
    turns = [
        TURN,
        replace(TURN, answered=Answered.QUOTED),
        replace(TURN, answered=Answered.WRONG, found_right=False),
        replace(TURN, answered=Answered.UNKNOWN, searched=False),
        replace(TURN, question=replace(OPEN, language="en"), answered=Answered.WRONG),
        replace(TURN, question=OPEN, answered=Answered.UNKNOWN),
    ]
    figures = figures_of(turns)
    assert (figures["en_right"], figures["en_generated"], figures["en_quoted"]) == (0.5, 0.25, 0.25)
    assert (figures["en_wrong"], figures["en_unknown"], figures["en_found"]) == (0.25, 0.25, 0.75)
    assert figures["en_searched"] == 0.75
    assert (figures["en_refused"], figures["hi_refused"], figures["refused"]) == (0.0, 1.0, 0.5)
    assert figures["hi_right"] is None


def test_that_supported_sentences_and_answers_that_were_withheld_are_counted() -> None:
    written = (
        WrittenSentence("A box more than 45 minutes late is free."),
        WrittenSentence("A box 45 minutes late is free.", "it leaves out a limit that the passage sets: more"),
        WrittenSentence("The desk answers the phone."),
        WrittenSentence("We deliver to the moon every night.", "the passage does not say moon, night"),
        WrittenSentence("A box more than 45 minutes late is free.", REPEATED),
    )
    turns = [replace(TURN, written=written, ttft_ms=100.0), replace(TURN, ttft_ms=300.0)]
    figures = figures_of(turns)
    assert (figures["sentences"], figures["withheld"], figures["supported"]) == (4, 0.5, 0.75)
    assert figures["supported_withheld"] == pytest.approx(1 / 3)
    assert (figures["answers"], figures["answers_withheld"]) == (2, 0.5)
    assert figures["ttft_p50_ms"] == 200
    assert [sentence.text for _, sentence in wrongly_withheld(turns)] == ["A box 45 minutes late is free."]


def test_that_reasons_are_counted_by_their_kind() -> None:
    written = [
        WrittenSentence("a", "the passage does not say moon"),
        WrittenSentence("b", "the passage does not say fee, tax"),
        WrittenSentence("c", "12 is not in the passage's sentence about this"),
        WrittenSentence("d", "9, 10 is not in the passage's sentence about this"),
        WrittenSentence("e"),
    ]
    assert reasons_of(written) == {
        "the passage does not say …": 2,
        "something is not in the passage's sentence about this": 2,
    }
