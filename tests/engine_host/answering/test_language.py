"""Telling apart the languages that the kitchen answers."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from engine_host.answering.folding import fold
from engine_host.answering.labelled import examples
from engine_host.answering.language import SURE, article_language, detect_language, statement_language
from engine_host.answering.leaning import Leaning


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is my dabba", "en"),
        ("", "en"),
        ("??? 123", "en"),
        ("KD-4821", "en"),
        ("my main dish is cold", "en"),
        ("do you have jain food", "en"),
        ("mera dabba kidhar hai", "hi-Latn"),
        ("refund kab milega bhai", "hi-Latn"),
        ("kahan hai", "hi-Latn"),
        ("डब्बा कहाँ है?", "hi"),
        ("मेरा ऑर्डर कब आएगा।", "hi"),
        ("आएगा।", "hi"),
        ("डबा कुठे आहे?", "mr"),
        ("माझी ऑर्डर कधी येणार", "mr"),
        ("जैन जेवण वेगळं शिजवता का?", "mr"),
        ("तुमच्याकडे स्वयंपाक शिकायचे वर्ग असतात का?", "mr"),
        ("order कहाँ है", "hi"),
        ("kab?", "hi-Latn"),
        ("aur dusra?", "hi-Latn"),
        ("dabba nighala ka tithun", "hi-Latn"),
        ("ek taas zala koni aala nahi", "hi-Latn"),
        ("order zali ka confirm", "hi-Latn"),
        ("hi", "en"),
        ("k", "en"),
        ("कूपन कसं वापरायचं", "mr"),
        ("एक विनोद सांगा", "mr"),
        ("डिलिव्हरी वाला कुठपर्यंत आलाय", "mr"),
        ("एक चुटकुला सुनाओ", "hi"),
    ],
)
def test_that_a_question_is_in_its_language(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("before", ["en", "hi", "mr", "hi-Latn"])
@pytest.mark.parametrize("text", ["KD-4821", "???", "4821", "ok KD-4821", "👍"])
def test_that_a_text_of_no_language_goes_on_in_that_of_the_turn_before(text: str, before: str) -> None:
    assert detect_language(text, before) == before


@pytest.mark.parametrize(
    ("text", "before", "language"),
    [
        ("where is my dabba", "hi-Latn", "en"),
        ("so when?", "mr", "en"),
        ("kab aayega?", "en", "hi-Latn"),
        ("कब?", "mr", "hi"),
        ("अजून?", "hi", "mr"),
        ("हाँ", "en", "hi"),
        ("KD-4821", "fr", "en"),
    ],
)
def test_that_a_text_that_speaks_for_itself_changes_the_language(text: str, before: str, language: str) -> None:
    assert detect_language(text, before) == language


def test_that_examples_are_told_apart_by_the_others() -> None:
    """Each is left out of the counts: one in fifty may be taken for the other language."""
    for first, second in (("en", "hinglish"), ("hi", "mr")):
        both = [one for one in examples() if one.language in (first, second)]
        leaning = Leaning([one.text for one in both], [one.language == second for one in both])
        wrong = [
            one.text
            for place, one in enumerate(both)
            if (leaning.of(one.text, without=place).total >= SURE) != (one.language == second)
        ]
        assert len(wrong) <= len(both) / 50, wrong


def test_that_nearly_all_labelled_questions_are_told_apart() -> None:
    folder = files("assets").joinpath("sample_kitchen")
    rows = [
        json.loads(line)
        for language in ("en", "hi", "hinglish", "mr")
        for line in folder.joinpath(f"questions.{language}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wrong = [row["question"] for row in rows if detect_language(row["question"]) != row["language"]]
    assert len(wrong) <= len(rows) * 0.02, wrong


@pytest.mark.parametrize(
    ("language", "spoken", "searched"),
    [("en", "en", "en"), ("hi", "hi", "hi"), ("mr", "mr", "mr"), ("hi-Latn", "hi-Latn", "hi"), ("fr", "en", "fr")],
)
def test_that_a_language_names_what_is_spoken_and_searched(language: str, spoken: str, searched: str) -> None:
    assert statement_language(language) == spoken
    assert article_language(language) == searched


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＫＤ－４８２１", "kd-4821"),
        ("КD–४८२१", "kd-4821"),
        ("  It’s\tON\u00a0its\nway ", "it's on its way"),
        ("pac\u00adked\u200b", "packed"),
        ("STRASSE ẞ", "strasse ss"),
    ],
)
def test_that_text_is_compared_in_one_form(text: str, folded: str) -> None:
    assert fold(text) == folded
