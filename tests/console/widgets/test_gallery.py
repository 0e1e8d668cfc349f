"""The gallery can be drawn in both themes: every widget in it paints without a word from Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

from console.widgets.gallery import picture

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from console.theme.style import Theme
    from console.theme.tokens import ThemeName


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_the_gallery_is_drawn_in_its_theme(
    theme: Theme, qapp: QApplication, tmp_path: Path, name: ThemeName
) -> None:
    theme.set_name(name)
    picture(qapp, theme, tmp_path / "gallery.png")
    image = QImage(str(tmp_path / "gallery.png"))
    assert (image.width(), image.height()) == (1440, 992)
    assert image.pixelColor(4, 4) == theme.color("canvas")
    button = [image.pixelColor(x, y) for x in range(600, 720, 4) for y in range(50, 110, 4)]
    assert theme.color("accent-hover") in button


def test_that_a_picture_that_cannot_be_written_is_an_error(theme: Theme, qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        picture(qapp, theme, tmp_path / "missing" / "gallery.png")
