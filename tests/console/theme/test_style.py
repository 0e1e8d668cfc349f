"""The theme on a real application: one style sheet, fonts with tabular figures, icons drawn once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QLabel, QWidget

from console.theme.fonts import mono_font, ui_font
from console.theme.style import style_sheet, theme_from_setting
from console.theme.tokens import load_tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_no_token_is_left_in_the_style_sheet(name: str) -> None:
    sheet = style_sheet(load_tokens("dark" if name == "dark" else "light"))
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    assert "@" not in rules
    assert "THEME" not in rules
    assert "FOLDER" not in rules


def test_that_changing_the_theme_repaints_with_the_other_palette(
    theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.set_name("dark")
    assert qapp.palette().window().color() == theme.color("canvas")
    assert theme.color("canvas").name().upper() == "#171411"


def test_that_setting_the_theme_in_force_changes_nothing(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_name("light")


def test_that_figures_are_equally_wide_after_a_style_sheet_size(theme: Theme, qtbot: QtBot) -> None:
    label = QLabel("1")
    qtbot.addWidget(label)
    label.setProperty("role", "number")
    label.ensurePolished()
    metrics = QFontMetricsF(label.font())
    assert label.font().pixelSize() == 28
    assert metrics.horizontalAdvance("1111") == pytest.approx(metrics.horizontalAdvance("0000"))


def test_that_the_shipped_fonts_are_the_ones_in_use(theme: Theme) -> None:
    assert QFontInfo(ui_font()).family() == "Inter"
    assert QFontInfo(mono_font()).family() == "JetBrains Mono"


def test_that_devanagari_is_drawn_without_a_qt_warning(theme: Theme, qtbot: QtBot) -> None:
    label = QLabel("जैन डब्बा")
    qtbot.addWidget(label)
    label.show()
    assert not label.grab().isNull()


def test_that_an_icon_is_drawn_once_for_a_colour_size_and_ratio(theme: Theme, qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    one = theme.pixmap("chat", "accent", 16, widget)
    assert theme.pixmap("chat", "accent", 16, widget).cacheKey() == one.cacheKey()
    assert theme.pixmap("chat", "text", 16, widget).cacheKey() != one.cacheKey()
    center = {one.toImage().pixelColor(x, y).name() for x in range(16) for y in range(16)}
    assert any(abs(int(c[1:3], 16) - 0xB4) < 4 for c in center)


def test_that_an_unknown_icon_is_an_error(theme: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        theme.icon("no-such-icon")


def test_that_series_colours_start_again_after_the_eighth(theme: Theme) -> None:
    assert theme.series_fill(9) == theme.series_fill(1)
    assert theme.series_line(1).name().upper() == "#0072B2"


def test_that_a_fixed_setting_wins_over_the_desktop(qapp: QApplication) -> None:
    assert theme_from_setting("dark") == "dark"
    assert theme_from_setting("light") == "light"
    assert theme_from_setting("system") in ("light", "dark")
