"""Contrast of two colours as WCAG 2.1 defines it: https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio"""

from __future__ import annotations


def contrast(one: str, other: str) -> float:
    """The ratio, 1 to 21, of two colours written #RRGGBB."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
