"""The tour: the real window, the real engine, four questions, and a picture of every page in both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from console.app import Console
from console.lifecycle import leave
from console.tour.driver import Driver, ScriptFailed, Wait, pause
from console.tour.questions import QUESTIONS, TourQuestion, conversation_lines
from engine_host.engine.state import EngineStatus
from storage.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from console.chat.page import ChatPage
    from console.tour.driver import Script
    from storage.paths import Home

SIZE: Final = (1440, 900)
THEMES: Final = ("light", "dark")
ENGINE_S: Final = 300.0
ANSWER_S: Final = 120.0
SETTLE_S: Final = 1.5
"""A page reads its rows and draws its first samples."""


class Tour(QObject):
    """Runs once in a Console. `failure` is a sentence when something did not happen."""

    def __init__(self, console: Console, pictures: Path) -> None:
        super().__init__()
        self.failure = "The tour stopped: the window was closed before its end."
        self._console = console
        self._pictures = pictures
        self._first = ""
        self._driver = Driver(self._script())
        self._driver.ended.connect(self._ended)
        console.window.resize(*SIZE)
        console.opened.connect(self._driver.start)

    @Slot(str)
    def _ended(self, failure: str) -> None:
        self.failure = failure
        self._console.window.close()

    def _script(self) -> Script:
        engine = self._console.context.house.engine
        yield Wait("the engine's start", lambda: engine.state.value.status in _SETTLED, ENGINE_S)
        state = engine.state.value
        if not state.can_answer:
            raise ScriptFailed(f"{state.reason} {state.next_step}".strip() or "The engine did not start.")
        print(f"Engine {state.name}, {state.model}, {'hosted' if state.hosted else 'attached'} at {state.url}")
        self._console.window.show_page("chat")
        chat = self._chat()
        yield Wait("the list of customers", lambda: bool(chat.presenter.acting.state.people.customers), 30)
        for question in QUESTIONS:
            yield from self._ask(chat, question)
            self._first = self._first or chat.presenter.shown.conversation_id or ""
        yield from self._take_pictures()

    def _chat(self) -> ChatPage:
        from console.chat.page import ChatPage

        page = self._console.window.page("chat")
        if not isinstance(page, ChatPage):
            raise TypeError(page)
        return page

    def _ask(self, chat: ChatPage, question: TourQuestion) -> Script:
        presenter = chat.presenter
        presenter.act_as(question.tenant_id, question.customer_id)
        yield Wait("the customer's token", lambda: presenter.acting.state.token is not None, 10)
        presenter.send(question.text)
        yield Wait(f"the answer to “{question.text}”", lambda: presenter.asking is None, ANSWER_S)
        turn = presenter.shown.turns[-1]
        print("\n".join(conversation_lines(question, presenter.shown.title, turn.events)), flush=True)
        if turn.fault:
            raise ScriptFailed(turn.fault)

    def _take_pictures(self) -> Script:
        window, theme = self._console.window, self._console.theme
        self._pictures.mkdir(parents=True, exist_ok=True)
        before = theme.name
        for key in self._console.page_keys:
            window.show_page(key)
            self._arrange(key)
            yield pause(SETTLE_S)
            for name in THEMES:
                theme.set_name(name)
                yield pause(0.3)
                path = self._pictures / f"{key}-{name}.png"
                if not window.grab().save(str(path)):
                    raise ScriptFailed(
                        f"The picture {path} could not be written. Free some disk space or name a folder."
                    )
        theme.set_name(before)
        print(f"\nPictures of {len(self._console.page_keys)} pages in both themes: {self._pictures}")

    def _arrange(self, key: str) -> None:
        """Bring a page into the state that is worth a picture, by what a person would do."""
        if key == "chat":
            presenter = self._chat().presenter
            presenter.show(self._first)
            presenter.pick(presenter.shown.turns[0].key)
        elif key == "articles":
            from console.articles.page import ArticlesPage

            page = self._console.window.page("articles")
            if isinstance(page, ArticlesPage):
                page.show_article("refunds-and-cancellations.en")
                page.search("money back if the food is late")


_SETTLED = (EngineStatus.READY, EngineStatus.BUSY, EngineStatus.FAILED, EngineStatus.STOPPED, EngineStatus.LOST)


def run_tour(home: Home, pictures: Path) -> None:
    """Run the tour and end the process: 0 when everything was asked, answered and saved."""
    app = QApplication([])
    app.setApplicationName("Dabba Console")
    console = Console(app, home.make(), load_settings(home))
    tour = Tour(console, pictures)
    code = console.run()
    if tour.failure:
        print(tour.failure)
    leave(code or (1 if tour.failure else 0))
