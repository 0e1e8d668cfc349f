"""Receipts of deleted articles: written with the deletion, completed when the index was seen without the article."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from storage.article_records import ReceiptRow
from storage.models import DeletionReceiptTable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NAMES = tuple(field.name for field in fields(ReceiptRow))


def keep_receipt(session: Session, receipt: ReceiptRow) -> None:
    session.merge(DeletionReceiptTable(**(asdict(receipt) | {"probes": list(receipt.probes)})))
    session.flush()


def all_receipts(session: Session) -> tuple[ReceiptRow, ...]:
    """Newest first."""
    table = DeletionReceiptTable
    return tuple(_receipt_of(row) for row in session.scalars(select(table).order_by(table.deleted_at.desc())))


def open_receipts(session: Session) -> tuple[ReceiptRow, ...]:
    """Deletions of which the index has not been seen without the article."""
    table = DeletionReceiptTable
    query = select(table).where(table.points_after.is_(None)).order_by(table.deleted_at)
    return tuple(_receipt_of(row) for row in session.scalars(query))


def _receipt_of(row: DeletionReceiptTable) -> ReceiptRow:
    values: dict[str, Any] = {name: getattr(row, name) for name in NAMES}
    values["probes"] = tuple(row.probes)
    return ReceiptRow(**values)
