"""What every page is given. Pages are made by console/app.py after the house is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.loop_thread import LoopThread
    from console.house import House
    from console.theme.style import Theme
    from console.widgets.notices import Notice


@dataclass(frozen=True, slots=True)
class PageContext:
    """`notify` shows a notice; `go_to` opens another page by its key, such as `engine`."""

    theme: Theme
    bridge: LoopThread
    house: House
    notify: Callable[[Notice], None]
    go_to: Callable[[str], None]

    @property
    def zone(self) -> ZoneInfo:
        """The kitchen's time zone, in which every clock of the screen runs."""
        return ZoneInfo(self.house.settings.kitchen.timezone)
