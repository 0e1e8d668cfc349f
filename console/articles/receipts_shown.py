"""What a receipt of a deletion says: what was there, what is left, and what was asked to prove it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.articles.words import count_text
from console.widgets.key_value import Pair
from console.widgets.pill import PillMark

if TYPE_CHECKING:
    from datetime import tzinfo

    from knowledge.article_history import DeletionReceipt, Probe

NO_RECEIPTS: Final = "Nothing was deleted yet. Each deletion leaves a receipt here."


def derive_proof(receipt: DeletionReceipt) -> PillMark:
    return PillMark("Gone, proven", "ok") if receipt.proven else PillMark("Not proven yet", "warn")


def derive_pairs(receipt: DeletionReceipt, zone: tzinfo) -> tuple[Pair, ...]:
    after = "not seen yet" if receipt.points_after is None else f"{receipt.points_after:,}"
    return (
        Pair("proof", pill=derive_proof(receipt)),
        Pair("file", receipt.source_name, mono=True),
        Pair("deleted", when_text(receipt, zone)),
        Pair("by", receipt.deleted_by or "–"),
        Pair("points", f"{receipt.points_before:,} in the index before, {after} after"),
    )


def derive_probe(probe: Probe) -> str:
    """What one question found before and after."""
    before = "not asked" if probe.found_before is None else f"{count_text(probe.found_before, 'piece')} found"
    after = "not asked" if probe.found_after is None else f"{probe.found_after:,}"
    return f"By {probe.asked}: {before} before, {after} after."


def derive_line(receipt: DeletionReceipt) -> str:
    return f"{receipt.points_before:,} → {'?' if receipt.points_after is None else f'{receipt.points_after:,}'}"


def when_text(receipt: DeletionReceipt, zone: tzinfo) -> str:
    return f"{receipt.deleted_at.astimezone(zone):%d %b %Y, %H:%M:%S}"
