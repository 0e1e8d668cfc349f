"""Every control in every state in one picture: `python -m console.widgets.gallery --out FOLDER`.

Hold the pictures beside the design's 09-components to see what moved.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QTableView, QVBoxLayout, QWidget

from console.theme.style import Theme
from console.widgets import gallery_parts as parts
from console.widgets.cards import Card
from console.widgets.gallery_chart import chart
from console.widgets.gallery_palette import IconSheet, Palette, SeriesColors, TypeScale
from console.widgets.label import Label
from console.widgets.menu import Menu, MenuEntry
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLayout

    from console.theme.tokens import ThemeName

SIZE = (1440, 992)


def page(theme: Theme) -> QWidget:
    made = QWidget()
    made.setProperty("fill", "canvas")
    made.resize(*SIZE)
    row = QHBoxLayout(made)
    row.setContentsMargins(24, 20, 22, 16)
    row.setSpacing(42)
    row.addLayout(_column(420, _first(theme)))
    row.addLayout(_column(440, _second(theme)))
    row.addLayout(_column(440, _third(theme)))
    row.addStretch(1)
    return made


def _column(width: int, sections: Sequence[QLayout]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(15)
    keep = QWidget()
    keep.setFixedSize(width, 0)
    for section in sections:
        column.addLayout(section)
    column.addStretch(1)
    column.addWidget(keep)
    return column


def _first(theme: Theme) -> list[QLayout]:
    return [
        parts.titled("Palette", theme.name, Palette(theme)),
        parts.titled("Series", "fill, and the same hue as a line of 3:1 or more", SeriesColors(theme)),
        parts.titled("Type", "px at 100 %, weight", TypeScale(theme)),
    ]


def _second(theme: Theme) -> list[QLayout]:
    return [
        parts.titled("Buttons", "28 px, small 24 px, radius 6", parts.buttons(theme), 2),
        parts.titled("Inputs", "28 px, border 3:1", parts.inputs(theme)),
        parts.titled("Engine states", "", parts.pills(theme, parts.ENGINE_STATES)),
        parts.titled("Pills", "", parts.pills(theme, parts.ARTICLE_STATES)),
        parts.titled("Table rows", "30 px", parts.table(theme)),
        parts.titled("Chart anatomy", "gap, event mark, SLO, hover line", chart(theme)),
    ]


def _third(theme: Theme) -> list[QLayout]:
    return [
        parts.titled("Notices", "subject, fact, reason, next step", parts.notices(theme)),
        parts.titled("Job row, menu, tooltip", "", _job_and_menu(theme)),
        parts.titled("Icons", "20 × 20, stroke 1.5, currentColor", IconSheet(theme)),
    ]


def _job_and_menu(theme: Theme) -> QLayout:
    column = QVBoxLayout()
    column.setSpacing(8)
    column.addWidget(parts.job(theme))
    row = QHBoxLayout()
    row.setSpacing(12)
    row.addWidget(_menu(theme))
    row.addWidget(_help(theme))
    column.addLayout(row)
    return column


def _menu(theme: Theme) -> QWidget:
    entries = (
        MenuEntry("edit", "Edit", "edit", "E"),
        MenuEntry("compare", "Compare versions", "history"),
        MenuEntry("copy", "Copy link", "copy", "Ctrl+C"),
        MenuEntry("delete", "Delete…", "trash", "Del"),
    )
    menu = Menu(theme, entries)
    menu.setActiveAction(menu.actions()[1])
    menu.setWindowFlags(Qt.WindowType.Widget)
    menu.setFixedWidth(208)
    return menu


def _help(theme: Theme) -> QWidget:
    card = Card(padding=10, look="strong")
    card.body.setSpacing(2)
    card.body.addWidget(Label("What is this?", "small-strong", "text"))
    words = (
        "Share of prompt tokens read from the prefix cache. vllm:prefix_cache_hits ÷ queries, over 1 min. "
        "Low after a publish."
    )
    card.body.addWidget(Paragraph(theme, (Run(words, "text-2"),), px=12, line=17))
    card.body.addStretch(1)
    return card


def picture(app: QApplication, theme: Theme, file: Path) -> None:
    """Shows the gallery and saves what it looks like."""
    made = page(theme)
    made.show()
    made.activateWindow()
    for view in made.findChildren(QTableView):
        view.setFocus()
    app.processEvents()
    app.processEvents()
    if not made.grab().save(str(file)):
        raise OSError(f"Picture {file} cannot be written: the folder refuses it. Choose another folder.")
    made.close()
    made.deleteLater()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m console.widgets.gallery", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the two pictures")
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([])
    theme = Theme("light")
    theme.apply(app)
    names: tuple[ThemeName, ...] = ("light", "dark")
    for name in names:
        theme.set_name(name)
        picture(app, theme, chosen.out / f"components-{name}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
