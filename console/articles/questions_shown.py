"""What the pane says of the known questions that an article answers: found by the last evaluation or not. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.articles.words import count_text
from console.widgets.pill import PillMark

if TYPE_CHECKING:
    from console.articles.detail_calls import Detail

NOT_ASKED: Final = PillMark("Not asked yet")
AMONG: Final = 5


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """`place` where the first right passage came in the last evaluation, 0 = not among the first five."""

    question_id: str
    text: str
    language: str
    tenant_id: str
    mark: PillMark
    place: int


def derive_questions(detail: Detail) -> tuple[QuestionShown, ...]:
    results = {result.question_id: result for result in detail.results}
    shown: list[QuestionShown] = []
    for question in detail.questions:
        result = results.get(question.question_id)
        gains = result.gains[:AMONG] if result else ()
        place = next((number for number, gain in enumerate(gains, start=1) if gain), 0)
        mark = _mark(place) if result else NOT_ASKED
        shown.append(
            QuestionShown(question.question_id, question.text, question.language, question.tenant_id, mark, place)
        )
    return tuple(sorted(shown, key=lambda row: (row.place, row.text)))


def derive_verdict(detail: Detail) -> tuple[str, bool]:
    """`5 of 5 known questions find it.`, and whether all do; "" when none was ever asked."""
    asked = {result.question_id for result in detail.results}
    rows = [row for row in derive_questions(detail) if row.question_id in asked]
    if not rows:
        return "", True
    found = sum(row.place > 0 for row in rows)
    return f"{found} of {count_text(len(rows), 'known question')} find it.", found == len(rows)


def _mark(place: int) -> PillMark:
    return PillMark(f"Found, place {place}", "ok") if place else PillMark("Missed", "warn")
