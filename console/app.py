"""The composition root of the window: what is made, in which order, and what hears what. Wiring only."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from console.bridge.collector import GuiCollector
from console.bridge.loop_thread import LoopThread
from console.lifecycle import Lifecycle, Room, leave
from console.page_watch import PageWatch
from console.promises import TTFT_PROMISE_S
from console.shell.crash import CrashReporter
from console.shell.crash_notice import CrashNotice
from console.shell.pages import PageEntry
from console.shell.strip_feed import StripFeed
from console.shell.window import MainWindow
from console.theme.style import Theme, theme_from_setting
from console.widgets.notices import Notice
from engine_host.engine.errors import StartFailed
from engine_host.engine.state import EngineStatus
from storage.settings import load_settings, save_settings

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.page_context import PageContext
    from console.rooms import ConsoleRooms
    from console.welcome.presenter import SetupPresenter
    from storage.paths import Home
    from storage.settings import Settings

HOUSE_LIMIT_S: Final = 20.0
START_FAILED: Final = "start failed"

log = logging.getLogger(__name__)


class Console(QObject):
    """The program. `opened` comes when every room is open and the pages can be shown."""

    opened = Signal()

    def __init__(self, app: QApplication, home: Home, settings: Settings) -> None:
        super().__init__()
        self._home = home
        self._reporter = CrashReporter(home.logs)
        self._reporter.install()
        self.theme = Theme(theme_from_setting(settings.appearance.theme))
        self.theme.apply(app)
        self.bridge = LoopThread(self._reporter.report)
        self._collector = GuiCollector()
        self._life = Lifecycle(app, self.bridge, self._collector)
        self._strip = StripFeed(ZoneInfo(settings.kitchen.timezone))
        self._strip.set_ttft_limit(TTFT_PROMISE_S)
        self.window = MainWindow(self.theme, self._pages(), self._strip.state, home.root / "window.json")
        self.window.rail.set_pages_enabled(False)
        self._page_watch = PageWatch(self.window)
        self._crash_notice = CrashNotice(self._reporter, self.window.notices, self.window)
        self._context: PageContext | None = None
        self._rooms: ConsoleRooms | None = None
        self._opening: Call | None = None
        self._setup: SetupPresenter | None = None
        self._connect()

    @property
    def context(self) -> PageContext:
        if self._context is None:
            raise RuntimeError("the pages are built before the house is open")
        return self._context

    @property
    def rooms(self) -> ConsoleRooms:
        if self._rooms is None:
            raise RuntimeError("the rooms are used before they are open")
        return self._rooms

    @property
    def page_keys(self) -> tuple[str, ...]:
        return tuple(entry.key for entry in self._pages())

    def run(self) -> int:
        """Show the window until it is closed; returns the exit status."""
        try:
            return self._life.run(self.window)
        finally:
            self._reporter.uninstall()

    def _connect(self) -> None:
        self._strip.changed.connect(self.window.set_strip)
        self._strip.start()
        self._life.before_stop(self._strip.stop)
        self.window.painted.connect(self._open)
        self.window.theme_chosen.connect(self._keep_theme)
        self.window.page_shown.connect(self._page_shown)

    def _pages(self) -> tuple[PageEntry, ...]:
        return (
            PageEntry("chat", "Chat", "chat", partial(self._page, "chat")),
            PageEntry("articles", "Articles", "articles", partial(self._page, "articles")),
            PageEntry("engine", "Engine", "engine", partial(self._page, "engine")),
            PageEntry("live", "Live", "live", partial(self._page, "live")),
            PageEntry("tenants", "Tenants", "tenants", partial(self._page, "tenants")),
            PageEntry("settings", "Settings", "settings", partial(self._page, "settings"), at_foot=True),
        )

    def _page(self, key: str) -> QWidget:
        """Build one page, when it is first shown."""
        from console.page_makers import make_page

        return make_page(key, self.context)

    @Slot()
    def _open(self) -> None:
        self._opening = self.bridge.submit(partial(self._open_house), "open the house")
        self._opening.done.connect(self._house_open)
        self._opening.failed.connect(self._house_failed)

    async def _open_house(self) -> ConsoleRooms:
        # Heavy imports happen here, in the loop thread, while the window is already painted.
        from console.rooms import ConsoleRooms

        rooms = ConsoleRooms(self._home)
        await self._life.open_rooms((Room("house", rooms.open, rooms.close, HOUSE_LIMIT_S),), lambda _room: None)
        return rooms

    @Slot(object)
    def _house_failed(self, error: Exception) -> None:
        self.window.notices.show_notice(Notice("house", "error", str(error)))

    @Slot(object)
    def _house_open(self, rooms: ConsoleRooms) -> None:
        from console.page_context import PageContext

        self._rooms = rooms
        notices = self.window.notices
        self._context = PageContext(self.theme, self.bridge, rooms.house, notices.show_notice, self.window.show_page)
        if rooms.set_up:
            self._go_on()
        else:
            self._show_setup(rooms)

    def _show_setup(self, rooms: ConsoleRooms) -> None:
        from console.welcome.page import SetupPage

        page = SetupPage(self.context, rooms.setup)
        self._setup = page.presenter
        page.finished.connect(self._setup_left)
        page.presenter.done.connect(self._setup_done)
        self._strip.setup_changed("Setting up")
        self.window.show_setup(page)

    @Slot()
    def _setup_left(self) -> None:
        """Every step is done, or the console was opened before that: the rest of the set-up goes on unseen."""
        self._strip.setup_changed("")
        self.window.end_setup(self.window.remembered_page)
        self._start_work()

    @Slot()
    def _setup_done(self) -> None:
        """What failed for want of a step works now."""
        if self.window.current:
            self._do_work()

    def _go_on(self) -> None:
        self.window.rail.set_pages_enabled(True)
        self.window.show_page(self.window.remembered_page)
        self._start_work()

    def _start_work(self) -> None:
        """Everything is there: follow the engine and its metrics, warm the library, bring an engine up."""
        house, figures = self.context.house, self.rooms.figures
        self.bridge.mirror(house.engine.state).changed.connect(self._strip.engine_changed)
        self.bridge.mirror(house.poller.latest).changed.connect(self._strip.scraped)
        self.bridge.mirror(figures.engines).changed.connect(self._strip.engines_changed)
        self.bridge.mirror(figures.ttft_p95).changed.connect(self._strip.ttft_changed)
        self.bridge.mirror(figures.errors).changed.connect(self._strip.errors_changed)
        self._strip.engine_changed(house.engine.state.value)
        self._watch_alerts()
        self._do_work()
        self.opened.emit()

    def _watch_alerts(self) -> None:
        from console.alert_desk import AlertDesk

        self._life.before_stop(AlertDesk(self.window, self.context).close)

    def _do_work(self) -> None:
        for job in (self.rooms.warm, self.rooms.offer_metrics, self.rooms.work):
            call = self.bridge.submit(job, job.__name__)
            call.failed.connect(self._work_failed)
            call.done.connect(self._work_done)

    @Slot(object)
    def _work_done(self, _nothing: object) -> None:
        self._collector.settle()

    @Slot(object)
    def _work_failed(self, error: Exception) -> None:
        if not isinstance(error, StartFailed):
            self.window.notices.show_notice(Notice(f"work: {error}", "error", str(error)))
        elif self.window.current != "engine" or not self._start_has_failed:
            self.window.notices.show_notice(Notice(START_FAILED, "error", error.fact, error.next_step))

    @property
    def _start_has_failed(self) -> bool:
        return self.context.house.engine.state.value.status is EngineStatus.FAILED

    @Slot(str)
    def _page_shown(self, key: str) -> None:
        """The Engine page says itself how a start failed."""
        if key == "engine" and self._start_has_failed:
            self.window.notices.dismiss(START_FAILED)

    @Slot(str)
    def _keep_theme(self, name: str) -> None:
        settings = load_settings(self._home)
        appearance = settings.appearance.model_copy(update={"theme": name})
        save_settings(self._home, settings.model_copy(update={"appearance": appearance}))


def open_console(home: Home) -> None:
    """Open the window and end the process with its exit status."""
    app = QApplication([])
    app.setApplicationName("Dabba Console")
    console = Console(app, home.make(), load_settings(home))
    leave(console.run())
