"""What of an answer is passed on before its next word has begun."""

from __future__ import annotations

import itertools
import random

import pytest

from engine_host.engine.pool_text import LONGEST_WORD, WholeWords

ANSWER = "Refunds reach the account\n\n- within 5 working days.  The kitchen writes."


def told(words: WholeWords, pieces: list[str]) -> str:
    return "".join(words.feed(piece, number) for number, piece in enumerate(pieces, start=1))


def cut(text: str, seed: int) -> list[str]:
    dice = random.Random(seed)
    at = sorted({0, len(text), *(dice.randrange(len(text)) for _ in range(12))})
    return [text[a:b] for a, b in itertools.pairwise(at)]


@pytest.mark.parametrize("seed", range(20))
def test_that_the_text_is_the_same_however_it_was_split(seed: int) -> None:
    words = WholeWords()
    assert told(words, cut(ANSWER, seed)) + words.finish() == ANSWER


def test_that_the_last_word_waits_for_its_end_and_blanks_do_not() -> None:
    words = WholeWords()
    assert [words.feed(piece, None) for piece in ("Ref", "unds", " rea", "ch ", "the")] == [
        "", "", "Refunds ", "reach ", "",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_that_a_move_at_any_place_gives_the_same_text(seed: int) -> None:
    pieces, words = cut(ANSWER, seed), WholeWords()
    died_after = random.Random(seed).randrange(len(pieces))
    first = told(words, pieces[:died_after])
    begun = words.move()
    assert ANSWER.startswith(begun)
    second = told(words, cut(ANSWER[len(begun) :], seed + 1)) + words.finish()
    assert first + second == ANSWER


def test_that_tokens_are_those_of_the_words_passed_on() -> None:
    words = WholeWords()
    for number, piece in enumerate(("Ref", "unds", " reach", " the", " acc"), start=1):
        words.feed(piece, number)
    assert words.passed == "Refunds reach the "
    assert words.tokens == 4
    words.move()
    words.feed(" account", 1)
    words.feed(" within", 2)
    assert words.tokens == 5


def test_that_pieces_count_where_the_engine_counts_nothing() -> None:
    words = WholeWords()
    for piece in ("One", " two", " three"):
        words.feed(piece, None)
    assert words.tokens == 2


def test_that_a_word_without_end_is_passed_on_as_it_comes() -> None:
    words = WholeWords()
    assert words.feed("x" * LONGEST_WORD, 1) == ""
    assert words.feed("x", 2) == "x" * (LONGEST_WORD + 1)


def test_that_a_blank_before_the_whole_answer_is_passed_on_once() -> None:
    words = WholeWords()
    first = words.feed(" Ref", 1)
    assert words.move() == ""
    assert first + words.feed(" Refunds", 1) + words.finish() == " Refunds"
