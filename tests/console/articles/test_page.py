"""The page as a person uses it, over a real library with a fake embedder."""

from __future__ import annotations

import threading
import zipfile
from typing import TYPE_CHECKING

from filelock import FileLock
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton

from console.articles.article_pane import TEXT
from console.articles.import_shown import ImportStatus
from knowledge.article import ArticleStatus
from knowledge.evaluate.book import QuestionBook
from knowledge.index import PassageIndex

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest
    from pytestqt.qtbot import QtBot

    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk


def titles(page: ArticlesPage) -> list[str]:
    return [row.title for row in page.table.table.shown()]


def import_ended(page: ArticlesPage) -> bool:
    return page.presenter.importing.state is not None and not page.presenter.importing.runs


def status(page: ArticlesPage) -> ImportStatus | None:
    state = page.presenter.importing.state
    return state.status if state else None


def test_that_an_empty_library_shows_what_to_do(page: ArticlesPage) -> None:
    assert page.empty.isVisible()
    assert not page.table.isVisible()
    assert page.empty.add_folder.text() == "Add a folder…"


def test_that_articles_are_listed_by_state_with_counts(filled: ArticlesPage) -> None:
    assert titles(filled) == ["GST invoices", "Refunds", "Deposit"]
    assert not filled.empty.isVisible()
    texts = [button.text() for button in filled.table.segment.findChildren(QToolButton)]
    assert texts == ["All 3", "Published 2", "Not yet valid 1"]


def test_that_the_first_article_is_shown_without_being_asked_for(desk: Desk, filled: ArticlesPage) -> None:
    desk.until(lambda: filled.presenter.state.chunks is not None)
    assert filled.pane.title.text() == "GST invoices"
    assert filled.table.table.picked_record is not None


def test_that_a_segment_and_a_filter_narrow_the_table(qtbot: QtBot, filled: ArticlesPage) -> None:
    segment = filled.table.segment
    qtbot.mouseClick(segment._buttons["not yet valid"], Qt.MouseButton.LeftButton)
    assert titles(filled) == ["Deposit"]
    filled.presenter.choose_segment("all")
    qtbot.keyClicks(filled.table.filter, "two days")
    assert titles(filled) == ["Refunds"]
    qtbot.keyClicks(filled.table.filter, "xyz")
    assert filled.table.nothing.isVisible()
    filled.table.nothing.acted.emit()
    assert len(titles(filled)) == 3


