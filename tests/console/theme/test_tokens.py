"""The palette: complete, the same names in both themes, and readable by the figures of WCAG 2.1."""

from __future__ import annotations

from typing import get_args

import pytest

from console.theme.contrast import contrast
from console.theme.tokens import ColorToken, ThemeName, load_tokens

THEMES: tuple[ThemeName, ...] = ("light", "dark")
TEXT = {
    "text": "canvas surface sunken rail hover pressed accent-tint warn-tint error-tint ok-tint info-tint",
    "text-2": "canvas surface sunken rail hover accent-tint error-tint warn-tint",
    "text-3": "canvas surface sunken rail hover accent-tint",
    "accent": "surface canvas",
    "accent-ink": "accent-tint surface rail hover sunken",
    "on-accent": "accent accent-hover accent-pressed",
    "ok": "surface ok-tint canvas sunken rail",
    "warn": "surface warn-tint canvas sunken rail",
    "error": "surface error-tint canvas sunken rail",
    "info": "surface info-tint canvas sunken rail",
}
SHAPES = {"control": "surface canvas", "focus": "surface canvas rail", "seg-hot": "surface"}
PAIRS = [(front, back, 4.5) for front, backs in TEXT.items() for back in backs.split()]
PAIRS += [(front, back, 3.0) for front, backs in SHAPES.items() for back in backs.split()]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("front", "back", "needed"), PAIRS)
def test_that_a_pair_of_colours_is_readable(theme: ThemeName, front: str, back: str, needed: float) -> None:
    colors = load_tokens(theme).colors
    assert contrast(colors[front], colors[back]) >= needed


@pytest.mark.parametrize("theme", THEMES)
def test_that_every_series_line_stands_out_on_a_card(theme: ThemeName) -> None:
    tokens = load_tokens(theme)
    assert [s.number for s in tokens.series] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(contrast(s.line, tokens.colors["surface"]) >= 3 for s in tokens.series)


def test_that_contrast_matches_the_published_extremes() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


@pytest.mark.parametrize("theme", THEMES)
def test_that_the_names_known_to_the_code_are_the_names_in_the_file(theme: ThemeName) -> None:
    assert set(load_tokens(theme).colors) == set(get_args(ColorToken))
