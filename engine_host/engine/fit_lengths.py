"""How long this kitchen's conversations really are, for a plan; a default before there are any. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine_host.engine.fit_reserve import Conversation, default_conversation

if TYPE_CHECKING:
    from collections.abc import Sequence

ENOUGH: Final = 20
"""Fewer turns say little about the length of the next one."""


def conversation_of(lengths: Sequence[int]) -> Conversation:
    """`lengths`: tokens of prompt and answer of each turn. The prompt carries the history, so a turn is all of it."""
    if len(lengths) < ENOUGH:
        return default_conversation()
    ordered = sorted(lengths)
    return Conversation(_share(ordered, 0.5), _share(ordered, 0.95), len(ordered))


def _share(ordered: Sequence[int], share: float) -> int:
    """The smallest length that this share of all does not pass."""
    return ordered[math.ceil(share * len(ordered)) - 1]
