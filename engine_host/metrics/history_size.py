"""How large the history of the engines can become. Pure."""

from __future__ import annotations

from typing import Final

from engine_host.metrics.history import LEVELS

ROW_BYTES: Final = {1: 400, 10: 450, 60: 550}
"""Bytes of a sample in a block, by step: no page of a busy vLLM 0.32 came near them (tests measure it)."""
OVERHEAD: Final = 1.25
"""What the database adds: half empty pages, keys, an index."""


def most_rows(step_s: int) -> int:
    """Rows of one engine at a step, when each second brings a sample: what is kept, and what waits to be thinned."""
    number = next(place for place, level in enumerate(LEVELS) if level.step_s == step_s)
    level = LEVELS[number]
    waiting = LEVELS[number + 1].block_s if number + 1 < len(LEVELS) else 0
    return (level.kept_s + max(level.block_s, waiting)) // step_s


def most_bytes(engines: int = 1) -> int:
    """What all levels of so many engines take on the disk at most, after 30 days and ever after."""
    return round(engines * OVERHEAD * sum(most_rows(level.step_s) * ROW_BYTES[level.step_s] for level in LEVELS))
