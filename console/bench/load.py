"""The load under which the GUI thread is measured: 32 transcripts at 50 tokens/s each while 12 charts move at 10 Hz."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from console.widgets.chart import Chart
from console.widgets.chart_data import Line, SampleRing
from console.widgets.growing_text import GrowingText

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from console.bridge.loop_thread import LoopThread
    from console.bridge.streams import Stream
    from console.theme.style import Theme

STREAMS: Final = 32
TOKENS_PER_S: Final = 50
TOKENS_A_MESSAGE: Final = 400
CHARTS: Final = 12
POINTS: Final = 600
CHART_MS: Final = 100
WORDS: Final = tuple("the dabba left our kitchen at half past twelve and डब्बा reaches gate two before lunch".split())  # noqa: SIM905


async def tokens(rate: float = TOKENS_PER_S) -> AsyncIterator[str | None]:
    """Words by the clock, a paragraph every 60, None at the end of a message; endless until it is closed."""
    loop = asyncio.get_running_loop()
    start, count = loop.time(), 0
    while True:
        count += 1
        await asyncio.sleep(start + count / rate - loop.time())
        if count % TOKENS_A_MESSAGE == 0:
            yield None
        else:
            yield WORDS[count % len(WORDS)] + ("\n" if count % 60 == 0 else " ")


class Transcript(QScrollArea):
    """Shows one stream in the widget of the chat page: a new text for every message, words added at its end."""

    def __init__(self, theme: Theme, bridge: LoopThread, number: int) -> None:
        super().__init__()
        self.tokens = 0
        self.batches = 0
        self._theme = theme
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.addStretch(1)
        self._text = self._begin_message()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self._inner)
        self.verticalScrollBar().rangeChanged.connect(self._follow)
        self.stream: Stream = bridge.stream(tokens, f"transcript {number}")
        self.stream.batch.connect(self.show_batch)

    @property
    def words(self) -> str:
        """Of the message that is being written."""
        return self._text.toPlainText()

    @Slot(tuple)
    def show_batch(self, items: tuple[str | None, ...]) -> None:
        self.batches += 1
        self.tokens += len(items)
        *ended, last = "".join("\0" if item is None else item for item in items).split("\0")
        for text in ended:
            self._text.append_text(text)
            self._text = self._begin_message()
        if last:
            self._text.append_text(last)

    def _begin_message(self) -> GrowingText:
        text = GrowingText(self._theme)
        self._column.insertWidget(self._column.count() - 1, text)
        return text

    @Slot(int, int)
    def _follow(self, _least: int, most: int) -> None:
        self.verticalScrollBar().setValue(most)


class Charts(QWidget):
    """The charts of the Live page, each with a new sample 10 times a second.

    They move one after the other: all at once would keep the GUI thread from anything else.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.moves = 0
        self._random = np.random.default_rng(1)
        self._rings = [SampleRing(("value",), POINTS) for _ in range(CHARTS)]
        self._charts = [Chart(theme, (Line("value", "value", fill=True),)) for _ in range(CHARTS)]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for number, chart in enumerate(self._charts):
            for point in range(POINTS):
                self._add(number, point)
            chart.set_top(1.0)
            grid.addWidget(chart, number // 6, number % 6)
        self._begun = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(CHART_MS // CHARTS // 2)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _add(self, number: int, sample: int) -> None:
        self._rings[number].append(sample / 10, {"value": float(self._random.random())})

    @Slot()
    def _tick(self) -> None:
        """Qt skips ticks that are late; the clock says whether a chart is owed."""
        owed = (time.perf_counter() - self._begun) * 1000 / CHART_MS * CHARTS - self.moves
        if owed >= 1:
            self._move()

    def _move(self) -> None:
        number, sample = self.moves % CHARTS, POINTS + self.moves // CHARTS
        self._add(number, sample)
        ring = self._rings[number]
        self._charts[number].set_data(
            {"value": (ring.times, ring.values("value"))}, (sample / 10 - 60, sample / 10), ()
        )
        self.moves += 1


class LoadPage(QWidget):
    """Everything at once, all of it visible."""

    def __init__(self, theme: Theme, bridge: LoopThread) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        grid = QGridLayout()
        self.transcripts = [Transcript(theme, bridge, number) for number in range(STREAMS)]
        for number, transcript in enumerate(self.transcripts):
            grid.addWidget(transcript, number // 8, number % 8)
        column.addLayout(grid, 2)
        self.charts = Charts(theme)
        column.addWidget(self.charts, 1)

    def done(self) -> tuple[int, int, int]:
        """Tokens shown, batches taken, charts moved since the start."""
        tokens, batches = (sum(getattr(t, name) for t in self.transcripts) for name in ("tokens", "batches"))
        return tokens, batches, self.charts.moves
