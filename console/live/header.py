"""The header of the Live page: which engine, over how long, and what can be done with what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from console.live.view import ALL, SPANS, WINDOWS
from console.widgets.buttons import Button, IconButton
from console.widgets.fields import Choice, ComboBox
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from console.widgets.pill import LOOKS
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from console.live.pool_shown import EngineChoice
    from console.live.view import View
    from console.theme.style import Theme

WORDS_PX: Final = 1130
"""Narrower than this the two choices say only in their tooltips what they are of."""


class LiveHeader(PageHeader):
    """`engine_choice`, `window_choice`, `span_choice`, `pause`; `history_asked()` for what was, `wall_asked()` for the
    kitchen's screen."""

    history_asked = Signal()
    wall_asked = Signal()

    def __init__(self, theme: Theme, view: View, parent: QWidget | None = None) -> None:
        super().__init__("Live", parent=parent)
        self.engine_choice = ComboBox(theme, [Choice(ALL, "All engines")], name="Engine")
        self.add_beside_title(self.engine_choice)
        self.window_choice = Segment([Option(key, text) for key, text in WINDOWS.items()])
        self.window_choice.setToolTip("Percentiles over")
        self.window_choice.setAccessibleName("Percentiles over")
        self.window_choice.set_value(f"{view.window_s:.0f}")
        self.span_choice = ComboBox(theme, [Choice(key, text) for key, text in SPANS.items()], name="Show last")
        self.span_choice.setToolTip("Show last")
        self.span_choice.set_key(f"{view.span_s:.0f}")
        self._words = [Label(words, "small", "text-2") for words in ("Percentiles over", "Show last")]
        for label, choice in zip(self._words, (self.window_choice, self.span_choice), strict=True):
            label.setContentsMargins(8, 0, 0, 0)
            self.add_action(label)
            self.add_action(choice)
        self.add_gap()
        self.pause = Button(theme, "Pause", icon="pause")
        self.add_action(self.pause)
        self.history = Button(theme, "History", icon="history")
        self.history.setToolTip("Scroll back, compare with another day, export, write an incident report")
        self.history.clicked.connect(self.history_asked)
        self.add_action(self.history)
        self.wall = IconButton(theme, "monitor", "Show on the kitchen's screen (F11)", framed=True)
        self.wall.clicked.connect(self.wall_asked)
        self.add_action(self.wall)

    def show_engines(self, choices: Sequence[EngineChoice], key: str) -> None:
        """With a dot in the colour of each one's state."""
        self.engine_choice.set_choices([Choice(one.key, one.text, dot=LOOKS[one.kind][3]) for one in choices])
        self.engine_choice.set_key(key)

    def show_pause(self, *, paused: bool) -> None:
        self.pause.setText("Resume" if paused else "Pause")
        self.pause.set_icon("play" if paused else "pause")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for label in self._words:
            label.setVisible(self.width() >= WORDS_PX)
