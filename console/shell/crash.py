"""Errors that no room foresaw: one report file each, one notice, and never a loop of them."""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QLoggingCategory, QMessageLogContext, QObject, QtMsgType, Signal, qInstallMessageHandler

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

log = logging.getLogger(__name__)
qt_log = logging.getLogger("qt")

MOST_REPORTS: Final = 20
"""Reports written in one run, and report files kept in the folder."""
FONT_RULE: Final = "qt.text.font.db=false"
"""Qt warns of Devanagari in every Latin-first font although the fallback font draws it."""

QT_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


@dataclass(frozen=True, slots=True)
class CrashReport:
    """`sentence` is for people, `details` the whole report; `path` is None when it could not be written."""

    sentence: str
    details: str
    path: Path | None


def signature(error: BaseException) -> str:
    """The same for the same fault at the same place: kind, file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "nowhere"
    return f"{type(error).__qualname__} at {place}"


def details_of(error: BaseException, where: str, at: datetime) -> str:
    """What a developer needs: time, place, versions, traceback. Nothing of what customers wrote is added."""
    trace = "".join(traceback.format_exception(error))
    machine = f"Python {platform.python_version()}, PySide6 {pyside_version}, {platform.platform()}"
    return f"{at:%Y-%m-%d %H:%M:%S} UTC\nin {where}, thread {threading.current_thread().name}\n{machine}\n\n{trace}"


class CrashReporter(QObject):
    """`report` may be called in any thread; `reported(CrashReport)` reaches GUI-thread slots through Qt's queue.

    A fault seen before in this run is only counted, so that an error in a paint event does not fill the disk.
    """

    reported = Signal(object)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: dict[str, int] = {}
        self._busy = threading.local()
        self._before: tuple[Any, Any, Any] | None = None

    def install(self) -> None:
        """Take over Python's hooks and Qt's messages until `uninstall`."""
        QLoggingCategory.setFilterRules(FONT_RULE)
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._thread_died
        sys.unraisablehook = self._unraisable
        qInstallMessageHandler(qt_message)

    def uninstall(self) -> None:
        if self._before is None:
            return
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
        self._before = None
        qInstallMessageHandler(None)

    def report(self, error: BaseException, where: str) -> None:
        """Write and announce `error` once. An error of the reporting itself goes to the log only."""
        if getattr(self._busy, "now", False):
            log.error("A fault while reporting a fault: %s", error)
            return
        self._busy.now = True
        try:
            if self._is_new(error):
                self._announce(error, where)
        finally:
            self._busy.now = False

    def _is_new(self, error: BaseException) -> bool:
        key = signature(error)
        with self._lock:
            self._seen[key] = self._seen.get(key, 0) + 1
            times, kinds = self._seen[key], len(self._seen)
        if times > 1 or kinds > MOST_REPORTS:
            log.error("Fault seen %d times: %s", times, key)
            return False
        return True

    def _announce(self, error: BaseException, where: str) -> None:
        details = details_of(error, where, datetime.now(UTC))
        log.error("Unexpected fault in %s", where, exc_info=error)
        path = self._write(details)
        kept = f"The report is {path}" if path else "The report could not be written"
        sentence = f"{where} stopped: the program has a fault. {kept}; the rest goes on."
        self.reported.emit(CrashReport(sentence, details, path))

    def _write(self, details: str) -> Path | None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in sorted(self._folder.glob("crash-*.txt"))[: -MOST_REPORTS + 1]:
                old.unlink(missing_ok=True)
            path = self._folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.txt"
            path.write_text(details, encoding="utf-8")
        except OSError as error:
            log.error("The crash report cannot be written: %s", error)
            return None
        return path

    def _uncaught(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            sys.__excepthook__(type(error), error, error.__traceback__)
            return
        self.report(error, "The window")

    def _thread_died(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.report(args.exc_value, f"Thread {args.thread.name if args.thread else 'unknown'}")

    def _unraisable(self, args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value, args.err_msg or "Clean-up of an object")


def qt_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    """Qt's own messages go to the log; it calls this in any thread."""
    place = f" ({context.file}:{context.line})" if context.file else ""
    qt_log.log(QT_LEVELS.get(kind, logging.WARNING), "%s: %s%s", context.category or "qt", message, place)
