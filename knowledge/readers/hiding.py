"""Whether a style hides text from the eye: not displayed, invisible, without size, off the screen, clipped. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_LENGTH: Final = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|ex|ch|%|vw|vh|in|cm|mm|pc)?")
_PIXELS: Final = {"em": 16.0, "rem": 16.0, "pt": 1.33, "in": 96.0, "cm": 38.0, "mm": 3.8, "pc": 16.0, "vw": 12.0}
_EMPTY_CLIP: Final = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)"
    r"|inset\(\s*(?:50|[6-9]\d|100)%|(?:circle|ellipse)\(\s*0"
)
_NO_SCALE: Final = re.compile(r"scale[xy3d]*\(\s*0(?:\.0+)?\s*[,)]")
_FAR: Final = re.compile(r"translate[xyz3d]*\([^)]*-\d{4,}")
_NO_COLOR: Final = re.compile(r"transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00|(?:rgb|hsl)a?\([^)]*[,/]\s*0(?:\.0+)?%?\s*\)")
OFF_SCREEN_PX: Final = -500.0
TINY_PX: Final = 2.0
FAINT: Final = 0.06

HIDING_PROPERTIES: Final = frozenset(
    (
        *("display", "visibility", "opacity", "content-visibility", "color", "background", "background-color"),
        *("font-size", "width", "height", "max-width", "max-height", "overflow", "overflow-x", "overflow-y"),
        *("position", "left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent"),
        *("clip", "clip-path", "transform"),
    )
)


def hides(style: Mapping[str, str]) -> bool:
    """`style` maps properties in lower case to their values in lower case."""
    return (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("content-visibility") == "hidden"
        or _is_faint(style)
        or _has_no_size(style)
        or _is_off_screen(style)
        or _EMPTY_CLIP.search(style.get("clip", "") + style.get("clip-path", "")) is not None
        or _NO_SCALE.search(style.get("transform", "")) is not None
    )


def pixels(value: str) -> float | None:
    """The first length in `value`, about; percentages of what they relate to can't be known."""
    match = _LENGTH.match(value.strip())
    if match is None or match[2] == "%":
        return None
    return float(match[1]) * _PIXELS.get(match[2] or "px", 1.0)


def color_of(style: Mapping[str, str]) -> str:
    """The colour of the text, comparable with a ground; "" when the style does not say."""
    return _plain(style.get("color", ""))


def ground_of(style: Mapping[str, str]) -> str:
    """The colour behind the text; "" when the style does not say."""
    ground = style.get("background-color") or style.get("background", "")
    return "" if _NO_COLOR.fullmatch(ground) or ground in ("none", "inherit", "initial") else _plain(ground)


def _plain(color: str) -> str:
    name = {"white": "#ffffff", "black": "#000000"}.get(color.strip(), color.strip())
    numbers = re.fullmatch(r"rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)", name)
    if numbers:
        return "#" + "".join(f"{min(int(number), 255):02x}" for number in numbers.groups())
    return "#" + "".join(2 * c for c in name[1:]) if re.fullmatch(r"#[0-9a-f]{3}", name) else name


def _is_faint(style: Mapping[str, str]) -> bool:
    opacity = style.get("opacity", "")
    number = _LENGTH.match(opacity)
    faint = number is not None and float(number[1]) / (100 if "%" in opacity else 1) < FAINT
    return faint or _NO_COLOR.fullmatch(style.get("color", "")) is not None


def _has_no_size(style: Mapping[str, str]) -> bool:
    font = style.get("font-size", "")
    size = pixels(font)
    if (size is not None and size < TINY_PX) or re.fullmatch(r"0(\.0+)?%", font):
        return True
    overflow = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if "hidden" not in overflow and "clip" not in overflow:
        return False
    sides = (pixels(style.get(name, "")) for name in ("width", "height", "max-width", "max-height"))
    return any(side is not None and side < TINY_PX for side in sides)


def _is_off_screen(style: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if style.get("position") in ("absolute", "fixed", "relative"):
        names += ["left", "top", "right", "bottom"]
    moves = (pixels(style.get(name, "")) for name in names)
    return any(move is not None and move <= OFF_SCREEN_PX for move in moves) or bool(
        _FAR.search(style.get("transform", ""))
    )
