"""What labelled examples say of a question: those nearest to it by letters and, where that is known, by meaning."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from engine_host.answering.folding import fold, without_long_numbers
from engine_host.answering.labelled import examples
from engine_host.answering.language import detect_language
from engine_host.answering.leaning import Leaning
from engine_host.answering.likeness import LetterLikeness
from engine_host.answering.patterns import table
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engine_host.answering.labelled import Example

_log = logging.getLogger(__name__)
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Nearest:
    """`share` of the nearest examples' votes is for an order; `example` is the nearest of the side that won.

    `to_order` and `to_other` are the likeness to the nearest example of each side. `letters_only`: no meanings were
    compared.
    """

    share: float
    to_order: float
    to_other: float
    example: Example
    letters_only: bool

    @property
    def likeness(self) -> float:
        return max(self.to_order, self.to_other)

    @property
    def is_other(self) -> bool:
        """Whether the question is so like others that are not about an order that it is one of them."""
        limits = table("weights")
        return self.share <= limits["other_share"] and self.likeness >= limits["other_likeness"]


class Meanings(Protocol):
    """Texts as unit vectors; the product of two is how near their meanings are."""

    async def model(self) -> str:
        """The name of the embedder. Raises KnowledgeError."""
        ...

    async def of(self, question: str) -> NDArray[np.float32]:
        """Raises KnowledgeError."""
        ...

    async def of_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text. Raises KnowledgeError."""
        ...


class Examples:
    """The labelled examples. `meanings` None: they are compared by letters only."""

    def __init__(self, meanings: Meanings | None) -> None:
        self._meanings = meanings
        self._known: NDArray[np.float32] | None = None

    async def warm(self) -> None:
        """Embed the examples (seconds, the first time): until then questions are compared by letters only.

        Raises KnowledgeError.
        """
        letter_likeness()
        leaning()
        if self._meanings is not None and await self._meanings.model() == table("weights")["embedder"]:
            self._known = await self._meanings.of_all([one.text for one in examples() if one.roman])

    async def nearest_to(self, text: str, without: int | None = None) -> Nearest:
        """The nearest examples; the one in the place `without` is left out."""
        likeness = letter_likeness().to(text)
        weight: float = table("weights")["meaning"].get(detect_language(text), 0.0)
        meaning = await self._meaning(text) if weight else None
        if meaning is not None:
            likeness = (1 - weight) * likeness + weight * meaning
        if without is not None:
            likeness[without] = 0.0
        return voted(likeness, letters_only=meaning is None)

    async def _meaning(self, text: str) -> NDArray[np.float32] | None:
        """Nearness of meaning to each example, 0 where the embedder does not know it; None without an embedder."""
        if self._meanings is None or self._known is None:
            return None
        import numpy as np

        try:
            asked = await self._meanings.of(_unnumbered(text))
        except KnowledgeError as error:
            _log.info("Labelled examples are compared by letters only: %s", error)
            return None
        near = np.zeros(len(examples()), dtype=np.float32)
        near[[row for row, one in enumerate(examples()) if one.roman]] = np.maximum(self._known @ asked, 0)
        return near


def _unnumbered(text: str) -> str:
    """`text` as it was typed when no long number is in it: the search asks for the same vector then."""
    folded = fold(text)
    plain = without_long_numbers(folded)
    return text if plain == folded else " ".join(plain.split())


def by_letters(text: str) -> Nearest:
    return voted(letter_likeness().to(text), letters_only=True)


def voted(likeness: NDArray[np.floating], *, letters_only: bool) -> Nearest:
    """The vote of the nearest examples, each with the square of its likeness."""
    import numpy as np

    of_orders = _of_orders()
    rows = np.argpartition(-likeness, table("weights")["voters"])[: table("weights")["voters"]]
    votes = likeness[rows] ** 2
    share = float(votes[of_orders[rows]].sum() / max(float(votes.sum()), 1e-9))
    order = int(np.argmax(np.where(of_orders, likeness, -1)))
    other = int(np.argmax(np.where(of_orders, -1, likeness)))
    won = examples()[order if share >= HALF else other]
    return Nearest(share, float(likeness[order]), float(likeness[other]), won, letters_only)


@cache
def _of_orders() -> NDArray[np.bool_]:
    import numpy as np

    return np.array([one.is_order for one in examples()])


@cache
def letter_likeness() -> LetterLikeness:
    """The examples by their letters; made once, in about 0.1 s."""
    return LetterLikeness([one.text for one in examples()])


@cache
def leaning() -> Leaning:
    """Which way pieces of words lean in the examples."""
    return Leaning([one.text for one in examples()], [one.is_order for one in examples()])
