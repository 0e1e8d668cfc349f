"""The console of the journeys: the real window, offscreen, driven by one of the scripts below, in a process of its own.

    python -m tests.journeys.desk engine_death
    python -m tests.journeys.desk leave_streaming --after-ms 300

Prints one JSON object of what happened and ends with the exit status of the console, or 1 when the script failed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from console.app import Console
from console.lifecycle import leave, threads_left
from console.tour.driver import Driver, ScriptFailed, Wait, pause
from engine_host.answering.events import Ended, Quoted, Writing
from engine_host.engine.process import group_members
from engine_host.engine.state import EngineStatus
from engine_host.metrics.samples import MetricSample
from storage.paths import home_from_environment
from storage.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.articles.page import ArticlesPage
    from console.chat.page import ChatPage
    from console.chat.tracked import TrackedTurn
    from console.tour.driver import Script

HELP = "How late must the dabba be for me to get it free, and when do I get my refund?"
START_S, ANSWER_S = 180.0, 60.0


@dataclass(slots=True)
class Desk:
    """What a script works with. `facts` are printed at the end."""

    console: Console
    wanted: argparse.Namespace
    facts: dict[str, Any] = field(default_factory=dict[str, Any])

    def page(self, key: str) -> Any:
        self.console.window.show_page(key)
        return self.console.window.page(key)

    @property
    def status(self) -> EngineStatus:
        return self.console.context.house.engine.state.value.status

    def ready(self) -> Wait:
        return Wait("a ready engine", lambda: self.console.context.house.engine.state.value.is_well, START_S)

    def ask(self, text: str) -> Script:
        """Send a question on the Chat page; goes on when the engine writes."""
        chat: ChatPage = self.page("chat")
        chat.presenter.act_as("kamala", "C-2291")
        yield Wait("the customer's token", lambda: chat.presenter.acting.state.token is not None, 20)
        chat.composer.box.setPlainText(text)
        chat.composer.send_button.click()
        yield Wait("the first token", lambda: bool(self.turn().all_of(Writing)), ANSWER_S)

    def turn(self) -> TrackedTurn:
        chat: Any = self.console.window.page("chat")
        return chat.presenter.shown.turns[-1]


def engine_death(desk: Desk) -> Script:
    """Kill the API server in mid-answer, look what the chat says, wait for the engine's restart, ask again."""
    yield desk.ready()
    chat: ChatPage = desk.page("chat")
    yield from desk.ask(HELP)
    group = desk.console.context.house.engine.state.value.process_group
    if group is None or desk.turn().last_of(Ended) is not None:
        raise ScriptFailed("The answer ended before the engine was killed.")
    members = [one.name() for one in group_members(group)]
    killed = time.monotonic()
    os.kill(group, signal.SIGKILL)
    yield Wait("the end of the turn", lambda: chat.presenter.asking is None, 10)
    desk.facts |= {"members": members, "turn_ended_s": time.monotonic() - killed, **told(desk.turn())}
    yield Wait("the engine's failure", lambda: desk.status is EngineStatus.FAILED, 10)
    failed = desk.console.context.house.engine.state.value
    desk.facts |= {"failed_s": time.monotonic() - killed, "reason": failed.reason, "next_step": failed.next_step}
    strip = desk.console.window.strip
    yield Wait("the strip to say so", lambda: strip.state.pill.text not in ("Ready", "Busy"), 10)
    desk.facts |= {"strip": strip.state.pill.text, "strip_s": time.monotonic() - killed}
    yield Wait("the end of the workers", lambda: not group_members(group), 10)
    desk.facts["workers_gone_s"] = time.monotonic() - killed
    desk.page("engine")
    yield Wait("the new start", lambda: desk.status is EngineStatus.STARTING, 15)
    yield desk.ready()
    yield from desk.ask(HELP)
    yield Wait("the second answer", lambda: chat.presenter.asking is None, ANSWER_S)
    desk.facts["second"] = told(desk.turn())


def told(turn: TrackedTurn) -> dict[str, str]:
    ended, quoted = turn.last_of(Ended), turn.last_of(Quoted)
    kept = {"outcome": ended.outcome.value, "say": ended.say, "why": ended.why} if ended else {}
    return kept | {"fault": turn.fault, "quoted": quoted.text if quoted else ""}


def leave_streaming(desk: Desk) -> Script:
    yield desk.ready()
    yield from desk.ask(HELP)
    yield from moment(desk)


def leave_scraping(desk: Desk) -> Script:
    desk.page("live")
    latest = desk.console.context.house.poller.latest
    yield Wait("a first sample", lambda: isinstance(latest.value, MetricSample), 30)
    yield from moment(desk)


def leave_importing(desk: Desk) -> Script:
    page: ArticlesPage = desk.page("articles")
    desks = page.presenter.importing
    page.presenter.add([Path(desk.wanted.folder)])
    yield Wait("the first file", lambda: desks.state is not None and bool(desks.state.rows), 60)
    yield from moment(desk)
    desk.facts["left"] = desks.runs


def leave_starting(desk: Desk) -> Script:
    state = desk.console.context.house.engine.state
    yield Wait("the engine's process", lambda: state.value.process_group is not None, 60)
    yield from moment(desk)
    desk.facts |= {"left": desk.status is EngineStatus.STARTING, "phases": len(state.value.phases)}


def leave_opening(desk: Desk) -> Script:
    """Begins when the window is painted, not when the house is open."""
    yield from moment(desk)


def moment(desk: Desk) -> Script:
    yield pause(desk.wanted.after_ms / 1000)


SCRIPTS: dict[str, Callable[[Desk], Script]] = {
    one.__name__: one
    for one in (engine_death, leave_streaming, leave_scraping, leave_importing, leave_starting, leave_opening)
}


class Drive(QObject):
    """Runs a script when the console is open and closes the window at its end."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.failure = "The window was closed before the script's end."
        self._window = desk.console.window
        self._driver = Driver(SCRIPTS[desk.wanted.script](desk))
        self._driver.ended.connect(self._ended)
        self._driver._timer.setInterval(5)
        begin = self._window.painted if desk.wanted.script == "leave_opening" else desk.console.opened
        begin.connect(self._driver.start)

    @Slot(str)
    def _ended(self, failure: str) -> None:
        self.failure = failure
        QTimer.singleShot(0, self._window.close)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", choices=SCRIPTS)
    parser.add_argument("--after-ms", type=int, default=0)
    parser.add_argument("--folder", default="")
    wanted = parser.parse_args()
    home = home_from_environment()
    console = Console(QApplication([]), home.make(), load_settings(home))
    desk = Desk(console, wanted)
    drive = Drive(desk)
    code = console.run()
    report = console._life.report
    desk.facts |= {"failure": drive.failure, "clean": report.clean, "threads": threads_left()}
    print(json.dumps(desk.facts), flush=True)
    leave(code or (1 if drive.failure else 0))


if __name__ == "__main__":
    main()
