"""What a person sees of a crash report: one notice with Details and Copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout

from console.widgets.notices import Notice, NoticeLink

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.shell.crash import CrashReport, CrashReporter
    from console.widgets.notice_stack import NoticeStack

KEY: Final = "crash"
LINKS: Final = (NoticeLink("details", "Details"), NoticeLink("copy", "Copy"))


def notice_of(report: CrashReport) -> Notice:
    fact, _, rest = report.sentence.partition(". ")
    return Notice(KEY, "error", f"{fact}.", rest, LINKS)


class CrashNotice(QObject):
    """Shows the newest report in `notices` and answers its two links."""

    def __init__(self, reporter: CrashReporter, notices: NoticeStack, window: QWidget) -> None:
        super().__init__(window)
        self._notices = notices
        self._window = window
        self._report: CrashReport | None = None
        reporter.reported.connect(self.show_report)
        notices.followed.connect(self.follow)

    @Slot(object)
    def show_report(self, report: CrashReport) -> None:
        self._report = report
        self._notices.show_notice(notice_of(report))

    @Slot(str, str)
    def follow(self, notice: str, link: str) -> None:
        if notice != KEY or self._report is None:
            return
        if link == "copy":
            QGuiApplication.clipboard().setText(self._report.details)
        else:
            details_dialog(self._report, self._window).open()


def details_dialog(report: CrashReport, parent: QWidget) -> QDialog:
    """The whole report, to read and select; it goes away when it is closed."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(str(report.path) if report.path else "Report")
    text = QPlainTextEdit(report.details)
    text.setReadOnly(True)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    QVBoxLayout(dialog).addWidget(text)
    dialog.resize(760, 480)
    dialog.finished.connect(dialog.deleteLater)
    return dialog
