"""The watched folder on the Articles page."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from console.articles.watch_shown import derive_watch_files, derive_watch_line, derive_watch_tally
from knowledge.importing import Verdict
from knowledge.watching_state import WatchRow, WatchState, WatchStatus
from storage.settings import load_settings
from tests.console.articles.kitchen import ZONE
from tests.console.articles.made import NOW

if TYPE_CHECKING:
    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk

FOLDER = Path("/srv/help")
ROWS = (
    WatchRow("new.md", Verdict.ADDED, "new.md was added.", NOW, "n"),
    WatchRow("late.md", Verdict.REPLACED, "late.md was replaced.", NOW, "l"),
    WatchRow("scan.pdf", Verdict.REFUSED, "It needs OCR.", NOW),
    WatchRow("first.md", Verdict.ADDED, "first.md was added.", NOW - timedelta(days=1), "f"),
    WatchRow("old.md", None, "old.md is gone.", NOW - timedelta(days=1), "o"),
)
WATCHING = WatchState(FOLDER, WatchStatus.WATCHING, files=4, others=2, rows=ROWS)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (WatchState(FOLDER), "Looking at /srv/help…"),
        (WatchState(FOLDER, WatchStatus.WATCHING), "Watching /srv/help: 0 files."),
        (WATCHING, "Watching /srv/help: 4 files. 2 taken in at 12:41, 1 refused, 1 gone."),
        (replace(WATCHING, rows=ROWS[3:4], files=1), "Watching /srv/help: 1 file. 1 taken in on 29 Nov."),
        (
            replace(WATCHING, status=WatchStatus.TAKING_IN, done=3, total=54),
            "Watching /srv/help: 3 of 54 files taken in…",
        ),
        (replace(WATCHING, status=WatchStatus.STUCK, trouble="It can't be read."), "It can't be read."),
    ],
)
def test_that_the_line_says_what_is_true_of_the_folder(state: WatchState, said: str) -> None:
    shown = derive_watch_line(state, NOW, ZONE)
    assert shown is not None
    assert shown.text == said


def test_that_there_is_no_line_without_a_folder() -> None:
    assert derive_watch_line(WatchState(), NOW, ZONE) is None


def test_that_what_asks_for_something_comes_first_and_only_articles_that_are_there_can_be_looked_at() -> None:
    files = derive_watch_files(WATCHING, {"n", "o"})
    assert [(file.name, file.mark.text, file.link) for file in files] == [
        ("scan.pdf", "Refused", ""),
        ("old.md", "Gone", "Look at it"),
        ("new.md", "Added", "Look at it"),
        ("late.md", "Replaced", ""),
        ("first.md", "Added", ""),
    ]
    assert derive_watch_tally(WATCHING) == "2 added, 1 replaced, 1 refused, 1 gone; 2 of other kinds left alone"
    assert derive_watch_tally(WatchState(FOLDER)) == "No file yet"


def test_that_a_folder_chosen_on_the_page_is_watched_and_kept_in_the_settings(desk: Desk, page: ArticlesPage) -> None:
    assert not page.shelf.watch_line.isVisible()
    desk.write("late.md", "A late box is free.")
    page.adding.watch_named.emit(desk.articles)

    desk.until(lambda: [row.title for row in page.table.table.shown()] == ["Late"])
    desk.until(lambda: "1 taken in" in page.shelf.watch_line.words.text())
    assert load_settings(desk.home).knowledge.watched_path == desk.articles
    assert desk.notices[-1].fact.endswith("is watched: what is put there becomes an article by itself.")

    assert not page.shelf.watch_panel.isVisible()
    page.shelf.watch_line.show_files.click()
    assert page.shelf.watch_panel.isVisible()
    page.shelf.watch_panel.end.click()
    desk.until(lambda: not page.shelf.watch_line.isVisible())
    assert not page.shelf.watch_panel.isVisible()
    assert load_settings(desk.home).knowledge.watched_folder is None
    assert len(page.table.table.shown()) == 1


def test_that_the_rows_of_an_import_take_the_place_of_the_watched_files(desk: Desk, page: ArticlesPage) -> None:
    desk.write("late.md", "A late box is free.")
    page.adding.watch_named.emit(desk.articles)
    desk.until(lambda: page.watching.state.folder is not None)
    page.watching.toggle()
    assert page.shelf.watch_panel.isVisible()
    page.presenter.add([desk.articles])
    assert not page.shelf.watch_panel.isVisible()
    desk.until(lambda: not page.presenter.importing.runs)
    page.presenter.importing.close()
    assert page.shelf.watch_panel.isVisible()


def test_that_a_folder_that_is_not_there_is_told_on_the_page(desk: Desk, page: ArticlesPage) -> None:
    page.watching.watch(desk.articles / "nowhere")
    desk.until(lambda: "can't be read" in page.shelf.watch_line.words.text())
