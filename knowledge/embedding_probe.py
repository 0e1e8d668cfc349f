"""What a model that nobody here has measured knows: which languages, and how alike it finds texts that are not."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ENGLISH = "en"
KNOWN_FROM = 0.8
"""So many of the sentences must be nearest to their own translation."""


class Embeds(Protocol):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Probed:
    languages: frozenset[str]
    unrelated: float


def probed(embedder: Embeds) -> Probed:
    """English, and every language whose sentences come to lie beside their English translations."""
    texts: dict[str, list[str]] = tomllib.loads(
        files("assets").joinpath("search/probe.toml").read_text(encoding="utf-8")
    )
    english = embedder.embed(texts[ENGLISH])
    alike = english @ english.T
    known = {ENGLISH}
    for language, sentences in texts.items():
        if language != ENGLISH:
            nearest = np.argmax(embedder.embed(sentences) @ english.T, axis=1)
            if np.mean(nearest == np.arange(len(english))) >= KNOWN_FROM:
                known.add(language)
    others = alike[~np.eye(len(english), dtype=bool)]
    return Probed(frozenset(known), max(0.0, float(np.mean(others))))
