"""One theme for every Qt test: the light one, applied once, light again after a test that changed it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from console.theme.style import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says what a screen would do; that is no fault of the program."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> Theme:
    theme = Theme("light")
    theme.apply(qapp)
    return theme


@pytest.fixture
def theme(_dressed: Theme) -> Iterator[Theme]:
    yield _dressed
    _dressed.set_name("light")
