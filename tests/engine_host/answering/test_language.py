"""Telling apart the languages that the kitchen answers."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from engine_host.answering.folding import fold
from engine_host.answering.language import article_language, detect_language, statement_language


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
    ],
)
def test_that_a_question_is_in_its_language(text: str, language: str) -> None:
    assert detect_language(text) == language


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
