"""What labelled examples say of a question: those nearest to it by letters and, where that is known, by meaning."""

from __future__ import annotations

import asyncio
import heapq
import json
import logging
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

from engine_host.answering.language import detect_language
from engine_host.answering.likeness import LetterLikeness
from engine_host.answering.patterns import table
from engine_host.answering.signs import LANGUAGES
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)
_ROMAN = ("en", "hinglish")
_ORDER_LABELS = ("order", "both")


@dataclass(frozen=True, slots=True)
class Example:
    """`label` is order, help, both or neither; `roman` is False for Devanagari, which the embedder does not know."""

    text: str
    label: str
    roman: bool

    @property
    def is_order(self) -> bool:
        return self.label in _ORDER_LABELS


@dataclass(frozen=True, slots=True)
class Nearest:
    """`share` of the nearest examples' votes is for an order; `example` is the nearest of the side that won."""

    share: float
    likeness: float
    example: Example

    @property
    def is_order(self) -> bool:
        limits = table("nearest")
        return self.share >= limits["order_share"] and self.likeness >= limits["order_likeness"]

    @property
    def is_order_for_sure(self) -> bool:
        limits = table("nearest")
        return self.share >= limits["sure_share"] and self.likeness >= limits["sure_likeness"]

    @property
    def is_other(self) -> bool:
        limits = table("nearest")
        return self.share <= limits["other_share"] and self.likeness >= limits["other_likeness"]

    @property
    def may_be_order(self) -> bool:
        limits = table("nearest")
        return self.share >= limits["unsure_share"] and self.likeness >= limits["unsure_likeness"]


class Meanings(Protocol):
    """Texts as unit vectors; the product of two is how near their meanings are."""

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
        self._embedding = asyncio.Lock()

    async def warm(self) -> None:
        """Embed the examples (some seconds), so that the first question doesn't wait for it."""
        letter_likeness()
        if self._meanings is not None:
            await self._meant(self._meanings)

    async def nearest_to(self, text: str) -> Nearest:
        likeness = letter_likeness().to(text)
        weight: float = table("nearest")["meaning"].get(detect_language(text), 0.0)
        if weight and (meaning := await self._meaning(text)) is not None:
            likeness = [(1 - weight) * one + weight * other for one, other in zip(likeness, meaning, strict=True)]
        return voted(likeness)

    async def _meaning(self, text: str) -> list[float] | None:
        """Nearness of meaning to each example, 0 where the embedder does not know it; None without an embedder."""
        if self._meanings is None:
            return None
        try:
            known = await self._meant(self._meanings)
            asked = await self._meanings.of(text)
        except KnowledgeError as error:
            _log.info("Labelled examples are compared by letters only: %s", error)
            return None
        near = iter((known @ asked).tolist())
        return [max(0.0, next(near)) if one.roman else 0.0 for one in examples()]

    async def _meant(self, meanings: Meanings) -> NDArray[np.float32]:
        """The vectors of those examples that the embedder knows, in their order."""
        async with self._embedding:
            if self._known is None:
                self._known = await meanings.of_all([one.text for one in examples() if one.roman])
            return self._known


def by_letters(text: str) -> Nearest:
    return voted(letter_likeness().to(text))


def voted(likeness: Sequence[float]) -> Nearest:
    """The vote of the nearest examples, each with the square of its likeness."""
    rows = heapq.nlargest(table("nearest")["voters"], range(len(likeness)), key=likeness.__getitem__)
    chosen = [examples()[row] for row in rows]
    votes = [likeness[row] ** 2 for row in rows]
    share = sum(vote for vote, one in zip(votes, chosen, strict=True) if one.is_order) / max(sum(votes), 1e-9)
    won = next(one for one in chosen if one.is_order == (share >= 0.5)) if sum(votes) else chosen[0]
    return Nearest(share, likeness[rows[0]], won)


@cache
def examples() -> tuple[Example, ...]:
    """All labelled examples, from assets/routing."""
    folder = files("assets").joinpath("routing")
    return tuple(
        Example(row["text"], row["label"], language in _ROMAN)
        for language in LANGUAGES
        for row in map(
            json.loads, folder.joinpath(f"examples.{language}.jsonl").read_text(encoding="utf-8").splitlines()
        )
    )


@cache
def letter_likeness() -> LetterLikeness:
    """The examples by their letters; made once, in about 0.1 s."""
    return LetterLikeness([one.text for one in examples()])
