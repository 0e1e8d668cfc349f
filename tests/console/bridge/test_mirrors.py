"""Published values of the loop as the GUI thread sees them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from console.bridge.mirrors import Tap
from engine_host.published import Published

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.bridge.loop_thread import LoopThread
    from tests.console.bridge.conftest import Probe


async def _publish(published: Published[int], *values: int) -> None:
    for value in values:
        published.publish(value)


async def _publish_and_tell(published: Published[int], all_there: threading.Event) -> None:
    await _publish(published, *range(1, 500))
    all_there.set()


def test_that_a_change_is_heard_in_the_gui_thread(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    published = Published(1)
    mirror = bridge.mirror(published)
    mirror.changed.connect(probe.on_changed)
    assert mirror.value == 1
    bridge.submit(_publish(published, 2))
    qtbot.waitUntil(lambda: mirror.value == 2)
    assert probe.named("changed") == [2]
    assert probe.threads == {threading.get_ident()}


def test_that_many_changes_at_once_are_one_signal_with_the_newest(
    bridge: LoopThread, probe: Probe, qtbot: QtBot
) -> None:
    published = Published(0)
    mirror = bridge.mirror(published)
    mirror.changed.connect(probe.on_changed)
    all_there = threading.Event()
    bridge.submit(_publish_and_tell(published, all_there))
    assert all_there.wait(10)  # the GUI thread hears nothing meanwhile
    qtbot.waitUntil(lambda: mirror.value == 499)
    assert probe.named("changed") == [499]


def test_that_a_value_published_before_the_watch_began_is_not_missed(qtbot: QtBot) -> None:
    posted: list[int] = []

    class Box:
        def post(self, address: int, letter: object) -> None:
            posted.append(address)

    published = Published("ready")
    tap = Tap(published, Box(), "starting")  # type: ignore[arg-type]
    tap.address = 7
    tap.open()
    assert posted == [7]
    assert tap.take() == "ready"


def test_that_a_closed_mirror_hears_nothing(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    published = Published(0)
    mirror = bridge.mirror(published)
    mirror.changed.connect(probe.on_changed)
    mirror.close()
    call = bridge.submit(_publish(published, 5))
    qtbot.waitUntil(lambda: not call.running)
    assert probe.events == []
    assert mirror.value == 0
