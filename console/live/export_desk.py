"""What a person takes out of the history: figures as CSV, panels as a picture, an incident report as one HTML file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from console.live.export_csv import csv_of
from console.live.incident_reading import read_incident
from console.live.incident_report import incident_html
from console.widgets.cards import Panel
from console.widgets.notices import Notice
from storage.files import write_atomically
from storage.worker import run_once

if TYPE_CHECKING:
    from console.live.history_grid import HistoryGrid
    from console.live.history_presenter import HistoryPresenter
    from console.live.history_reading import HistoryRead
    from console.page_context import PageContext

KINDS: Final = {
    "csv": ("Save the figures", "csv", "CSV (*.csv)"),
    "png": ("Save the picture", "png", "PNG picture (*.png)"),
    "report": ("Save the incident report", "html", "HTML (*.html)"),
}
NOTICE: Final = "live export"


@dataclass(frozen=True, slots=True)
class NotWritten:
    """`reason` is what the system said."""

    reason: str


class ExportDesk(QObject):
    """`export(kind)` asks for a file and writes it; a notice says what came of it. `dialog` is the one that is open."""

    def __init__(self, context: PageContext, presenter: HistoryPresenter, grid: HistoryGrid, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._presenter, self._grid, self._owner = context, presenter, grid, owner
        self._kind = ""
        self._picture: QWidget | None = None
        self.dialog: QFileDialog | None = None

    @Slot(str)
    def export(self, kind: str) -> None:
        """A picture is of the panel that has all the room, else of all of them."""
        self._picture = self._grid.expanded or self._grid.inner
        self._ask(kind)

    @Slot()
    def picture_of_sender(self) -> None:
        sender = self.sender()
        if isinstance(sender, Panel):
            self._picture = sender
            self._ask("png")

    def _ask(self, kind: str) -> None:
        read = self._presenter.state.read
        if read is None:
            return
        title, suffix, shapes = KINDS[kind]
        begins = datetime.fromtimestamp(read.first, self._context.zone)
        self._kind = kind
        self.dialog = QFileDialog(self._owner, title, "", shapes)
        self.dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.dialog.setDefaultSuffix(suffix)
        self.dialog.selectFile(f"live-{begins:%Y-%m-%d-%H%M}.{suffix}")
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.fileSelected.connect(self._chosen)
        self.dialog.open()

    @Slot(str)
    def _chosen(self, name: str) -> None:
        """A picture is taken here, by the thread that draws; the rest is made and written in the loop."""
        read, path = self._presenter.state.read, Path(name)
        if read is None:
            return
        if self._kind == "png":
            self._save_picture(path)
            return
        work = partial(self._write_report if self._kind == "report" else _write_csv, read, path)
        call = self._context.bridge.submit(work, "live export")
        call.done.connect(self._written)
        call.failed.connect(self._failed)

    def _save_picture(self, path: Path) -> None:
        if self._picture is not None and self._picture.grab().save(str(path), "PNG"):
            self._written(path)
        else:
            self._written(NotWritten("the folder can't be written, or the disk is full"))

    async def _write_report(self, read: HistoryRead, path: Path) -> Path | NotWritten:
        house = self._context.house
        states = [session.state.value for session in house.engines.sessions]
        facts = await read_incident(house.database, house.home, house.settings, states, read, self._context.zone)
        return await run_once("incident report", lambda: _write(path, incident_html(facts)))

    @Slot(object)
    def _written(self, written: object) -> None:
        if isinstance(written, NotWritten):
            fact, next_step = f"The file was not saved: {written.reason}.", "Choose another folder, or free some space."
            self._context.notify(Notice(NOTICE, "error", fact, next_step))
        else:
            self._context.notify(Notice(NOTICE, "ok", f"{written} was saved."))

    @Slot(object)
    def _failed(self, error: object) -> None:
        self._context.notify(Notice(NOTICE, "error", str(error)))


async def _write_csv(read: HistoryRead, path: Path) -> Path | NotWritten:
    return await run_once("history as CSV", lambda: _write(path, csv_of(read)))


def _write(path: Path, text: str) -> Path | NotWritten:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        return NotWritten(error.strerror or str(error))
    return path
