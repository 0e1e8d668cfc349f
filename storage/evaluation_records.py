"""Records of what retrieval is measured with: known questions, and runs with their figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class EvaluationQuestionRow:
    """A question as kept. `supports` are pairs of an article's source name and a text in it; none = unanswerable."""

    question_id: str
    text: str
    language: str
    tenant_id: str
    supports: tuple[tuple[str, str], ...]
    also: tuple[str, ...]
    source: str
    turn_id: str | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class EvaluationRunRow:
    """A run or a sweep as kept. `settings`, `figures` and `results` are JSON of the room that measured."""

    run_id: str
    kind: str
    at: datetime
    version: str
    settings: Mapping[str, Any]
    figures: Mapping[str, Any]
    results: tuple[Mapping[str, Any], ...]
