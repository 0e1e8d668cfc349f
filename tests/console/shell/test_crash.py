"""Crash reports: one file, one notice, from any thread, never a loop."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, Slot

from console.shell.crash import MOST_REPORTS, CrashReport, CrashReporter, qt_message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def reporter(qtbot: QtBot, tmp_path: Path) -> Iterator[CrashReporter]:
    reporter = CrashReporter(tmp_path / "logs")
    yield reporter
    reporter.uninstall()


def _raised(error: BaseException) -> BaseException:
    try:
        raise error
    except type(error) as caught:
        return caught


def test_that_a_fault_becomes_one_file_and_one_announcement(reporter: CrashReporter, tmp_path: Path) -> None:
    heard: list[CrashReport] = []
    reporter.reported.connect(heard.append)
    reporter.report(_raised(KeyError("tenant")), "Chat")
    (path,) = (tmp_path / "logs").iterdir()
    assert heard[0].path == path
    assert "KeyError: 'tenant'" in path.read_text(encoding="utf-8")
    assert heard[0].sentence.startswith("Chat stopped: the program has a fault. The report is ")
    assert "KeyError" not in heard[0].sentence


def test_that_the_same_fault_again_is_only_counted(reporter: CrashReporter, tmp_path: Path) -> None:
    for _ in range(500):
        reporter.report(_raised(KeyError("paint")), "The window")
    assert len(list((tmp_path / "logs").iterdir())) == 1


def test_that_a_storm_of_different_faults_ends(reporter: CrashReporter, tmp_path: Path) -> None:
    heard: list[CrashReport] = []
    reporter.reported.connect(heard.append)
    for number in range(3 * MOST_REPORTS):
        kind = type(f"Fault{number}", (Exception,), {})
        reporter.report(kind(), "Loop")
    assert len(heard) == MOST_REPORTS
    assert len(list((tmp_path / "logs").iterdir())) == MOST_REPORTS


def test_that_a_fault_while_announcing_does_not_announce_itself(reporter: CrashReporter) -> None:
    heard: list[CrashReport] = []

    def again(report: CrashReport) -> None:
        heard.append(report)
        reporter.report(_raised(ValueError("in the notice")), "Notice")

    reporter.reported.connect(again)
    reporter.report(_raised(KeyError("first")), "Chat")
    assert len(heard) == 1


def test_that_a_folder_which_cannot_be_written_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file stands where the folder should be")
    reporter = CrashReporter(tmp_path / "logs")
    heard: list[CrashReport] = []
    reporter.reported.connect(heard.append)
    reporter.report(_raised(KeyError("x")), "Chat")
    assert heard[0].path is None
    assert "could not be written" in heard[0].sentence


def test_that_the_hooks_are_taken_and_given_back(reporter: CrashReporter) -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    reporter.install()
    heard: list[CrashReport] = []
    reporter.reported.connect(heard.append)
    error = _raised(ZeroDivisionError())
    sys.excepthook(type(error), error, error.__traceback__)
    reporter.uninstall()
    assert [report.sentence.split(" stopped")[0] for report in heard] == ["The window"]
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before


class Desk(QObject):
    """Hears reports as the window does: in a slot of a GUI-thread object."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[CrashReport] = []
        self.threads: set[int] = set()

    @Slot(object)
    def hear(self, report: CrashReport) -> None:
        self.heard.append(report)
        self.threads.add(threading.get_ident())


def test_that_a_thread_that_dies_is_reported_in_the_gui_thread(reporter: CrashReporter, qtbot: QtBot) -> None:
    desk = Desk()
    reporter.reported.connect(desk.hear)

    def die() -> None:
        raise RuntimeError("gone")

    thread = threading.Thread(target=die, name="storage")
    reporter.install()
    thread.start()
    thread.join(5)
    reporter.uninstall()
    qtbot.waitUntil(lambda: len(desk.heard) == 1)
    assert desk.heard[0].sentence.startswith("Thread storage stopped")
    assert desk.threads == {threading.get_ident()}


def test_that_ctrl_c_is_not_a_crash(
    reporter: CrashReporter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter.install()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    reporter.uninstall()
    assert not (tmp_path / "logs").exists()


def test_that_qt_s_messages_go_to_the_log_at_their_own_level(caplog: pytest.LogCaptureFixture) -> None:
    context = QMessageLogContext()
    with caplog.at_level(logging.DEBUG, "qt"):
        qt_message(QtMsgType.QtWarningMsg, context, "QPainter::begin: Paint device returned engine == 0")
        qt_message(QtMsgType.QtCriticalMsg, context, "lost")
    assert [record.levelno for record in caplog.records] == [logging.WARNING, logging.ERROR]
