"""One figure of one subject, as an alert sees it at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Asked:
    """Over how long a figure is taken, and how many events it needs."""

    window_s: float
    least: int


@dataclass(frozen=True, slots=True)
class Seen:
    """`value` None with `known` = there is none, such as a percentile of no event. `more` are words by their name."""

    value: float | None
    known: bool = True
    more: Mapping[str, str] = field(default_factory=dict[str, str])


NOT_KNOWN: Final = Seen(None, known=False)
NONE: Final = Seen(None)
