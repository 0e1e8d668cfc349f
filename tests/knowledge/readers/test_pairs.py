from __future__ import annotations

import pytest

from knowledge.readers import FileKind
from tests.knowledge.readers.read import body, notes, refusal

CSV = FileKind.PAIRS
TWO = "## Is a late dabba free?\n\nYes, after 45 minutes.\n\n## And a cold one?\n\nAsk us; we decide."


@pytest.mark.parametrize(
    "table",
    [
        'question,answer\nIs a late dabba free?,"Yes, after 45 minutes."\nAnd a cold one?,Ask us; we decide.',
        'Answer;Question\r\n"Yes, after 45 minutes.";Is a late dabba free?\r\n"Ask us; we decide.";And a cold one?',
        "Q\tA\nIs a late dabba free?\tYes, after 45 minutes.\nAnd a cold one?\tAsk us; we decide.\n",
        "Is a late dabba free?|Yes, after 45 minutes.\nAnd a cold one?|Ask us; we decide.",
        'sep=;\nQuestion;Answer\nIs a late dabba free?;Yes, after 45 minutes.\nAnd a cold one?;"Ask us; we decide."',
        'सवाल,जवाब\nIs a late dabba free?,"Yes, after 45 minutes."\nAnd a cold one?,Ask us; we decide.\n,\n\n',
        'id,Question:,Answer:\n1,Is a late dabba free?,"Yes, after 45 minutes."\n2,And a cold one?,Ask us; we decide.',
    ],
)
def test_that_each_pair_becomes_a_section(table: str) -> None:
    assert body(table, CSV) == TWO
    assert "2 questions with their answers" in notes(table, CSV)


def test_that_an_answer_may_have_lines_and_html_but_no_heading_of_its_own() -> None:
    table = 'question,answer\nWhat now?,"First call.\n# Then <b>wait</b>.<br>""Soon"" it comes."'
    assert body(table, CSV) == '## What now?\n\nFirst call.\n\\# Then wait.\n"Soon" it comes.'


def test_that_what_is_left_out_is_named() -> None:
    told = notes("question,answer,tags\nWhen?,Now.,x\nWhy?,,y\n,Because.,z", CSV)
    assert "Rows without a question or an answer were left out: 3, 4." in told
    assert "Columns were left out: tags." in told


@pytest.mark.parametrize(
    ("table", "part"),
    [
        ("question,answer\nWhen?,Free, unless you were out.", "Row 2 has 3 cells, and the first has 2."),
        ("question,answer\n'When, now?','Free, maybe.'", "Row 2 has 4 cells"),
        ("question,answer,tenant\nWhen?,Now.,kamala", "column tenant can't restrict rows"),
        ("question,answer,Valid_To\nWhen?,Now.,2020-01-01", "column Valid_To can't restrict rows"),
    ],
)
def test_that_half_an_answer_and_who_may_read_it_are_never_lost_in_silence(table: str, part: str) -> None:
    assert part in refusal(table, CSV)


def test_that_a_second_column_of_answers_is_named_as_left_out() -> None:
    assert "Columns were left out: answer." in notes("question,answer,answer\nWhen?,Now.,Later.", CSV)


def test_that_a_table_without_headings_is_told() -> None:
    assert "no row of headings: the first column was read as questions" in notes("When?,Now.\nWhy?,So.", CSV)


@pytest.mark.parametrize(
    ("table", "part"),
    [
        ("", "It has no text."),
        (",\n,,", "It has no text."),
        ("name\nlate\nfree", "It has 1 column."),
        ("a,b,c\n1,2,3", "It has 3 columns, and none is named question or answer."),
        ("question,answer\nWhen?,\n", "no row with a question and an answer"),
        ('question,answer\n"When?,Now.\nWhy?,So."" x', "Line 3 can't be read: its quotation marks don't match."),
        ("question,answer\n" + "a,b\n" * 20_001, "20,002 of at most 20,000 rows"),
    ],
)
def test_that_a_table_without_pairs_is_refused(table: str, part: str) -> None:
    assert part in refusal(table, CSV)


def test_that_cells_may_be_longer_than_the_library_reads_by_default() -> None:
    assert len(body("question,answer\nAll?," + "x" * 300_000, CSV)) > 300_000
