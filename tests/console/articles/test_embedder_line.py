"""A change of the embedder as the Articles page tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.embedder_change import ChangeProgress

if TYPE_CHECKING:
    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk


def test_that_a_change_of_the_embedder_shows_how_far_it_is_and_why_it_stopped(desk: Desk, filled: ArticlesPage) -> None:
    line, room = filled.shelf.embedder_line, desk.rooms.library._room
    assert not line.isVisible()
    room.progress = ChangeProgress("e5", 3, 12)
    desk.until(line.isVisible)
    assert line.words.text() == "e5 has read 3 of 12 passages; the old embedder answers until it has all."
    assert line.bar.fraction == 0.25
    room.progress = ChangeProgress("e5", 3, 12, trouble="The model is gone. Choose another.")
    desk.until(lambda: "is gone" in line.words.text())
    assert not line.bar.isVisible()
    room.progress = None
    desk.until(lambda: not line.isVisible())
