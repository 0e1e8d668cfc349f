"""The log stays bounded, counts what it shows and finds what is searched."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from console.engine.log_book import MOST_ROWS, TRIM, LogBook, fold
from console.engine.log_lines import clock_of, read_line

INFO = "(APIServer pid=21414) INFO 11-30 10:04:18 [model.py:733] Resolved architecture: LlamaForCausalLM"
WARN = "(Worker pid=21829) WARNING 11-30 10:05:08 [cpu_worker.py:114] libiomp is not found"


@pytest.mark.parametrize(
    ("line", "time", "level", "text"),
    [
        (INFO, "10:04:18", "INFO", "Resolved architecture: LlamaForCausalLM"),
        (WARN, "10:05:08", "WARN", "libiomp is not found"),
        ("ERROR 11-30 10:05:08 [core.py:1] died", "10:05:08", "ERROR", "died"),
        ("INFO:     Application startup complete.", "", "INFO", "Application startup complete."),
        ("/x/y.py:24: DeprecationWarning: is deprecated", "", "WARN", "/x/y.py:24: DeprecationWarning: is deprecated"),
        ("torch.OutOfMemoryError: no memory", "", "ERROR", "torch.OutOfMemoryError: no memory"),
        ("Triton is installed", "", "", "Triton is installed"),
        ("  \tindented", "", "", "      indented"),
    ],
)
def test_that_a_line_tells_its_time_level_and_words(line: str, time: str, level: str, text: str) -> None:
    entry = read_line(line)
    assert entry is not None
    assert (entry.time, entry.level, entry.text, entry.raw) == (time, level, text, line)


@pytest.mark.parametrize(
    ("machine", "shown"), [("UTC", "15:34:18"), ("Asia/Kolkata", "10:04:18"), ("America/New_York", "20:34:18")]
)
def test_that_the_time_of_the_machine_is_shown_as_that_of_the_kitchen(machine: str, shown: str) -> None:
    entry = read_line(INFO, clock_of(ZoneInfo("Asia/Kolkata"), ZoneInfo(machine), 2026))
    assert entry is not None
    assert (entry.time, entry.raw) == (shown, INFO)


def test_that_a_day_that_this_year_lacks_keeps_its_time() -> None:
    clock = clock_of(ZoneInfo("Asia/Kolkata"), ZoneInfo("UTC"), 2026)
    assert clock("02-29 10:04:18") == "10:04:18"


@pytest.mark.parametrize("line", ["", "   ", "(APIServer pid=1) INFO 11-30 10:04:18 [api_utils.py:347] "])
def test_that_an_empty_line_is_left_out(line: str) -> None:
    assert read_line(line) is None


def test_that_a_long_line_is_folded_at_spaces_and_loses_nothing_but_them() -> None:
    text = "alpha beta gamma delta epsilon zeta"
    rows = fold(text, 12)
    assert " ".join(text[begin:end] for begin, end in rows) == text
    assert all(end - begin <= 12 for begin, end in rows)


def test_that_a_very_long_line_takes_a_bounded_number_of_rows() -> None:
    assert len(fold("x" * 5000, 40)) == MOST_ROWS


def test_that_each_level_is_counted_and_shown_alone() -> None:
    book = LogBook()
    book.add([INFO, WARN, INFO, "ValueError: bad"])
    assert book.counts == {"all": 4, "warn": 1, "error": 1}
    book.set_filter("warn")
    assert [book.entry(row.number).raw for row in book.rows] == [WARN]
    book.add([WARN, INFO])
    assert len(book.rows) == 2


def test_that_the_oldest_lines_leave_when_the_limit_is_passed() -> None:
    book = LogBook(limit=2 * TRIM)
    book.set_search("line 5")
    book.add(f"line {number}" for number in range(2 * TRIM))
    change = book.add(["line last"])
    assert (change.removed, change.added) == (TRIM, 1)
    assert book.entries[0].text == f"line {TRIM}"
    assert book.counts["all"] == len(book.rows) == TRIM + 1
    assert all(book.entry(hit.number).text.startswith("line 5") for hit in book.hits) or not book.hits


def test_that_a_search_finds_every_place_in_any_case_and_follows_new_lines() -> None:
    book = LogBook()
    book.add(["Compile and compile", "nothing"])
    book.set_search("COMPILE")
    assert [(hit.number, hit.begin) for hit in book.hits] == [(0, 0), (0, 12)]
    book.add(["compile"])
    assert len(book.hits) == 3
    assert book.hits_of(2) == (book.hits[-1],)
    book.set_search("")
    assert book.hits == []


def test_that_a_hit_in_a_folded_line_names_the_row_that_shows_it() -> None:
    book = LogBook(columns=20)
    book.add(["aaaa bbbb cccc dddd eeee ffff target here"])
    book.set_search("target")
    row = book.rows[book.row_of(book.hits[0])]
    assert row.begin <= book.hits[0].begin < row.end


def test_that_another_width_folds_all_lines_again() -> None:
    book = LogBook(columns=80)
    book.add(["word " * 20])
    assert len(book.rows) == 2
    assert book.set_columns(30)
    assert len(book.rows) > 2
    assert not book.set_columns(30)


def test_that_a_cleared_book_begins_with_new_numbers() -> None:
    book = LogBook()
    book.add([INFO])
    book.clear()
    book.add([WARN])
    assert book.entry(book.rows[0].number).raw == WARN
    assert book.counts == {"all": 1, "warn": 1, "error": 0}


def test_that_the_end_of_a_log_is_told_by_its_errors_else_by_its_last_lines() -> None:
    book = LogBook()
    book.add(("plain one", "plain two"))
    assert book.last_told(2) == ("plain one", "plain two")
    book.add((WARN, "ERROR 11-30 10:05:08 [core.py:1] " + "died of this " * 20, "ValueError: no", INFO))
    assert [line[:8] for line in book.last_told(2)] == ["died of ", "ValueErr"]
    assert all(len(line) <= 110 for line in book.last_told(2))
