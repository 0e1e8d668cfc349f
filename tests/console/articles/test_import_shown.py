"""What the import panel says, as pure functions of records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from console.articles.import_shown import (
    Import,
    ImportStatus,
    derive_files,
    derive_heading,
    derive_report,
    derive_tally,
)
from knowledge.importing import ImportProgress, ImportRow, Verdict

ROWS = (
    ImportRow("refunds.md", Verdict.REPLACED, "refunds.md was replaced.", "a", 7),
    ImportRow("price.pdf", Verdict.REFUSED, "price.pdf is not read. Save it as .md."),
    ImportRow("late.md", Verdict.UNCHANGED, "late.md is unchanged.", "b", 5),
    ImportRow("jain.md", Verdict.ADDED, "jain.md was added.", "c", 4),
)
RUNNING = Import(rows=ROWS, total=54, elapsed_s=2.0)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (Import(), "counting the files"),
        (Import(total=54), "0 of 54 files"),
        (RUNNING, "4 of 54 files, 2.0 a second, 25 s left"),
        (replace(RUNNING, status=ImportStatus.STOPPING), "4 of 54 files, 2.0 a second, 25 s left"),
        (replace(RUNNING, total=600), "4 of 600 files, 2.0 a second, 5 min left"),
        (replace(RUNNING, status=ImportStatus.DONE), "4 files in 2.0 s, 11 chunks, 2.0 a second"),
        (replace(RUNNING, status=ImportStatus.DONE, elapsed_s=0.02), "4 files in 0.1 s, 11 chunks"),
        (replace(RUNNING, status=ImportStatus.STOPPED), "stopped after 4 of 54 files"),
        (replace(RUNNING, status=ImportStatus.FAILED), "ended early after 4 of 54 files"),
        (Import(ImportStatus.STOPPED), "stopped"),
    ],
)
def test_that_the_heading_says_how_far_it_is(shown: Import, said: str) -> None:
    assert derive_heading(shown) == said


def test_that_the_fraction_is_unknown_until_files_are_counted() -> None:
    assert Import().fraction is None
    assert Import(rows=ROWS, total=8).fraction == 0.5


def test_that_refused_files_come_first_and_then_the_newest() -> None:
    files = derive_files(Import(ImportStatus.DONE, ROWS))
    assert [file.name for file in files] == ["price.pdf", "jain.md", "late.md", "refunds.md"]
    assert [(file.mark.text, file.mark.kind) for file in files] == [
        ("Refused", "error"),
        ("Added", "ok"),
        ("Unchanged", "neutral"),
        ("Replaced", "ok"),
    ]


def test_that_the_tally_leaves_out_what_there_is_none_of() -> None:
    assert derive_tally(RUNNING) == "1 added, 1 replaced, 1 unchanged, 1 refused"
    assert derive_tally(Import()) == "No file yet"
    assert derive_tally(Import(ImportStatus.FAILED)) == "No file was read"


def test_that_the_report_has_a_line_for_every_file() -> None:
    failed = replace(RUNNING, status=ImportStatus.FAILED, sentence="The index is in use.")
    lines = derive_report(failed).splitlines()
    assert lines[0].startswith("Import: ended early after 4 of 54 files. 1 added")
    assert lines[1] == "The index is in use."
    assert lines[3] == "price.pdf\trefused\tprice.pdf is not read. Save it as .md."
    assert len(lines) == 2 + len(ROWS)


def test_that_the_notes_of_a_file_follow_its_sentence() -> None:
    row = ImportRow("late.html", Verdict.ADDED, "late.html was added.", "d", 3, ("Hidden text was left out.",))
    (shown,) = derive_files(Import(ImportStatus.DONE, (row,)))
    assert shown.sentence == "late.html was added. Hidden text was left out."
    assert "late.html was added. Hidden text was left out." in derive_report(Import(ImportStatus.DONE, (row,), 1, 1.0))


def test_that_a_file_with_a_note_asks_for_a_look_before_the_others() -> None:
    noted = ImportRow("page.html", Verdict.ADDED, "Added.", "d", 3, ("Hidden text was left out.",))
    files = derive_files(Import(ImportStatus.DONE, (noted, *ROWS)))
    assert [file.name for file in files[:2]] == ["price.pdf", "page.html"]
    assert (files[1].icon, files[1].color, files[1].link) == ("warning", "warn", "Look at it")
    assert files[0].link == ""


def test_that_a_running_import_shows_its_newest_files_and_an_ended_one_all() -> None:
    rows = tuple(ImportRow(f"{n}.md", Verdict.ADDED, "Added.", str(n), 1) for n in range(1000))
    running = derive_files(Import(rows=rows))
    assert (len(running), running[0].name) == (200, "999.md")
    assert len(derive_files(Import(ImportStatus.DONE, rows))) == 1000


def test_that_files_in_work_say_how_far_they_are_until_the_import_ends() -> None:
    working = (ImportProgress("a.md", 0, 0), ImportProgress("b.md", 3, 7), ImportProgress("c.md", 1, 1))
    running = Import(rows=ROWS, working=working)
    shown = derive_files(running)
    assert [(file.name, file.mark.text) for file in shown[:4]] == [
        ("a.md", "Reading"),
        ("b.md", "Embedding"),
        ("c.md", "Checking"),
        ("price.pdf", "Refused"),
    ]
    assert shown[1].sentence == "3 of 7 chunks embedded."
    assert len({file.place for file in shown}) == len(shown)
    assert derive_files(replace(running, status=ImportStatus.STOPPED))[0].name == "price.pdf"


def test_that_a_sentence_does_not_say_again_what_stands_beside_it() -> None:
    rows = (
        ImportRow("a.md", Verdict.ADDED, "a.md was added: 3 pieces answer questions from now on.", "a", 3),
        ImportRow("b.md", Verdict.UNCHANGED, "b.md is unchanged: its article already answers questions.", "b", 3),
        ImportRow("c.pdf", Verdict.REFUSED, "c.pdf was not added. It is empty: 0 bytes. Save it again."),
    )
    said = {shown.name: shown.sentence for shown in derive_files(Import(ImportStatus.DONE, rows))}
    assert said == {
        "a.md": "3 pieces answer questions from now on.",
        "b.md": "Its article already answers questions.",
        "c.pdf": "It is empty: 0 bytes. Save it again.",
    }
