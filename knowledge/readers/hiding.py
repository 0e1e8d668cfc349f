"""Whether a style hides text from the eye or takes it back: not displayed, no size, off the screen, struck. Pure."""

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
_NO_SCALE: Final = re.compile(r"scale[xy3d]*\(\s*0?(?:\.0\d*)?\s*[,)]")
_NO_SCALE_ALONE: Final = re.compile(r"0?(?:\.0\d*)?(?:\s.*)?")
_FAR: Final = re.compile(r"translate[xyz3d]*\([^)]*-\d{4,}")
_NO_FILTER: Final = re.compile(r"opacity\(\s*0?(?:\.0\d*)?%?\s*\)")
_NO_COLOR: Final = re.compile(
    r"transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
    r"|(?:rgb|hsl)a?\((?:[^,)]*(?:,[^,)]*){2},|[^/)]*/)\s*0?(?:\.0+)?%?\s*\)"  # the fourth number, or the one after /
)
_FONT_SIZE: Final = re.compile(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|ex|ch|%|vw|vh|in|cm|mm|pc)?)(?=[\s/])")
_WRAPPED: Final = re.compile(r"calc\(\s*([^\s()]+)\s*\)")
_PAST_EDGE: Final = re.compile(r"-(?:[2-9]\d\d|\d{4,})%")
OFF_SCREEN_PX: Final = -500.0
FAR_PX: Final = 5_000.0
ALIKE: Final = 8
TINY_PX: Final = 2.0
FAINT: Final = 0.06

HIDING_PROPERTIES: Final = frozenset(
    (
        *("display", "visibility", "opacity", "content-visibility", "color", "background", "background-color"),
        *("font-size", "width", "height", "max-width", "max-height", "overflow", "overflow-x", "overflow-y"),
        *("position", "left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent"),
        *("clip", "clip-path", "transform", "translate", "scale", "zoom", "filter", "-webkit-text-fill-color"),
        *("text-decoration", "text-decoration-line"),
        *("font", "letter-spacing", "margin", "inset"),
    )
)


def hides(style: Mapping[str, str]) -> bool:
    """`style` maps properties in lower case to their values in lower case."""
    return (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("content-visibility") == "hidden"
        or "line-through" in style.get("text-decoration", "") + style.get("text-decoration-line", "")
        or _is_faint(style)
        or _has_no_size(style)
        or _is_off_screen(style)
        or _EMPTY_CLIP.search(style.get("clip", "") + style.get("clip-path", "")) is not None
        or _NO_SCALE.search(style.get("transform", "")) is not None
        or _NO_FILTER.search(style.get("filter", "")) is not None
        or any(_NO_SCALE_ALONE.fullmatch(style[name]) for name in ("scale", "zoom") if style.get(name))
    )


def are_alike(color: str, ground: str) -> bool:
    """Whether the eye can't tell these colours, as `color_of` and `ground_of` give them, from each other."""
    if not (color.startswith("#") and ground.startswith("#") and len(color) == len(ground) == 7):
        return color != "" and color == ground
    pairs = ((int(color[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return all(abs(one - other) <= ALIKE for one, other in pairs)


def pixels(value: str) -> float | None:
    """The first length in `value`, about; percentages of what they relate to can't be known."""
    match = _LENGTH.match(_WRAPPED.sub(r"\1", value.strip()))
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
    name = re.sub(r"^(#(?:[0-9a-f]{3}){1,2})(?:f|ff)$", r"\1", name) if len(name) in (5, 9) else name
    numbers = re.fullmatch(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*(?:1(?:\.0*)?|100%)\s*)?\)", name)
    if numbers:
        return "#" + "".join(f"{min(int(number), 255):02x}" for number in numbers.groups())
    return "#" + "".join(2 * c for c in name[1:]) if re.fullmatch(r"#[0-9a-f]{3}", name) else name


def _is_faint(style: Mapping[str, str]) -> bool:
    opacity = style.get("opacity", "")
    number = _LENGTH.match(opacity)
    faint = number is not None and float(number[1]) / (100 if "%" in opacity else 1) < FAINT
    colors = (style.get("color", ""), style.get("-webkit-text-fill-color", ""))
    return faint or any(map(_NO_COLOR.fullmatch, colors))


def _has_no_size(style: Mapping[str, str]) -> bool:
    shorthand = _FONT_SIZE.search(style.get("font", ""))
    font = style.get("font-size") or (shorthand[1] if shorthand else "")
    size = pixels(font)
    if (size is not None and size < TINY_PX) or re.fullmatch(r"0(\.0+)?%", font):
        return True
    overflow = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if not any(map(overflow.__contains__, ("hidden", "clip", "auto", "scroll"))):
        return False
    sides = (pixels(style.get(name, "")) for name in ("width", "height", "max-width", "max-height"))
    return any(side is not None and side < TINY_PX for side in sides)


def _is_off_screen(style: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin", "margin-left", "margin-top", "letter-spacing", "translate"]
    if style.get("position") in ("absolute", "fixed", "relative"):
        names += ["left", "top", "right", "bottom", "inset"]
    values = [value for name in names for value in style.get(name, "").split()]
    moves = [move for move in map(pixels, values) if move is not None]
    return (
        any(move <= OFF_SCREEN_PX or move >= FAR_PX for move in moves)
        or any(map(_PAST_EDGE.match, values))
        or bool(_FAR.search(style.get("transform", "")))
    )
