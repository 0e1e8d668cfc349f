"""Amounts of tokens in words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from storage.records import UsageDay

VISIBLE_SHARE: Final = 0.05
"""What is lower than this part of a quota would not be seen beside the quota's line."""


def tokens_of(day: UsageDay) -> int:
    """What counts against the quota."""
    return day.tokens.prompt + day.tokens.output


def amount_text(amount: int) -> str:
    """8.33 M, 12,345: what is much less than a million is told exactly."""
    return f"{amount / 1e6:.2f} M" if amount >= 100_000 else f"{amount:,}"


def round_text(quota: int) -> str:
    """8 M, 7.5 M, 6,000: a quota is a round number, and told whole."""
    return f"{quota / 1e6:g} M" if quota >= 1_000_000 else f"{quota:,}"


def kv_text(kv_hours: float | None) -> str:
    """Tokens times hours: below 10 with one digit after the point."""
    if kv_hours is None:
        return "–"
    return f"{kv_hours:.1f}" if 0 < kv_hours < 10 else amount_text(round(kv_hours))
