"""The load is really shown: tokens arrive in the transcripts, charts move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.load import CHARTS, STREAMS, TOKENS_A_MESSAGE, LoadPage, Transcript, tokens
from console.bridge.loop_thread import LoopThread

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


async def test_that_tokens_come_in_messages() -> None:
    stream = tokens(rate=1e6)
    items = [await anext(stream) for _ in range(2 * TOKENS_A_MESSAGE)]
    await stream.aclose()  # type: ignore[attr-defined]
    assert [number for number, item in enumerate(items, start=1) if item is None] == [400, 800]


def test_that_every_transcript_fills_and_every_chart_moves(theme: Theme, qtbot: QtBot) -> None:
    faults: list[object] = []
    bridge = LoopThread(lambda error, where: faults.append(error))
    bridge.start()
    page = LoadPage(theme, bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: all(t.tokens > 5 for t in page.transcripts) and page.charts.moves > CHARTS, timeout=20_000)
    shown, batches, _ = page.done()
    assert len(page.transcripts) == STREAMS
    assert batches < shown, "tokens are shown in batches"
    assert page.transcripts[0].words.startswith("dabba left our kitchen")
    assert bridge.stop().clean
    assert faults == []


def test_that_a_new_message_begins_where_the_last_one_ended(theme: Theme, qtbot: QtBot) -> None:
    bridge = LoopThread(lambda error, where: None)
    bridge.start()
    transcript = Transcript(theme, bridge, 1)
    qtbot.addWidget(transcript)
    bridge.stop()
    transcript.show_batch(("one ", "two", None, "three"))
    assert transcript.words == "three"
    transcript.show_batch((None,))
    assert transcript.words == ""
