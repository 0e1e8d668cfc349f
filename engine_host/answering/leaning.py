"""Which way the pieces of a question's words lean, of two ways that labelled examples go: to orders or not, say."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.answering.likeness import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNSEEN = 0.5


@dataclass(frozen=True, slots=True)
class Lean:
    """`total` is the log odds for the asked side, over the square root of the pieces that count; `mean` is over their
    number.

    `unknown` is the share of pieces that no example has.
    """

    total: float
    mean: float
    unknown: float


class Leaning:
    """Counts in how many examples of each side a piece stands."""

    def __init__(self, texts: Sequence[str], on_side: Sequence[bool]) -> None:
        self._pieces = [frozenset(pieces(text)) for text in texts]
        self._on_side = tuple(on_side)
        self._sides = (sum(not one for one in on_side), sum(on_side))
        self._counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for found, side in zip(self._pieces, on_side, strict=True):
            self._counts[side].update(found)

    def of(self, text: str, without: int | None = None) -> Lean:
        """The lean of `text`; the example in the place `without` is left out of the counts."""
        asked = frozenset(pieces(text))
        taken = asked & self._pieces[without] if without is not None else frozenset[str]()
        side = self._on_side[without] if without is not None else False
        odds, known = 0.0, 0
        for piece in asked:
            away = self._counts[False][piece] - (piece in taken and not side)
            towards = self._counts[True][piece] - (piece in taken and side)
            if away or towards:
                known += 1
                odds += self._log_share(towards, side=True) - self._log_share(away, side=False)
        counted = max(known, 1)
        return Lean(odds / math.sqrt(counted), odds / counted, 1 - known / max(len(asked), 1))

    def _log_share(self, count: int, *, side: bool) -> float:
        return math.log((count + _UNSEEN) / (self._sides[side] + 1))
