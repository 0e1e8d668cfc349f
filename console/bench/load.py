"""The load under which the GUI thread is measured: 32 transcripts at 50 tokens/s each while 12 plots move at 10 Hz."""

# pyqtgraph comes without types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyqtgraph as pg  # pyright: ignore[reportMissingTypeStubs]
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from console.widgets.transcript_text import TranscriptText

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from console.bridge.loop_thread import LoopThread
    from console.bridge.streams import Stream
    from console.theme.style import Theme

STREAMS: Final = 32
TOKENS_PER_S: Final = 50
TOKENS_A_MESSAGE: Final = 400
PLOTS: Final = 12
POINTS: Final = 600
PLOT_MS: Final = 100
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


class Transcript(QObject):
    """Shows one stream as the chat shows an answer: batches at the end, Markdown once when a message ends."""

    def __init__(self, bridge: LoopThread, text: TranscriptText, number: int) -> None:
        super().__init__(text)
        self._text = text
        self._message: list[str] = []
        self.tokens = 0
        self.batches = 0
        self.stream: Stream = bridge.stream(tokens, f"transcript {number}")
        self.stream.batch.connect(self.show_batch)

    @Slot(tuple)
    def show_batch(self, items: tuple[str | None, ...]) -> None:
        self.batches += 1
        self.tokens += len(items)
        fresh: list[str] = []
        for item in items:
            if item is None:
                self._text.finish("".join((*self._message, *fresh)))
                self._message, fresh = [], []
            else:
                fresh.append(item)
        if fresh:
            self._message += fresh
            self._text.append_text("".join(fresh))


class Plots(QWidget):
    """Curves made once over rings that move on; fixed ranges, 1-px pens."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._random = np.random.default_rng(1)
        self._rings = self._random.random((PLOTS, POINTS))
        self._curves: list[Any] = []
        self._turn = 0
        self.moves = 0
        self._axis = np.arange(POINTS, dtype=float)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for number in range(PLOTS):
            grid.addWidget(self._make(theme), number // 6, number % 6)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(PLOT_MS // PLOTS)
        self._timer.timeout.connect(self._move)
        self._timer.start()

    def _make(self, theme: Theme) -> QWidget:
        plot: Any = pg.PlotWidget()
        plot.setBackground(theme.color("surface"))
        plot.setXRange(0, POINTS, padding=0)
        plot.setYRange(0, 1, padding=0)
        plot.getAxis("left").setWidth(34)
        self._curves.append(plot.plot(pen=pg.mkPen(theme.color("accent"), width=1)))
        return plot

    @Slot()
    def _move(self) -> None:
        """One plot at a time, each 10 times a second: all at once would keep the GUI thread from anything else."""
        self._turn = (self._turn + 1) % PLOTS
        ring = self._rings[self._turn]
        ring[:-1] = ring[1:]
        ring[-1] = self._random.random()
        self._curves[self._turn].setData(self._axis, ring)
        self.moves += 1


class LoadPage(QWidget):
    """Everything at once, all of it visible."""

    def __init__(self, theme: Theme, bridge: LoopThread) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        grid = QGridLayout()
        self.transcripts: list[Transcript] = []
        for number in range(STREAMS):
            text = TranscriptText()
            grid.addWidget(text, number // 8, number % 8)
            self.transcripts.append(Transcript(bridge, text, number))
        column.addLayout(grid, 2)
        self.plots = Plots(theme)
        column.addWidget(self.plots, 1)

    def done(self) -> tuple[int, int, int]:
        """Tokens shown, batches taken, plots moved since the start."""
        tokens, batches = (sum(getattr(t, name) for t in self.transcripts) for name in ("tokens", "batches"))
        return tokens, batches, self.plots.moves
