"""The console that `dabba bench live` measures, as a child: the real rooms, the real Live page in a real window.

    python -m console.bench.live.program FOLDER --seconds 1800
    python -m console.bench.live.program FOLDER --until-told    from a line "watching" until its standard input ends

The home at FOLDER has its engines in its settings. Prints one JSON line; exit status 0 only after a clean stop.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import psutil
from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from console.bench.live.scrape_cost import scrape_costs_ms
from console.bridge.collector import GuiCollector
from console.bridge.loop_thread import LoopThread
from console.bridge.stall_watch import StallWatch
from console.lifecycle import Lifecycle, Room, threads_left
from console.live.page import LivePage
from console.page_context import PageContext
from console.page_makers import make_page
from console.page_watch import PageWatch
from console.rooms import ConsoleRooms
from console.shell.pages import PageEntry
from console.shell.strip_feed import StripFeed
from console.shell.window import MainWindow
from console.theme.style import Theme
from console.widgets.cards import Panel
from engine_host.metrics.samples import MetricSample
from storage.paths import Home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.bridge.calls import Call

SIZE: Final = (1440, 900)
SETTLE_S: Final = 8.0
"""Between the page's first figures and the measurement: fonts are loaded, the hour of turns was read once."""
CPU_PART: Final = 0.5
"""CPU time is taken in this part of the run; in the rest runs the fine timer that measures stalls, which costs CPU."""
MEMORY_MS: Final = 5_000
WAIT_MS: Final = 500
WATCHING: Final = "watching"
UNCLEAN: Final = 3
FAULTY: Final = 4


