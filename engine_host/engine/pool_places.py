"""The numbers of further engines in the settings: they stay when another one is added or removed. Pure.

An engine's number is its place in the home too, where its log lies and where it is found again by the next start. So
the engine after a removed one must not move up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.settings import MoreEngine

FIRST_FURTHER = 2
"""The number of the first engine beside the house's own."""


def free_number(used: Iterable[int]) -> int:
    """The least number that no further engine has."""
    taken = set(used)
    return next(number for number in range(FIRST_FURTHER, len(taken) + FIRST_FURTHER + 1) if number not in taken)


def numbered(more: tuple[MoreEngine, ...]) -> tuple[tuple[int, MoreEngine], ...]:
    """Each further engine with its number: the one that is written, else that of its position."""
    return tuple((wanted.number or position, wanted) for position, wanted in enumerate(more, start=FIRST_FURTHER))


def with_another(more: tuple[MoreEngine, ...], wanted: MoreEngine, number: int | None = None) -> tuple[MoreEngine, ...]:
    """`wanted` as the last one, under `number` while it is free there."""
    pairs = numbered(more)
    used = [one for one, _ in pairs]
    free = free_number(used) if number is None or number in used else number
    return written((*pairs, (free, wanted)))


def without(more: tuple[MoreEngine, ...], number: int, url: str | None) -> tuple[MoreEngine, ...]:
    """Without the engine of this number; under another number, only where its address tells which one it is."""
    pairs = numbered(more)
    alike = [one for one, wanted in pairs if wanted.url == url]
    gone = number if number in alike else next(iter(alike if url else ()), None)
    return written(pair for pair in pairs if pair[0] != gone)


def written(pairs: Iterable[tuple[int, MoreEngine]]) -> tuple[MoreEngine, ...]:
    """A number is written only where it is not that of the position."""
    return tuple(
        wanted.model_copy(update={"number": None if number == position else number})
        for position, (number, wanted) in enumerate(pairs, start=FIRST_FURTHER)
    )
