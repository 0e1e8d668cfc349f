from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import QuestionRefused
from knowledge.evaluate.question_files import read_questions, write_questions
from knowledge.evaluate.questions import KnownQuestion, QuestionSource, Support, names_of

if TYPE_CHECKING:
    from pathlib import Path

QUESTIONS = (
    KnownQuestion("1", "देर?", "hi", "kamala", (Support("late", "A.\nB."),), ("prices",), QuestionSource.SAMPLE),
    KnownQuestion("2", "both?", "en", "kamala", (Support("late", "A."), Support("steel", "B."))),
    KnownQuestion("3", "elephants?", "en", "kamala", source=QuestionSource.CONVERSATION, turn_id="t1"),
)


def test_that_questions_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    write_questions(path, QUESTIONS)
    assert read_questions(path) == QUESTIONS


def test_that_a_line_without_an_id_gets_the_same_one_each_time(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    line = json.dumps({"question": "q", "language": "en", "tenant": "kamala", "article": None, "passage": None})
    path.write_text(f"{line}\n\n{line}\n", encoding="utf-8")
    first, second = read_questions(path, QuestionSource.SAMPLE)
    assert first == second
    assert (first.supports, first.articles, first.source) == ((), frozenset(), QuestionSource.SAMPLE)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no", "line 2, is no question: Expecting value"),
        ('{"question": "q", "language": "en"}', "'?tenant'? is missing"),
        ('{"question": "q", "language": "en", "tenant": "t", "article": "a"}', "passage'? is missing"),
        ("[]", "is no question"),
        ('{"question": "q", "language": "en", "tenant": "t", "source": "dreams"}', "'dreams' is not a valid"),
        ('{"question": "q", "language": "en", "tenant": null}', "tenant is no text"),
        ('{"question": ["q"], "language": "en", "tenant": "t"}', "question is no text"),
        ('{"question": " ", "language": "en", "tenant": "t"}', "question is no text"),
        ("[" * 100_000, "is no question"),
    ],
)
def test_that_a_line_that_is_no_question_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(QuestionRefused, match=reason):
        read_questions(path)


def test_that_half_a_pair_in_a_question_is_made_storable(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "a\\ud800b\\u0000", "language": "en", "tenant": "t"}', encoding="utf-8")
    assert [question.text for question in read_questions(path)] == ["a\ufffdb\ufffd"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_that_a_pipe_and_a_device_which_never_end_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    for name in ("pipe.jsonl", "zero.jsonl"):
        with pytest.raises(QuestionRefused, match="not an ordinary file"):
            read_questions(tmp_path / name)


def test_that_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(QuestionRefused, match="Choose a UTF-8 file"):
        read_questions(path)


def test_that_an_article_may_be_named_without_folder_and_ending() -> None:
    assert names_of("help/late.en.md") == {"help/late.en.md", "late.en.md", "late.en"}
