"""The shipped fonts: Inter for everything, Noto Sans Devanagari behind it, JetBrains Mono for logs and keys."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Literal

from PySide6.QtCore import QLoggingCategory
from PySide6.QtGui import QFont, QFontDatabase

UI_FAMILIES = ("Inter", "Noto Sans Devanagari")
MONO_FAMILIES = ("JetBrains Mono", "Noto Sans Devanagari")
Role = Literal[
    "rail", "caption", "table-header", "small", "panel-title", "body", "button", "transcript", "page-title",
    "heading", "number", "mono",
]  # fmt: skip


def load_fonts() -> None:
    """Adds the shipped faces to Qt; an OSError names the file that Qt could not read."""
    # Qt warns about Devanagari in any Latin-first font, though the fallback family draws it.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    for face in sorted(files("assets").joinpath("fonts").iterdir(), key=lambda entry: entry.name):
        if face.name.endswith((".otf", ".ttf")) and QFontDatabase.addApplicationFontFromData(face.read_bytes()) < 0:
            raise OSError(f"Font {face.name} cannot be read: it is damaged. Install Dabba Console again.")


def ui_font(px: int = 13, weight: int = 400) -> QFont:
    """The interface font with tabular figures; `px` is device-independent."""
    return QFont(_ui_font(px, weight))


@lru_cache(maxsize=64)
def _ui_font(px: int, weight: int) -> QFont:
    font = _font(UI_FAMILIES, px, weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    if px == 28:
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, -0.3)
    return font


def mono_font(px: int = 11, weight: int = 400) -> QFont:
    """The font of log lines, arguments, URLs and keys; ligatures are off."""
    return QFont(_mono_font(px, weight))


@lru_cache(maxsize=16)
def _mono_font(px: int, weight: int) -> QFont:
    font = _font(MONO_FAMILIES, px, weight)
    font.setFeature(QFont.Tag("liga"), 0)
    font.setFeature(QFont.Tag("calt"), 0)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


def _font(families: tuple[str, ...], px: int, weight: int) -> QFont:
    font = QFont(families[0])
    font.setFamilies(list(families))
    font.setPixelSize(px)
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
