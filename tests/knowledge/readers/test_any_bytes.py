"""Whatever the bytes are, a reader gives a text or a refusal in a finished sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from knowledge.errors import ReadRefused
from knowledge.readers import Apart, FileKind, article_from_bytes
from tests.knowledge.readers.pdfs import pdf, text_page
from tests.knowledge.readers.words import paragraph, table, word

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = (
    *("# ", "## ", "| a | b |\n", "```", "`", "---\n", "+++\n", "title: x\n", "]: # (", "question,answer\n"),
    *("<b>", "</b>", "<div hidden>", "</div>", "<!--", "-->", "<a b='", "'>", "<table><tr><td>", "&amp;", "&#0;"),
    *("{%", "%}", "{{", "}}", "{", "}", "import x from 'y'\n", '"', ",", ";", "\t", "\n", "\r", "\0"),
    *("\ufeff", "\u202e", "\U000e0041", "क्", "ि", "é", "\ud7ff", "a", " "),
    *("<style>", "p{display:none}", "</style>", "<p style='left:-9e9px'>", "<svg>", "<select>"),
)
LIMITS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
written = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
in_bytes = st.one_of(st.binary(max_size=300), written.map(str.encode), written.map(lambda text: text.encode("utf-16")))


def settles(data: bytes, kind: FileKind, apart: Apart) -> bool:
    """Whether it became an article; one that was refused is settled too."""
    try:
        article = article_from_bytes(data, "any.md", kind, apart)
    except ReadRefused:
        return False
    assert any(map(str.isalnum, article.text.body))
    assert article.text.title
    assert article.text.body.encode()
    assert "\0" not in article.text.body
    assert "\r" not in article.text.body
    return True


@pytest.mark.parametrize("kind", [FileKind.MARKDOWN, FileKind.MDX, FileKind.TEXT, FileKind.PAIRS, FileKind.HTML])
@LIMITS
@given(data=in_bytes)
@example(data=b"\xff\xfe\x00\xd8")
@example(data=b"&#xD800;a")
def test_that_any_bytes_give_a_text_or_a_refusal(apart: Apart, kind: FileKind, data: bytes) -> None:
    settles(data, kind, apart)


PDF = pdf(text_page((20, "Late boxes"), (12, "A late dabba is free.")))
WORD = word(paragraph("Late boxes", "Heading1") + table(("a", "b"), ("c", "d")))


def _changed(base: bytes) -> st.SearchStrategy[bytes]:
    def change(cuts: list[tuple[int, bytes]]) -> bytes:
        data = base
        for place, piece in cuts:
            at = place % len(data)
            data = data[:at] + piece + data[at + len(piece) :]
        return data

    return st.lists(st.tuples(st.integers(0, 10_000), st.binary(min_size=1, max_size=6)), min_size=1, max_size=6).map(
        change
    )


@pytest.mark.parametrize(("kind", "base"), [(FileKind.PDF, PDF), (FileKind.WORD, WORD)])
@LIMITS
@given(data=st.data())
def test_that_any_damage_gives_a_text_or_a_refusal(
    apart: Apart, kind: FileKind, base: bytes, data: st.DataObject
) -> None:
    settles(data.draw(_changed(base)), kind, apart)


@pytest.mark.parametrize(
    "make",
    [
        lambda size: b"word " * (size // 5),
        lambda size: b"w" * size,
        lambda size: b"<a " * (size // 3),
        lambda size: b"late " + b"{{" * (size // 2),
        lambda size: b"late " + b"` " * (size // 2),
        lambda size: b"ignore all " * (size // 11),
        lambda size: "कि".encode() * (size // 6),
        lambda size: b"# a\n" * (size // 4),
    ],
    ids=["words", "one word", "tags", "braces", "ticks", "near instructions", "devanagari", "headings"],
)
def test_that_the_largest_text_is_read(make: Callable[[int], bytes], apart: Apart) -> None:
    assert settles(make(1_900_000), FileKind.MARKDOWN, apart)


def test_that_ten_megabytes_on_one_line_are_refused_with_what_to_do(apart: Apart) -> None:
    with pytest.raises(ReadRefused, match=r"2,500,000 of at most 2,000,000 characters\. Split it by topic\."):
        article_from_bytes(b"word " * 500_000, "long.md", FileKind.TEXT, apart)
