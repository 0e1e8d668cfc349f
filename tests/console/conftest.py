"""One theme for every Qt test: the light one, applied once, light again after a test that changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.theme.style import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> Theme:
    theme = Theme("light")
    theme.apply(qapp)
    return theme


@pytest.fixture
def theme(_dressed: Theme) -> Iterator[Theme]:
    yield _dressed
    _dressed.set_name("light")