class Probe(QObject):
    """Runs the child once and writes down what happened. `at_work` = the rooms are, as they are after a start."""

    at_work = Signal()

    def __init__(self, rooms: ConsoleRooms, bridge: LoopThread, theme: Theme, wanted: argparse.Namespace) -> None:
        super().__init__()
        self.facts: dict[str, object] = {}
        self._rooms, self._bridge, self._theme, self._wanted = rooms, bridge, theme, wanted
        self._strip = StripFeed(ZoneInfo("Asia/Kolkata"))
        self.window = MainWindow(theme, (PageEntry("live", "Live", "live", self._page),), self._strip.state)
        self.window.resize(*SIZE)
        self._page_watch = PageWatch(self.window)
        self._readings = self._scrapes_before = 0
        self._watch = StallWatch(self)
        self._memory: list[tuple[float, float]] = []
        self._begun = (0.0, 0.0)
        self._memory_timer = QTimer(self)
        self._memory_timer.setInterval(MEMORY_MS)
        self._memory_timer.timeout.connect(self._weigh)
        self._input: QSocketNotifier | None = None

    @Slot(object)
    def opened(self, _nothing: object) -> None:
        house, feed = self._rooms.house, self._strip
        feed.changed.connect(self.window.set_strip)
        self._bridge.mirror(house.engine.state).changed.connect(feed.engine_changed)
        self._bridge.mirror(house.poller.latest).changed.connect(feed.scraped)
        feed.start()
        work: Call = self._bridge.submit(self._rooms.work, "work")
        work.failed.connect(self.failed)
        work.finished.connect(self.at_work)
        self.window.show_page("live")
        self._wait_for_engines()

    @Slot(object)
    def failed(self, error: object) -> None:
        """Nothing can be measured: the house did not open, or has no engine."""
        self.facts["error"] = str(error)
        self.window.close()

    def leave(self) -> None:
        self._strip.stop()

    def _page(self) -> QWidget:
        notices = self.window.notices
        context = PageContext(self._theme, self._bridge, self._rooms.house, notices.show_notice, self.window.show_page)
        page = make_page("live", context)
        if not isinstance(page, LivePage):
            raise TypeError(page)
        page.presenter.changed.connect(self._count)
        return page

    @Slot()
    def _count(self) -> None:
        self._readings += 1

    def _scrapes_read(self) -> int:
        """Of all engines; one that failed is none."""
        seats = self._rooms.house.engines.seats
        return sum(isinstance(one, MetricSample) for seat in seats for one in seat.poller.scrapes)

    @Slot()
    def _wait_for_engines(self) -> None:
        seats = self._rooms.house.engines.seats
        if all(len(seat.poller.scrapes) > 1 for seat in seats):
            QTimer.singleShot(round(self._wanted.settle * 1000), self._begin)
        else:
            QTimer.singleShot(WAIT_MS, self._wait_for_engines)

    @Slot()
    def _begin(self) -> None:
        self._begun = (time.perf_counter(), time.process_time())
        self._readings, self._scrapes_before = 0, self._scrapes_read()
        self._weigh()
        self._memory_timer.start()
        if self._wanted.until_told:
            print(WATCHING, flush=True)
        else:
            QTimer.singleShot(round(self._wanted.seconds * CPU_PART * 1000), self._watch_stalls)
            QTimer.singleShot(round(self._wanted.seconds * 1000), self._end)

    def _cpu_share(self) -> float:
        """Of one core, since the beginning."""
        return (time.process_time() - self._begun[1]) / (time.perf_counter() - self._begun[0])

    @Slot()
    def _watch_stalls(self) -> None:
        self.facts["cpu_share"] = self._cpu_share()
        self._watch.start()

    def end_when_told(self) -> None:
        """When the input ends: also when whoever started this has died."""
        self._input = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._input.activated.connect(self._told_to_end)

    @Slot()
    def _told_to_end(self) -> None:
        if self._input is not None:
            self._input.setEnabled(False)
        if self._memory_timer.isActive():
            self._end()
        else:
            self.window.close()

    @Slot()
    def _weigh(self) -> None:
        self._memory.append((time.perf_counter() - self._begun[0], psutil.Process().memory_info().rss / 2**20))

    @Slot()
    def _end(self) -> None:
        wall = time.perf_counter() - self._begun[0]
        self.facts.setdefault("cpu_share", self._cpu_share())
        self._memory_timer.stop()
        stalls = self._watch.stalls()
        self._watch.stop()
        seats = self._rooms.house.engines.seats
        self.facts |= {
            "readings_a_second": self._readings / wall,
            "stalls": asdict(stalls) if stalls else None,
            "memory": self._memory,
            "engines": len(seats),
            "panels": sum(panel.isVisibleTo(self.window) for panel in self.window.findChildren(Panel)),
            "scrapes_a_second": (self._scrapes_read() - self._scrapes_before) / wall,
        }
        urls = [seat.session.state.value.url for seat in seats]
        work = partial(scrape_costs_ms, self._rooms.house.database, urls, self._wanted.rounds)
        call: Call = self._bridge.submit(work, "scrape costs")
        call.done.connect(self._costs_known)
        call.finished.connect(self.window.close)

    @Slot(object)
    def _costs_known(self, costs_ms: object) -> None:
        self.facts["costs_ms"] = costs_ms


def run(arguments: Sequence[str]) -> int:
    wanted = _parse(arguments)
    faults: list[str] = []
    app = QApplication([])
    theme = Theme("light")
    theme.apply(app)
    bridge = LoopThread(lambda error, where: faults.append(f"{where}: {error!r}"))
    bridge.start()
    collector = GuiCollector()
    life = Lifecycle(app, bridge, collector)
    rooms = ConsoleRooms(Home(wanted.folder))
    probe = Probe(rooms, bridge, theme, wanted)
    if wanted.until_told:
        probe.end_when_told()
    life.before_stop(probe.leave)
    house = Room("house", rooms.open, rooms.close, 20.0)
    opening = bridge.submit(partial(life.open_rooms, (house,), lambda _room: None))
    opening.done.connect(probe.opened)
    probe.at_work.connect(collector.settle)
    opening.failed.connect(probe.failed)
    code = life.run(probe.window)
    left = threads_left()
    print(json.dumps(probe.facts | {"code": code, "threads_left": left, "faults": faults}))
    if faults or "error" in probe.facts:
        return FAULTY
    return code if life.report.clean and not left else UNCLEAN


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--settle", type=float, default=SETTLE_S)
    parser.add_argument("--until-told", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
