"""Writing, correcting and publishing an article in the editor, over a real library with a fake embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from knowledge.article import Article, ArticleStatus
from knowledge.errors import IndexUnavailable

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk


def edit(desk: Desk, page: ArticlesPage, name: str = "refunds.en") -> None:
    page.show_article(name)
    page.pane.edit.click()
    desk.until(lambda: page.editor.isVisible() and page.presenter.editing.state is not None)


def picked(page: ArticlesPage) -> Article:
    article = page.presenter.state.article
    assert article is not None
    return article


def is_kept(page: ArticlesPage) -> bool:
    state = page.presenter.editing.state
    return state is not None and state.kept_at is not None and state.is_kept


def test_that_a_new_article_is_written_kept_and_published(qtbot: QtBot, desk: Desk, page: ArticlesPage) -> None:
    page.empty.new.click()
    assert page.editor.isVisible()
    assert not page.editor.publish.isEnabled()
    qtbot.keyClicks(page.editor.form.title, "Late boxes")
    qtbot.keyClicks(page.editor.text, "A late box is free.")
    desk.until(lambda: is_kept(page))
    assert page.editor.kept.text().startswith("Draft kept at")
    (kept,) = desk.run(desk.rooms.library.articles())
    assert (kept.status, kept.text.title, kept.text.source_name) == (
        ArticleStatus.DRAFT, "Late boxes", "late-boxes.en.md",
    )  # fmt: skip
    page.editor.publish.click()
    assert page.editor.publish.text() == "Publishing…"
    desk.until(lambda: page.table.isVisible() and page.pane.title.text() == "Late boxes")
    desk.until(lambda: picked(page).status is ArticleStatus.PUBLISHED)
    assert desk.notices[-1].level == "ok"


def test_that_a_correction_answers_only_when_it_is_published(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    filled.editor.text.setPlainText("Money comes back in nine days.")
    desk.until(lambda: is_kept(filled))
    assert "two days" in picked(filled).text.body
    filled.editor.close_button.click()
    desk.until(filled.table.isVisible)
    desk.until(lambda: any(row.drafted for row in filled.table.table.shown()))
    edit(desk, filled)
    assert filled.editor.text.toPlainText() == "Money comes back in nine days."
    filled.editor.publish.click()
    desk.until(lambda: filled.table.isVisible() and "nine days" in picked(filled).text.body)
    assert not any(row.drafted for row in filled.table.table.shown())


def test_that_chunks_are_cut_while_typing(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    desk.until(lambda: len(filled.editor.chunks.views) == 2)
    filled.editor.text.setPlainText("One.\n\n## Two\n\nTwo.\n\n## Three\n\nThree.")
    desk.until(lambda: len(filled.editor.chunks.views) == 3)
    assert filled.editor.tabs.tabText(1) == "Chunks 3"
    assert filled.editor.text._series == (1, 0, 0, 0, 2, 0, 0, 0, 3)
    qtbot.mouseClick(filled.editor.chunks.views[2], Qt.MouseButton.LeftButton)
    assert filled.editor.text.textCursor().block().text() == "Three."


def test_that_details_are_typed_and_wrong_days_keep_it_from_being_published(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    form = filled.editor.form
    form.valid_from.setText("2026-12-2")
    assert not filled.editor.publish.isEnabled()
    assert form._faults["valid_from"].text() == "Write the day as 2026-12-20."
    form.valid_from.setText("2026-12-20")
    form.tenants.menu_of_tenants.actions()[1].trigger()
    form.owner.setText("Asha")
    filled.editor.publish.click()
    desk.until(lambda: filled.table.isVisible() and picked(filled).text.owner == "Asha")
    text = picked(filled).text
    assert (text.tenants, str(text.valid_from)) == (("kamala",), "2026-12-20")
    assert picked(filled).generation == 1


def test_that_opening_and_closing_leaves_no_draft(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    filled.editor.close_button.click()
    assert filled.table.isVisible()
    assert desk.run(desk.rooms.library.drafted()) == frozenset()
    filled.shelf.new.click()
    filled.editor.close_button.click()
    assert len(desk.run(desk.rooms.library.articles())) == 3


def test_that_leaving_asks_only_when_the_draft_could_not_be_kept(
    desk: Desk, filled: ArticlesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise IndexUnavailable("The disk is full. Free some space.")

    edit(desk, filled)
    monkeypatch.setattr(desk.rooms.library, "save_draft", refuse)
    filled.editor.text.setPlainText("Other words.")
    filled.editor.close_button.click()
    desk.until(lambda: filled.editor.dialog is not None)
    assert filled.editor.dialog is not None
    filled.editor.dialog.no.click()
    assert filled.editor.isVisible()
    assert "disk is full" in filled.editor.fault.text()
    filled.editor.close_button.click()
    desk.until(lambda: filled.editor.dialog is not None)
    filled.editor.dialog.yes.click()
    assert filled.table.isVisible()
    monkeypatch.undo()


def test_that_words_typed_just_before_the_window_closes_are_kept(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    filled.editor.text.setPlainText("The last words.")
    filled.close()
    desk.close()
    again = type(desk)(desk.theme, desk.qtbot, desk.home, desk.articles)
    (article_id,) = again.run(again.rooms.library.drafted())
    draft = again.run(again.rooms.library.draft(article_id))
    again.close()
    assert draft.text.body == "The last words."


def test_that_two_clicks_publish_once(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    filled.editor.text.setPlainText("Other words.")
    filled.editor.publish.click()
    filled.presenter.editing.publish()
    filled.presenter.editing.leave()
    desk.until(filled.table.isVisible)
    assert len(desk.run(desk.rooms.library.versions(picked(filled).article_id))) == 2


def test_that_a_double_click_on_a_row_opens_one_editor(qtbot: QtBot, desk: Desk, filled: ArticlesPage) -> None:
    table = filled.table.table
    cell = table.visualRect(table.model().index(1, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    desk.until(filled.editor.isVisible)
    state = filled.presenter.editing.state
    assert state is not None
    assert state.typed.title == "Refunds"


def test_that_publishing_what_is_published_is_not_offered(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    assert not filled.editor.publish.isEnabled()
    assert not filled.editor.save.isEnabled()
    filled.editor.text.setPlainText("")
    assert not filled.editor.publish.isEnabled()
    assert "without text" in filled.editor.fault.text()


def test_that_a_discarded_draft_is_gone_and_what_is_published_stays(desk: Desk, filled: ArticlesPage) -> None:
    edit(desk, filled)
    assert not filled.editor.discard.isVisible()
    filled.editor.text.setPlainText("Other words.")
    desk.until(lambda: is_kept(filled))
    filled.editor.text.setPlainText("Still other words.")
    desk.until(filled.editor.discard.isVisible)
    filled.editor.discard.click()
    desk.until(filled.table.isVisible)
    assert desk.run(desk.rooms.library.drafted()) == frozenset()
    assert "two days" in picked(filled).text.body
