"""The set-up page, from the state of a run to what a person sees and does."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from PySide6.QtGui import QGuiApplication

from console.bridge.loop_thread import LoopThread
from console.page_context import PageContext
from console.setup.machine import Machine, PackageIndex, Processor
from console.setup.run import SetupRun, SetupState, StepState, StepStatus
from console.setup.steps import EMBEDDING, KITCHEN, MODEL, PACKAGES, RUNTIME, SetupRefused, SetupStep, StepReport
from console.setup.works import RuntimeWork
from console.welcome.page import SetupPage
from console.welcome.setup_shown import (
    derive_heading,
    derive_machine,
    derive_steps,
    hint_bytes,
    needed_bytes,
    seconds_text,
)
from console.welcome.ways import use_python
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.secret_room import SecretRoom
from storage.settings import Settings, load_settings
from tests.fakes.fake_vllm import FakeVllm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

RUNNING = StepState(
    RUNTIME, StepStatus.RUNNING, StepReport("torch-2.13.0+cpu", 740e6, 1.12e9), rate=14.2e6, left_s=27.0, seconds=52.0
)


class Work:
    """A step that waits until it is let go."""

    def __init__(self, step: SetupStep, *, done: bool = False, refusal: str = "") -> None:
        self.step = step
        self._done = done
        self._refusal = refusal
        self.may_end = asyncio.Event()
        self.cancelled = False

    async def is_done(self) -> bool:
        return self._done

    async def run(self, report: Callable[[StepReport], None]) -> str:
        report(StepReport(f"doing {self.step.title}", 10e6, 20e6))
        if self._refusal:
            raise SetupRefused(self._refusal)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        self._done = True
        return "there now"


@pytest.fixture
def context(theme: Theme, qtbot: QtBot, tmp_path: Path) -> Iterator[PageContext]:
    bridge = LoopThread(lambda error, where: pytest.fail(f"{where}: {error}"))
    bridge.start()
    home, settings = Home(tmp_path / "home").make(), Settings()
    secrets, engine = SecretRoom(home), EngineSession(home, settings)
    house = SimpleNamespace(home=home, settings=settings, secrets=secrets, engine=engine, database=None, library=None)
    bridge.add_closer("engine", engine.close)
    bridge.add_closer("secrets", secrets.close)
    yield PageContext(theme, bridge, cast("Any", house), lambda _notice: None, lambda _key: None)
    bridge.stop()


def open_page(context: PageContext, qtbot: QtBot, *works: Work) -> SetupPage:
    page = SetupPage(context, SetupRun(works))
    qtbot.addWidget(page)
    page.show()
    return page


def status(page: SetupPage, place: int) -> StepStatus:
    return page.presenter.state.setup.steps[place].status


def let_end(context: PageContext, work: Work) -> None:
    async def do() -> None:
        work.may_end.set()

    context.bridge.submit(do)


def test_that_a_running_step_shows_amount_rate_and_time_left() -> None:
    shown = derive_steps(SetupState((StepState(PACKAGES, StepStatus.DONE, was_there=True), RUNNING)))
    assert shown[0].right == "already there"
    assert shown[1].figures == ("740 MB of 1.12 GB", "14.2 MB/s", "27 s left")
    assert (shown[1].right, shown[1].remark, shown[1].ways_around) == ("running 52 s", "torch-2.13.0+cpu", True)
    assert shown[1].fraction == pytest.approx(0.66, abs=0.01)


def test_that_what_is_not_known_is_left_out() -> None:
    unknown = StepState(RUNTIME, StepStatus.RUNNING, StepReport("making it"))
    shown = derive_steps(SetupState((unknown,)))[0]
    assert (shown.figures, shown.fraction) == ((), None)


def test_that_the_heading_counts_what_is_true() -> None:
    state = SetupState((StepState(PACKAGES, StepStatus.DONE), RUNNING, StepState(MODEL, StepStatus.FAILED)))
    assert derive_heading(state) == "3 steps. 1 done, 1 running, 1 failed."
    assert seconds_text(125) == "2 min 05 s"


def test_that_the_disk_needed_counts_only_what_is_missing() -> None:
    state = SetupState((StepState(PACKAGES, StepStatus.DONE), StepState(RUNTIME), StepState(EMBEDDING)))
    assert needed_bytes(state) == hint_bytes(RUNTIME.size_hint) + hint_bytes(EMBEDDING.size_hint)


def test_that_the_machine_says_what_would_stop_the_set_up() -> None:
    machine = Machine(
        system="Linux", processor=Processor("x", "x86_64", 2, False), memory_total=24 * 10**9, memory_free=10**9,
        disk_free=10**9, gpus=(), index=PackageIndex("https://pypi.org/simple", False, "it did not answer within 2 s"),
        loopback=True, display=None,
    )  # fmt: skip
    facts = {one.name: one for one in derive_machine(machine, SetupState((StepState(RUNTIME),)), frozenset())}
    assert facts["Processor"].tone == facts["Disk"].tone == facts["Network"].tone == facts["Fonts"].tone == "warn"
    assert facts["GPU"].tone == "info"


def test_that_the_page_does_what_is_missing_and_ends_by_itself(context: PageContext, qtbot: QtBot) -> None:
    model, kitchen = Work(EMBEDDING), Work(KITCHEN)
    page = open_page(context, qtbot, Work(PACKAGES, done=True), model, kitchen)
    qtbot.waitUntil(lambda: status(page, 1) is StepStatus.RUNNING)
    qtbot.waitUntil(lambda: "doing Embedding model" in page.doing.text)
    with qtbot.waitSignal(page.finished):
        let_end(context, model)
        let_end(context, kitchen)
    qtbot.waitUntil(lambda: not page.presenter.state.running)


def test_that_stopping_keeps_what_is_done_and_go_on_continues(context: PageContext, qtbot: QtBot) -> None:
    first = Work(EMBEDDING)
    page = open_page(context, qtbot, first)
    qtbot.waitUntil(lambda: status(page, 0) is StepStatus.RUNNING)
    page.stop.click()
    assert page.stop.text() == "Stopping…"
    qtbot.waitUntil(lambda: page.stop.text() == "Go on")
    assert first.cancelled
    assert status(page, 0) is StepStatus.CANCELLED
    page.stop.click()
    qtbot.waitUntil(lambda: status(page, 0) is StepStatus.RUNNING)
    with qtbot.waitSignal(page.finished):
        let_end(context, first)


def test_that_a_refusal_is_shown_at_its_step_and_can_be_tried_again(context: PageContext, qtbot: QtBot) -> None:
    page = open_page(context, qtbot, Work(RUNTIME, refusal="The disk is full. Make room."))
    qtbot.waitUntil(lambda: status(page, 0) is StepStatus.FAILED)
    assert page.rows[0]._text.text() == "The disk is full. Make room."
    qtbot.waitUntil(lambda: page.stop.text() == "Go on")
    assert page.rows[0].python.isVisible()


def test_that_the_console_can_be_opened_before_all_is_done(context: PageContext, qtbot: QtBot) -> None:
    page = open_page(context, qtbot, Work(EMBEDDING))
    with qtbot.waitSignal(page.finished):
        page.open_now.click()


def test_that_what_was_said_is_copied(context: PageContext, qtbot: QtBot) -> None:
    page = open_page(context, qtbot, Work(EMBEDDING))
    qtbot.waitUntil(lambda: "doing" in page.doing.text)
    page.doing._copy.click()
    assert "doing Embedding model  20.0 MB" in QGuiApplication.clipboard().text()


def test_that_an_engine_elsewhere_makes_the_runtime_unneeded(
    context: PageContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = (Work(MODEL), Work(EMBEDDING), Work(KITCHEN))
    monkeypatch.setattr(
        "console.welcome.page.setup_works", lambda home, settings, **_: (RuntimeWork(home, settings), *others)
    )
    fake = FakeVllm(model="elsewhere")
    opened = context.bridge.submit(fake.__aenter__())
    qtbot.waitUntil(lambda: not opened.running)
    page = open_page(context, qtbot, *(Work(step) for step in (RUNTIME, MODEL, EMBEDDING, KITCHEN)))
    page.rows[0].attach.click()
    dialog = page.dialog
    assert dialog is not None
    dialog.url.setText(fake.url)
    dialog.ask.click()
    qtbot.waitUntil(lambda: page.dialog is None)
    qtbot.waitUntil(lambda: status(page, 0) is StepStatus.DONE)
    assert load_settings(context.house.home).engine.attach_url == fake.url
    page.presenter.stop()
    closed = context.bridge.submit(fake.__aexit__(None, None, None))
    qtbot.waitUntil(lambda: not closed.running)


async def test_that_a_python_without_vllm_is_refused_and_not_kept(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    rooms = SimpleNamespace(home=home, secrets=SecretRoom(home), engine=EngineSession(home, Settings()))
    with pytest.raises(SetupRefused, match="has no vLLM"):
        await use_python(cast("Any", rooms), "/bin/false")
    assert load_settings(home).engine.python is None
    await rooms.secrets.close()
