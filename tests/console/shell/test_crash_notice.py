"""A crash report as a person meets it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from console.shell.crash import CrashReport, CrashReporter
from console.shell.crash_notice import KEY, CrashNotice
from console.widgets.notice_stack import NoticeStack

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

REPORT = CrashReport(
    "Chat stopped: the program has a fault. The report is a.txt; the rest goes on.", "KeyError", Path("a")
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def notices(theme: Theme, window: QWidget) -> NoticeStack:
    return NoticeStack(theme, window)


def test_that_a_report_is_one_notice_with_details_and_copy(
    window: QWidget, notices: NoticeStack, qtbot: QtBot, tmp_path: Path
) -> None:
    reporter = CrashReporter(tmp_path)
    desk = CrashNotice(reporter, notices, window)
    notices.followed.emit(KEY, "copy")
    reporter.reported.emit(REPORT)
    reporter.reported.emit(REPORT)
    (notice,) = notices.notices
    assert (notice.level, notice.fact) == ("error", "Chat stopped: the program has a fault.")
    assert [link.text for link in notice.links] == ["Details", "Copy"]
    notices.followed.emit("another notice", "copy")
    notices.followed.emit(KEY, "copy")
    assert QGuiApplication.clipboard().text() == "KeyError"
    notices.followed.emit(KEY, "details")
    dialog = window.findChild(QDialog)
    assert dialog is not None
    assert dialog.findChild(QPlainTextEdit).toPlainText() == "KeyError"  # type: ignore[union-attr]
    dialog.close()
    assert desk.parent() is window
