"""Making a widget opens no window: a part shown before it has a parent would flash up on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from console.widgets.chart_data import Line
from console.widgets.chart_panel import ChartPanel
from console.widgets.empty_state import EmptyState
from console.widgets.gallery import page
from console.widgets.job_row import JobRow, JobShown
from console.widgets.message import MessageHead, MessageView
from console.widgets.notice_stack import NoticeStack
from console.widgets.notices import Notice
from console.widgets.tile import Figure, Tile, TileFigures

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


class WindowWatch(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.opened.append(repr(watched))
        return False


def message(theme: Theme) -> QWidget:
    made = MessageView(theme, MessageHead("Dabba bot", meta="Help"))
    made.append_text("Refunds take 2 days.")
    made.add_source(1, "Refunds › How long it takes")
    made.set_streaming("next sentence is being checked")
    made.set_meta("")
    return made


def tile(theme: Theme) -> QWidget:
    made = Tile(theme, "TTFT p95", help_text="Seconds to the first token.")
    made.show_figures(TileFigures((Figure("1.12", "s"),), alert=True))
    return made


def job(theme: Theme) -> QWidget:
    made = JobRow(theme)
    made.show_job(JobShown("Import", fraction=None))
    return made


def notices(theme: Theme) -> QWidget:
    window = QWidget()
    NoticeStack(theme, window).show_notice(Notice("a", "ok", "Generation 15 is in service.", "Checked."))
    return window


def empty(theme: Theme) -> QWidget:
    return EmptyState(theme, "No articles yet.", "Add a folder")


def chart(theme: Theme) -> QWidget:
    return ChartPanel(theme, "Batch", "sequences", (Line("running", "running"),), help_text="Sequences in the batch.")


@pytest.mark.parametrize("build", [page, message, tile, job, notices, empty, chart])
def test_that_building_a_widget_opens_no_window(
    theme: Theme, qapp: QApplication, qtbot: QtBot, build: Callable[[Theme], QWidget]
) -> None:
    watch = WindowWatch()
    qapp.installEventFilter(watch)
    qtbot.addWidget(build(theme))
    qapp.processEvents()
    qapp.removeEventFilter(watch)
    assert watch.opened == []
