"""Versions, drafts and receipts between this floor's records and the rows of the storage floor. Pure."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from knowledge.article_history import DeletionReceipt, Draft, How, Probe, Version
from knowledge.rows import text_of
from storage.article_records import ReceiptRow

if TYPE_CHECKING:
    from storage.article_records import DraftRow, VersionRow


def version_of(row: VersionRow) -> Version:
    return Version(row.article_id, row.number, text_of(row.text), How(row.how), row.made_at, row.made_by)


def draft_of(row: DraftRow) -> Draft:
    return Draft(row.article_id, text_of(row.text), row.saved_at, row.saved_by)


def receipt_of(row: ReceiptRow) -> DeletionReceipt:
    return DeletionReceipt(
        receipt_id=row.receipt_id,
        article_id=row.article_id,
        title=row.title,
        source_name=row.source_name,
        points_before=row.points_before,
        points_after=row.points_after,
        probes=tuple(Probe(**cast("dict[str, Any]", probe)) for probe in row.probes),
        deleted_at=row.deleted_at,
        deleted_by=row.deleted_by,
    )


def receipt_row(receipt: DeletionReceipt) -> ReceiptRow:
    return ReceiptRow(
        receipt_id=receipt.receipt_id,
        article_id=receipt.article_id,
        title=receipt.title,
        source_name=receipt.source_name,
        points_before=receipt.points_before,
        points_after=receipt.points_after,
        probes=tuple(asdict(probe) for probe in receipt.probes),
        deleted_at=receipt.deleted_at,
        deleted_by=receipt.deleted_by,
    )
