"""An article out of the library, and the receipt that says so.

The receipt is opened in the transaction that deletes the rows and completed when the index was seen without the
article; after a crash between the two `repair` completes it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from knowledge.article_history import DeletionReceipt, Probe
from knowledge.errors import IndexUnavailable
from knowledge.history_rows import receipt_of, receipt_row
from knowledge.language import base_language
from knowledge.publish_check import AMONG, asker_for, first_question
from knowledge.publish_hands import Step, to_the_end
from knowledge.rows import text_of
from storage.queries.articles import chunks_of, delete_article, get_article
from storage.queries.receipts import keep_receipt, open_receipts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from knowledge.article import Asker
    from knowledge.publish_hands import Hands
    from storage.records import ArticleRow, ChunkRow


@dataclass(frozen=True, slots=True)
class _Question:
    """A question of which a receipt keeps only what it was."""

    asked: str
    words: str
    asker: Asker


async def withdraw(hands: Hands, article_id: str) -> DeletionReceipt:
    """Delete the article; it answers nothing from the next search on. Raises NoSuchRecord, IndexUnavailable.

    When its points can't be deleted now, its rows are gone all the same and nothing of it is found.
    """
    row, chunks = await hands.db.run(lambda session: (get_article(session, article_id), chunks_of(session, article_id)))
    questions = _questions(row, chunks)
    receipt = DeletionReceipt(
        receipt_id=str(uuid.uuid4()),
        article_id=article_id,
        title=row.title,
        source_name=row.source_name,
        points_before=await hands.index.count(article_id),
        points_after=None,
        probes=tuple([Probe(one.asked, await _found(hands, article_id, one), None) for one in questions]),
        deleted_at=datetime.now(UTC),
        deleted_by=hands.by,
    )
    return await to_the_end(_withdraw(hands, receipt, questions))


async def complete_receipts(hands: Hands) -> int:
    """Finish the deletions that a crash left open. Their texts are gone, so only the titles can be asked for."""
    rows = await hands.db.run(open_receipts)
    for row in rows:
        await _prove(hands, receipt_of(row), ())
    return len(rows)


async def _withdraw(hands: Hands, receipt: DeletionReceipt, questions: Sequence[_Question]) -> DeletionReceipt:
    def write(session: Session) -> None:
        delete_article(session, receipt.article_id)
        keep_receipt(session, receipt_row(receipt))

    await hands.db.run(write)
    hands.switched()
    hands.reached(Step.WITHDRAWN)
    try:
        return await _prove(hands, receipt, questions)
    except IndexUnavailable as error:
        raise IndexUnavailable(
            f"{receipt.title} answers nothing any more, but its {receipt.points_before} pieces still lie unread in the "
            f"index. {error} They are deleted when the library is opened next."
        ) from error


async def _prove(hands: Hands, receipt: DeletionReceipt, questions: Sequence[_Question]) -> DeletionReceipt:
    await hands.index.delete_article(receipt.article_id)
    hands.reached(Step.DELETED)
    left = await hands.index.count(receipt.article_id)
    if left:
        raise IndexUnavailable(f"The index still holds {left} pieces of {receipt.title}.")
    probes = receipt.probes
    if questions:
        found = [await _found(hands, receipt.article_id, one) for one in questions]
        probes = tuple(replace(probe, found_after=after) for probe, after in zip(probes, found, strict=True))
    proven = replace(receipt, points_after=left, probes=probes)
    await hands.db.run(lambda session: keep_receipt(session, receipt_row(proven)))
    hands.reached(Step.RECEIPTED)
    return proven


def _questions(row: ArticleRow, chunks: Sequence[ChunkRow]) -> tuple[_Question, ...]:
    """Its title, and the beginnings of the first piece, the middle one and the last."""
    asker = asker_for(text_of(row))
    places = sorted({0, len(chunks) // 2, len(chunks) - 1}) if chunks else []
    beginnings = [
        _Question(f"the beginning of piece {place + 1} of {len(chunks)}", words, asker)
        for place in places
        if (words := first_question(row.title, chunks[place].text))
    ]
    return (_Question("its title", row.title, asker), *beginnings)


async def _found(hands: Hands, article_id: str, question: _Question) -> int:
    hits = await hands.index.search(question.words, question.asker, (base_language(question.asker.language),), AMONG)
    return sum(hit.article_id == article_id for hit in hits)
