"""The load is really shown: tokens arrive in the transcripts, plots move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.bench.load import PLOTS, STREAMS, TOKENS_A_MESSAGE, LoadPage, tokens
from console.bridge.loop_thread import LoopThread
from console.widgets.transcript_text import TranscriptText

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


async def test_that_tokens_come_in_messages() -> None:
    stream = tokens(rate=1e6)
    items = [await anext(stream) for _ in range(2 * TOKENS_A_MESSAGE)]
    await stream.aclose()  # type: ignore[attr-defined]
    assert [number for number, item in enumerate(items, start=1) if item is None] == [400, 800]


def test_that_every_transcript_fills_and_every_plot_moves(theme: Theme, qtbot: QtBot) -> None:
    faults: list[object] = []
    bridge = LoopThread(lambda error, where: faults.append(error))
    bridge.start()
    page = LoadPage(theme, bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: all(t.tokens > 5 for t in page.transcripts) and page.plots.moves > PLOTS, timeout=20_000)
    shown, batches, _ = page.done()
    assert len(page.transcripts) == STREAMS
    assert batches < shown, "tokens are shown in batches"
    assert bridge.stop().clean
    assert faults == []


@pytest.fixture
def text(theme: Theme, qtbot: QtBot) -> TranscriptText:
    text = TranscriptText()
    qtbot.addWidget(text)
    text.resize(200, 100)
    text.show()
    return text


def test_that_streamed_words_give_way_to_the_rendered_message_once(text: TranscriptText) -> None:
    for word in ("Your ", "**dabba** ", "left."):
        text.append_text(word)
    assert text.toPlainText() == "Your **dabba** left."
    text.finish("Your **dabba** left.")
    text.append_text("Next")
    assert text.toPlainText().split("\n") == ["Your dabba left.", "Next"]


def test_that_the_transcript_follows_its_end_unless_a_person_scrolled_up(text: TranscriptText) -> None:
    bar = text.verticalScrollBar()
    for number in range(50):
        text.append_text(f"line {number}\n")
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    text.append_text("more\n")
    assert bar.value() == 0
