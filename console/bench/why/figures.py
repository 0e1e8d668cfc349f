"""What "Why slow?" said of each incident, held against what was planted. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine_host.metrics.why_told import Cause, Why

TARGETS: Final[Mapping[str, str]] = {"named_share": ">= 0.9"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`total` is how long the victim's turn took, in s."""

    planted: Cause
    said: Why
    total: float

    @property
    def named(self) -> bool:
        return self.said.cause is self.planted

    @property
    def words(self) -> str:
        named = "named" if self.named else f"MISNAMED as {self.said.cause.value}"
        return f"{self.planted.value}: {named} ({self.total:.1f} s). {self.said.sentence}"


def key_of(cause: Cause) -> str:
    """What a cause is called in the figures and on the command line."""
    return cause.name.lower()


def figures_of(verdicts: Sequence[Verdict]) -> dict[str, float | None]:
    """Counts; how often each cause was named of how often it was planted is one figure each, a share."""
    planted, named = Counter(one.planted for one in verdicts), Counter(one.planted for one in verdicts if one.named)
    return {
        "incidents": float(len(verdicts)),
        "named": float(named.total()),
        "named_share": named.total() / len(verdicts) if verdicts else None,
        **{f"named_{key_of(cause)}": named[cause] / count for cause, count in planted.items()},
    }