def test_that_ctrl_f_focuses_the_filter(qtbot: QtBot, filled: ArticlesPage) -> None:
    qtbot.waitExposed(filled)
    filled.activateWindow()
    filled.table.table.setFocus()
    qtbot.keyClick(filled, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert filled.table.filter.hasFocus()


def test_that_picking_a_row_shows_its_text_and_chunks(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    desk.until(lambda: len(filled.pane.chunks.views) == 2)
    assert filled.pane.title.text() == "Refunds"
    assert filled.pane.tabs.tabText(1) == "Chunks 2"
    assert [view.chunk.heading for view in filled.pane.chunks.views] == ["1 Before the first heading", "2 Late"]
    filled.pane.tabs.setCurrentIndex(TEXT)
    lines = filled.pane.text.toPlainText().splitlines()
    assert lines == ["Money comes back in two days.", "Late", "A late box is free."]


def test_that_an_article_asked_for_before_the_list_is_read_is_shown(desk: Desk, page: ArticlesPage) -> None:
    page.show_article("late.en")
    desk.fill(desk.write("a.en.md", "First.", title="A"), desk.write("late.en.md", "Late.", title="When late"))
    desk.until(lambda: page.pane.title.text() == "When late")


def test_that_typing_a_question_shows_what_the_bot_would_get(desk: Desk, filled: ArticlesPage) -> None:
    filled.search("is a late box free")
    desk.until(lambda: filled.search_panel.hits.shown() != ())
    best = filled.search_panel.hits.shown()[0]
    assert (best.title, best.heading, best.given) == ("Refunds", "Late", True)
    assert "threshold of 0.30" in filled.search_panel.footer.text()
    assert "2 chunks searched" in filled.search_panel._unit.text()


def test_that_another_tenant_is_asked_for_at_once(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    filled.search("invoices name the office")
    desk.until(lambda: filled.presenter.searching.found is not None)
    gst = next(hit for hit in filled.search_panel.hits.shown() if hit.title == "GST invoices")
    assert (gst.hidden, gst.given, gst.why) == (True, False, "not shown: other tenant")
    filled.search_panel.tenant.set_key("meridian")
    filled.search_panel.tenant.chosen.emit("meridian")
    desk.until(lambda: [hit.title for hit in filled.search_panel.hits.shown()][:1] == ["GST invoices"])


def test_that_a_result_opens_its_article_at_the_chunk(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    filled.table.filter.setText("gst")
    filled.search("is a late box free")
    desk.until(lambda: filled.search_panel.hits.shown() != ())
    hits = filled.search_panel.hits
    cell = hits.visualRect(hits.model().index(0, 1)).center()
    qtbot.mouseClick(hits.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    desk.until(lambda: filled.pane.title.text() == "Refunds" and len(filled.pane.chunks.views) == 2)
    desk.until(lambda: filled.pane.chunks.views[1].property("fill") == "accent-tint")
    assert filled.table.filter.text() == ""


def test_that_a_search_of_a_locked_index_says_so(
    desk: Desk, page: ArticlesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(PassageIndex)["open"].__func__.__kwdefaults__, "wait_s", 0.0)
    desk.home.vectors.mkdir(parents=True, exist_ok=True)
    with FileLock(desk.home.vectors / "dabba.lock"):
        page.presenter.add((desk.write("a.md", "Text."),))
        desk.until(lambda: import_ended(page))
        page.search("anything")
        desk.until(lambda: page.presenter.searching.found is not None)
    assert status(page) is ImportStatus.FAILED
    assert "in use" in page.importing.fault.text()
    assert "in use" in page.search_panel.footer.text()
    assert page.importing.isVisible()


def test_that_every_file_of_an_import_gets_its_row(desk: Desk, page: ArticlesPage) -> None:
    desk.write("good.md", "Good text.")
    desk.write("empty.md", "")
    page.presenter.add((desk.articles,))
    assert not page.add.isEnabled()
    desk.until(lambda: import_ended(page))
    assert [(file.name, file.mark.text) for file in page.importing.files.files] == [
        ("empty.md", "Refused"),
        ("good.md", "Added"),
    ]
    assert page.importing.tally.text() == "1 added, 1 refused"
    desk.until(lambda: titles(page) == ["Good"])
    page.importing.copy.click()
    assert "good.md\tadded\t" in QGuiApplication.clipboard().text()
    page.importing.close_button.click()
    assert not page.importing.isVisible()
    assert page.add.isEnabled()


def test_that_a_cancelled_import_is_neither_success_nor_failure(desk: Desk, page: ArticlesPage) -> None:
    entered = threading.Event()
    desk.embedder.on_enter = entered.set
    desk.embedder.hold = threading.Event()
    page.presenter.add((desk.write("a.md", "One."), desk.write("b.md", "Two.")))
    desk.until(entered.is_set)
    page.importing.cancel.click()
    assert page.importing.cancel.text() == "Stopping…"
    assert not page.importing.cancel.isEnabled()
    desk.embedder.hold.set()
    desk.until(lambda: import_ended(page))
    assert status(page) is ImportStatus.STOPPED
    assert page.importing.fault.text() == ""
    assert desk.notices == []


def test_that_a_second_import_waits_for_a_person(desk: Desk, page: ArticlesPage) -> None:
    desk.embedder.hold = threading.Event()
    page.presenter.add((desk.write("a.md", "One."),))
    page.presenter.add((desk.write("b.md", "Two."),))
    assert [notice.level for notice in desk.notices] == ["info"]
    desk.embedder.hold.set()
    desk.until(lambda: import_ended(page))


def _data(paths: Sequence[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def _drag(page: ArticlesPage, data: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(
        QPoint(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(page, event)
    return event


def test_that_dropped_files_are_imported(desk: Desk, page: ArticlesPage) -> None:
    data = _data([desk.write("dropped.md", "Text.")])
    assert _drag(page, data).isAccepted()
    assert page._veil.isVisible()
    drop = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(page, drop)
    assert not page._veil.isVisible()
    desk.until(lambda: titles(page) == ["Dropped"])


def test_that_what_is_no_file_can_not_be_dropped(page: ArticlesPage) -> None:
    words = QMimeData()
    words.setText("words")
    assert not _drag(page, words).isAccepted()
    assert not page._veil.isVisible()


def test_that_the_import_menu_opens_a_dialog_whose_files_are_added(desk: Desk, page: ArticlesPage) -> None:
    path = desk.write("chosen.md", "Text.")
    page.empty.add.click()
    assert page.adding.menu is not None
    page.adding.menu.chosen.emit("files")
    page.adding.menu.close()
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    desk.until(lambda: titles(page) == ["Chosen"])


def test_that_an_article_is_retired_and_published_again(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    filled.pane.service.click()
    assert not filled.pane.service.isEnabled()
    desk.until(lambda: filled.pane.service.text() == "Publish again")
    assert "none of them answers" in filled.pane.chunks.note.text()
    filled.pane.service.click()
    desk.until(lambda: filled.pane.service.text() == "Retire")
    article = filled.presenter.state.article
    assert article is not None
    assert (article.status, article.generation) == (ArticleStatus.PUBLISHED, 1)


def test_that_deleting_asks_once(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    filled.pane.delete.click()
    assert filled.dialog is not None
    filled.dialog.no.click()
    assert filled.dialog is None
    assert len(titles(filled)) == 3
    filled.pane.delete.click()
    assert filled.dialog is not None
    filled.dialog.yes.click()
    desk.until(lambda: len(titles(filled)) == 2)
    assert "Refunds" not in titles(filled)


def test_that_a_failure_is_told_and_leaves_the_article(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    desk.run(desk.rooms.library.remove(filled.presenter.state.picked))
    filled.presenter.retire()
    desk.until(lambda: desk.notices != [])
    assert desk.notices[0].level == "error"
    assert "removed meanwhile" in desk.notices[0].fact


def test_that_both_themes_draw_the_page(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    filled.search("late box")
    desk.until(lambda: filled.search_panel.hits.shown() != ())
    light = filled.grab().toImage()
    desk.theme.set_name("dark")
    dark = filled.grab().toImage()
    assert light.pixelColor(4, 4).lightness() > 200
    assert dark.pixelColor(4, 4).lightness() < 60


def test_that_many_chunks_are_laid_out_in_steps(desk: Desk, page: ArticlesPage) -> None:
    desk.fill(desk.write("book.md", "\n\n".join(f"## Part {n}\n\nText of part {n}." for n in range(130)), title="Book"))
    desk.until(lambda: len(page.pane.chunks.views) == 100)
    assert page.pane.chunks.more.text() == "Show 30 more of 130 chunks"
    chunks = page.presenter.state.chunks
    assert chunks is not None
    last = chunks[-1]
    page.presenter.show_chunk(page.presenter.state.picked, last.start)
    assert len(page.pane.chunks.views) == 130
    assert page.pane.chunks.views[-1].property("fill") == "accent-tint"


def test_that_a_picked_passage_says_what_became_of_it_and_makes_a_known_question(
    desk: Desk, filled: ArticlesPage
) -> None:
    filled.search("is a late box free")
    desk.until(lambda: filled.search_panel.hits.shown() != ())
    panel = filled.search_panel
    assert not panel.known.isVisible()
    panel.hits.pick(panel.hits.shown()[0].key)
    assert panel.footer.text() == "Refunds › Late: given to the model."
    panel.known.click()
    panel.known.click()
    desk.until(lambda: desk.notices != [])
    (question,) = desk.run(QuestionBook(desk.rooms.database).questions())
    assert question.text == "is a late box free"
    assert [(one.article, one.passage) for one in question.supports] == [("refunds.en.md", "A late box is free.")]


def test_that_a_dropped_folder_and_zip_give_a_row_for_every_file_in_them(
    desk: Desk, page: ArticlesPage, tmp_path: Path
) -> None:
    desk.write("one.md", "One.")
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("two.md", "Two.")
        archive.writestr("empty.md", "")
    data = _data([desk.articles, packed])
    assert _drag(page, data).isAccepted()
    drop = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(page, drop)
    desk.until(lambda: import_ended(page))
    assert {(file.name, file.mark.text) for file in page.importing.files.files} == {
        ("one.md", "Added"),
        ("two.md", "Added"),
        ("empty.md", "Refused"),
    }


def test_that_a_file_of_an_import_opens_its_article(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    filled.presenter.add((desk.write("new.md", "New text.", title="New one"),))
    desk.until(lambda: import_ended(filled) and "New one" in titles(filled))
    files = filled.importing.files
    files.setFocus()
    qtbot.keyClick(files, Qt.Key.Key_Down)
    qtbot.keyClick(files, Qt.Key.Key_Return)
    assert filled.pane.title.text() == "New one"
    filled.show_article("refunds.en")
    row = files.visualRect(files.model().index(0, 0))
    qtbot.mouseClick(files.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row.right() - 20, row.top() + 14))
    assert filled.pane.title.text() == "New one"


def test_that_closing_in_mid_import_ends_well_and_leaves_nothing_half_done(desk: Desk, page: ArticlesPage) -> None:
    entered = threading.Event()
    desk.embedder.on_enter = entered.set
    desk.embedder.hold = threading.Event()
    page.presenter.add((desk.write("a.md", "One."), desk.write("b.md", "Two.")))
    desk.until(entered.is_set)
    desk.until(lambda: any(file.mark.text in ("Reading", "Embedding") for file in page.importing.files.files))
    page.close()
    desk.close()
    desk.embedder.hold = None
    again = type(desk)(desk.theme, desk.qtbot, desk.home, desk.articles)
    articles = again.run(again.rooms.library.articles())
    for article in articles:
        assert len(again.run(again.rooms.library.chunks(article.article_id))) == article.chunk_count > 0
    again.close()


def test_that_the_table_is_worked_by_keys_alone(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    qtbot.waitExposed(filled)
    filled.activateWindow()
    table = filled.table.table
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert filled.pane.title.text() == "Refunds"
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    dialog = filled.dialog
    assert dialog is not None
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert filled.dialog is None
    filled.activateWindow()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    desk.until(filled.editor.isVisible)
    qtbot.keyClick(filled.editor.text, Qt.Key.Key_Escape)
    desk.until(lambda: filled.table.isVisible() and table.hasFocus())
    qtbot.keyClick(table, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert filled.editor.isVisible()


def test_that_two_clicks_on_retire_retire_once(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    filled.pane.service.click()
    filled.pane.service.click()
    filled.presenter.retire()
    desk.until(lambda: filled.pane.service.text() == "Publish again")
    assert desk.notices == []
