from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knowledge.chunking import ChunkLimits, chunk, embedded_sentences, embedded_text, line_above
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from knowledge.article import Chunk

LIMITS = ChunkLimits(max_tokens=30, overlap_tokens=8)


def count_words(text: str) -> int:
    return len(text.split()) + 2


def count_letters(text: str) -> int:
    return len(text)


def chunks_of(body: str, limits: ChunkLimits = LIMITS, title: str = "Refunds") -> tuple[Chunk, ...]:
    return chunk(article_text(body, title=title), count_words, limits)


def sentence(number: int) -> str:
    return f"Sentence number {number} has just seven words."


def test_that_each_section_has_its_own_pieces_with_the_headings_above() -> None:
    found = chunks_of("Intro.\n\n# Cards\n\nFive days.\n\n## Debit\n\nSeven days.")
    assert [(c.heading_path, c.text) for c in found] == [
        ((), "Intro."),
        (("Cards",), "Five days."),
        (("Cards", "Debit"), "Seven days."),
    ]


def test_that_a_first_heading_equal_to_the_title_is_not_said_twice() -> None:
    assert chunks_of("# Refunds\n\n## Cards\n\nFive days.")[0].heading_path == ("Cards",)


def test_that_title_and_headings_are_embedded_and_counted() -> None:
    (piece,) = chunks_of("# Cards\n\nFive days.")
    text = embedded_text("Refunds", piece, count_words, LIMITS)
    assert text == "Refunds › Cards\nFive days."
    assert piece.tokens == count_words(text)


def test_that_a_title_too_long_for_the_limit_leaves_room_for_the_text() -> None:
    (piece,) = chunks_of("# Cards\n\nFive days.", title="word " * 40)
    assert embedded_text("word " * 40, piece, count_words, LIMITS) == "Cards\nFive days."


def test_that_paragraphs_are_kept_whole_when_they_fit() -> None:
    first, second = " ".join(map(sentence, range(3))), " ".join(map(sentence, range(3, 6)))
    assert [c.text for c in chunks_of(f"{first}\n\n{second}", ChunkLimits(30, 0))] == [first, second]


def test_that_neighbours_share_whole_sentences_within_the_overlap() -> None:
    found = chunks_of(" ".join(map(sentence, range(6))), ChunkLimits(30, 9))
    numbers = [re.findall(r"number (\d)", c.text) for c in found]
    assert numbers == [["0", "1", "2"], ["2", "3", "4"], ["4", "5"]]
    assert all(c.text.startswith("Sentence") and c.text.endswith(".") for c in found)


def test_that_nothing_is_shared_between_sections_or_without_an_overlap() -> None:
    body = " ".join(map(sentence, range(4)))
    found = chunks_of(f"{body}\n\n# Next\n\n{body}", ChunkLimits(30, 0))
    assert "".join(c.text for c in found).count("number 3") == 2


def test_that_a_long_list_is_cut_between_items_only() -> None:
    items = [f"- item {n} with some more words in it" for n in range(8)]
    found = chunks_of("\n".join(items), ChunkLimits(30, 0))
    assert len(found) > 1
    assert [line for c in found for line in c.text.splitlines()] == items


def test_that_a_table_row_is_never_cut_when_it_fits() -> None:
    rows = ["| box | price |", "|---|---|", *(f"| kind number {n} of them | Rs {n} |" for n in range(12))]
    found = chunks_of("\n".join(rows), ChunkLimits(30, 4))
    assert [line for c in found for line in c.text.splitlines()] == rows


def test_that_a_code_block_longer_than_the_limit_is_cut_at_white_space() -> None:
    found = chunks_of("```\n" + "\n".join(f"line {n} of the code" for n in range(20)) + "\n```")
    assert len(found) > 1
    assert all(c.tokens <= LIMITS.max_tokens for c in found)


def test_that_a_word_longer_than_the_limit_is_cut_by_letters() -> None:
    found = chunk(article_text("x" * 500, title="T"), count_letters, ChunkLimits(100, 10))
    assert "".join(c.text for c in found) == "x" * 500
    assert all(c.tokens <= 100 for c in found)


@pytest.mark.parametrize(("most", "overlap"), [(4, 0), (30, 30), (30, -1)])
def test_that_impossible_limits_are_refused(most: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        ChunkLimits(most, overlap)


WORDS = st.sampled_from(["box", "Rs. 140", "dabba.", "डब्बा", "है।", "late?", "- a", "| b |", "```", "x" * 40, "1."])
SIGNS = ["", "", "# One", "## Two", "### Three", "#", "---", "===", "- item", "| a | b |", "```", "    code"]
LINES = st.one_of(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), st.sampled_from(SIGNS))


def words_outside(body: str, pieces: tuple[Chunk, ...]) -> set[str]:
    rest = list(body)
    for piece in pieces:
        rest[piece.start : piece.end] = " " * (piece.end - piece.start)
    return set(re.findall(r"\w+", "".join(rest)))


def words_in(pieces: tuple[Chunk, ...]) -> set[str]:
    return {word for piece in pieces for word in re.findall(r"\w+", " ".join(piece.heading_path))}


@example(body="    code\n---", most=12, share=0.0)
@given(body=st.lists(LINES, max_size=25).map("\n".join), most=st.integers(12, 80), share=st.floats(0, 0.9))
def test_that_any_body_is_covered_by_exact_pieces_within_the_limits(body: str, most: int, share: float) -> None:
    limits = ChunkLimits(most, int(most * share))
    found = chunk(article_text(body), count_words, limits)
    for piece in found:
        assert body[piece.start : piece.end] == piece.text
        assert piece.text == piece.text.strip()
        assert piece.text
        assert piece.tokens == count_words(embedded_text("Refunds", piece, count_words, limits))
        assert piece.tokens <= limits.max_tokens
        above = line_above("Refunds", piece.heading_path, count_words, limits)
        assert all(count_words(one) <= piece.tokens for one in embedded_sentences(above, piece.text))
    assert words_outside(body, found) <= words_in(found)
    assert [piece.ordinal for piece in found] == list(range(len(found)))
    assert [piece.end for piece in found] == sorted(piece.end for piece in found)


@given(text=st.text(max_size=400))
def test_that_no_text_breaks_the_cutting(text: str) -> None:
    for piece in chunk(article_text(text, title="T"), count_letters, ChunkLimits(40, 10)):
        assert text[piece.start : piece.end] == piece.text
        assert piece.tokens <= 40


@pytest.mark.parametrize("unit", ["word ", "long" * 40, "A sentence. ", "- item\n"])
def test_that_the_work_grows_with_the_text_and_not_faster(unit: str) -> None:
    def letters_counted(times: int) -> int:
        lengths: list[int] = []

        def count(text: str) -> int:
            lengths.append(len(text))
            return len(text) // 5

        assert chunk(article_text(unit * times), count, LIMITS)
        return sum(lengths)

    assert letters_counted(1600) < 2.5 * letters_counted(800)


def test_that_each_sentence_is_embedded_below_its_nearest_heading() -> None:
    assert embedded_sentences("Steel boxes › Deposit", "It is Rs. 250. Once only.") == [
        "Deposit\nIt is Rs. 250.",
        "Deposit\nOnce only.",
    ]
    assert embedded_sentences("", "Alone.") == ["Alone."]
    assert embedded_sentences("Deposit", "") == []
