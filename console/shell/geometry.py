"""Where the window was, kept as a small JSON file in the home folder."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)

SMALLEST: Final = (1024, 640)


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in device-independent px of the desktop."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Geometry:
    frame: Frame | None = None
    maximised: bool = False
    page: str = ""


def load_geometry(file: Path) -> Geometry:
    """What was saved; the default when there is nothing, or nothing that can be read."""
    try:
        raw: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        frame = raw["frame"]
        return Geometry(
            frame and Frame(*(int(frame[name]) for name in ("x", "y", "width", "height"))),
            bool(raw["maximised"]),
            str(raw["page"]),
        )
    except FileNotFoundError:
        return Geometry()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        log.warning("The window's last place in %s cannot be read and is not used: %s", file, error)
        return Geometry()


def save_geometry(file: Path, geometry: Geometry) -> None:
    """A folder that cannot be written costs the memory of the place, not the exit."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps(asdict(geometry)).encode())
    except OSError as error:
        log.warning("The window's place cannot be kept in %s: %s", file, error)


def fitted(frame: Frame, screens: tuple[Frame, ...]) -> Frame | None:
    """`frame` made to fit the screen that holds its middle; None when no screen does (it was unplugged)."""
    middle_x, middle_y = frame.x + frame.width // 2, frame.y + frame.height // 2
    for screen in screens:
        if screen.x <= middle_x < screen.x + screen.width and screen.y <= middle_y < screen.y + screen.height:
            width = min(max(frame.width, SMALLEST[0]), screen.width)
            height = min(max(frame.height, SMALLEST[1]), screen.height)
            x = min(max(frame.x, screen.x), screen.x + screen.width - width)
            y = min(max(frame.y, screen.y), screen.y + screen.height - height)
            return Frame(x, y, width, height)
    return None
