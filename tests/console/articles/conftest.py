from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.articles.page import ArticlesPage
from storage.paths import Home
from tests.console.articles.kitchen import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


@pytest.fixture
def desk(theme: Theme, qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(theme, qtbot, Home(tmp_path / "home").make(), tmp_path / "articles")
    yield desk
    desk.close()


@pytest.fixture
def page(desk: Desk, qtbot: QtBot) -> ArticlesPage:
    """The page over an empty library, shown and read."""
    page = ArticlesPage(desk.context)
    qtbot.addWidget(page)
    page.resize(1384, 872)
    page.show()
    desk.until(lambda: page.presenter.state.shelf is not None)
    return page


@pytest.fixture
def filled(desk: Desk, page: ArticlesPage) -> ArticlesPage:
    """The page over three articles: refunds (two chunks), one for an office, one that is not valid yet."""
    desk.fill(
        desk.write("refunds.en.md", "Money comes back in two days.\n\n## Late\n\nA late box is free.", title="Refunds",
                   owner="Leela"),
        desk.write("gst.en.md", "Invoices name the office.", title="GST invoices", tenants="meridian"),
        desk.write("later.en.md", "A deposit is asked.", title="Deposit", valid_from="2999-01-01"),
    )  # fmt: skip
    desk.until(lambda: len(page.table.table.shown()) == 3)
    return page
