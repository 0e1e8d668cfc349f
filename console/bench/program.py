"""The program that the bridge bench starts as a child: the real window and the real start and stop, under load.

    python -m console.bench.program measure --seconds 60     figures of the GUI thread
    python -m console.bench.program leave --close-ms 120     window closed in mid-work

Prints one JSON line. Exit status 0 only after a clean stop: no thread, task or room left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

from console.bridge.collector import GuiCollector
from console.bridge.loop_thread import LoopThread
from console.bridge.stall_watch import StallWatch
from console.lifecycle import Lifecycle, Room, threads_left
from console.shell.pages import PageEntry
from console.shell.strip import StripFacts, derive_strip
from console.shell.window import MainWindow
from console.theme.style import Theme
from engine_host.engine.state import EngineState
from engine_host.published import Published
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.bench.load import LoadPage

SETTLE_MS: Final = 2000
"""Between the first paint and the measurement: fonts are loaded, every widget was laid out once."""
UNCLEAN: Final = 3
FAULTY: Final = 4


class Probe(QObject):
    """Runs the child once and writes down what happened."""

    def __init__(self, window: MainWindow, bridge: LoopThread, wanted: argparse.Namespace) -> None:
        super().__init__()
        self.facts: dict[str, object] = {}
        self._window = window
        self._bridge = bridge
        self._wanted = wanted
        self._watch = StallWatch(self)
        self._begun = (0.0, 0.0)
        self._done = (0, 0, 0)
        window.painted.connect(self._painted)

    @Slot()
    def _painted(self) -> None:
        self._window.show_page("load")
        if self._wanted.mode == "leave":
            QTimer.singleShot(self._wanted.close_ms, self._window.close)
        else:
            QTimer.singleShot(SETTLE_MS, self._begin)

    @Slot()
    def _begin(self) -> None:
        self._begun = (time.perf_counter(), time.process_time())
        self._done = self._load().done()
        self._watch.start()
        QTimer.singleShot(round(self._wanted.seconds * 1000), self._end)

    @Slot()
    def _end(self) -> None:
        wall, cpu = time.perf_counter() - self._begun[0], time.process_time() - self._begun[1]
        tokens, batches, moves = (now - then for now, then in zip(self._load().done(), self._done, strict=True))
        stalls = self._watch.stalls()
        self.facts |= {"stalls": asdict(stalls) if stalls else None, "cpu_share": cpu / wall}
        self.facts |= {"tokens_per_s": tokens / wall, "batches_per_s": batches / wall, "charts_per_s": moves / wall}
        self._window.close()

    def _load(self) -> LoadPage:
        from console.bench.load import LoadPage

        page = self._window.page("load")
        if not isinstance(page, LoadPage):
            raise TypeError(page)
        return page


class Clockwork:
    """A room that is busy: publishes 20 times a second and keeps a worker thread at work, as scrapes and imports do."""

    def __init__(self) -> None:
        self.published = Published(0)
        self._worker = Worker("bench")
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._run(), name="clockwork")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        await self._worker.aclose()

    async def _run(self) -> None:
        while True:
            number = await self._worker.run(partial(sum, range(20_000)))
            self.published.publish(self.published.value + (1 if number else 0))
            await asyncio.sleep(0.05)


def _unheard(_room: str) -> None:
    """The bench shows no progress of the start."""


def _page(theme: Theme, bridge: LoopThread) -> QWidget:
    # numpy and pyqtgraph are heavy: like every page, this one is made when it is first shown.
    from console.bench.load import LoadPage

    return LoadPage(theme, bridge)


def run(arguments: Sequence[str]) -> int:
    wanted = _parse(arguments)
    faults: list[str] = []
    app = QApplication([])
    theme = Theme("light")
    theme.apply(app)
    bridge = LoopThread(lambda error, where: faults.append(f"{where}: {error!r}"))
    bridge.start()
    life = Lifecycle(app, bridge, GuiCollector())
    strip = derive_strip(StripFacts(EngineState(), datetime.now(UTC), ZoneInfo("Asia/Kolkata")))
    pages = (PageEntry("load", "Load", "live", partial(_page, theme, bridge)),)
    window = MainWindow(theme, pages, strip)
    clockwork = Clockwork()
    bridge.mirror(clockwork.published)
    bridge.submit(partial(life.open_rooms, (Room("clockwork", clockwork.open, clockwork.close),), _unheard))
    probe = Probe(window, bridge, wanted)
    code = life.run(window)
    left = threads_left()
    print(json.dumps(probe.facts | {"code": code, "threads_left": left, "faults": faults}))
    if faults:
        return FAULTY
    return code if life.report.clean and not left else UNCLEAN


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("measure", "leave"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--close-ms", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
