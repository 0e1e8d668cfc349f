"""The design tokens of one theme, read once from assets/theme/tokens.json. No Qt in here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

ThemeName = Literal["light", "dark"]
ThemeSetting = Literal["system", "light", "dark"]
ColorToken = Literal[
    "canvas", "surface", "sunken", "rail", "line", "line-strong", "control",
    "text", "text-2", "text-3", "disabled", "hover", "pressed",
    "accent", "accent-hover", "accent-pressed", "accent-ink", "accent-tint", "accent-line", "on-accent", "focus",
    "ok", "ok-tint", "ok-line", "warn", "warn-tint", "warn-line",
    "error", "error-tint", "error-line", "info", "info-tint", "info-line",
    "grid", "axis", "hatch", "seg-a", "seg-b", "seg-hot",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeriesColor:
    """A tenant's colour: `fill` for areas, bars and dots, `line` for 1-px lines on `surface`."""

    number: int
    name: str
    fill: str
    line: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours as #RRGGBB, sizes and radii in device-independent pixels, type as (pixels, weight)."""

    name: ThemeName
    colors: Mapping[str, str]
    series: tuple[SeriesColor, ...]
    size: Mapping[str, int]
    radius: Mapping[str, int]
    type: Mapping[str, tuple[int, int]]


def load_tokens(name: ThemeName) -> Tokens:
    raw: dict[str, Any] = json.loads(files("assets").joinpath("theme", "tokens.json").read_text(encoding="utf-8"))
    series = tuple(SeriesColor(s["n"], s["name"], s[name]["fill"], s[name]["line"]) for s in raw["series"])
    faces = {role: (px, weight) for role, (px, weight) in raw["type"].items()}
    return Tokens(name, raw["color"][name], series, raw["size"], raw["radius"], faces)
