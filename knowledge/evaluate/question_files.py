"""Questions from JSON Lines and back."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING, Any

from knowledge.errors import QuestionRefused
from knowledge.evaluate.questions import KnownQuestion, QuestionSource, Support, question_id_of
from storage.text import storable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LARGEST_FILE = 32 * 1024**2
FORM = '{"question": …, "language": "en", "tenant": …, "article": …, "passage": …}'


def read_questions(path: Path, source: QuestionSource = QuestionSource.EDITED) -> tuple[KnownQuestion, ...]:
    """Questions from a file with one JSON object a line; `source` counts where a line names none.

    A line has question, language and tenant; article and passage, or `supports` with several of both, or neither for a
    question that no article answers; perhaps id and `also`. Raises QuestionRefused, which names the line.
    """
    try:
        _refuse_endless(path)
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionRefused(f"{path} can't be read as questions: {error}. Choose a UTF-8 file.") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    return tuple(_read_line(path, number, line, source) for number, line in lines)


def _refuse_endless(path: Path) -> None:
    """A pipe or a device may never end. Raises OSError, QuestionRefused."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise QuestionRefused(f"{path} can't be read as questions: it is not an ordinary file. Choose a UTF-8 file.")
    if status.st_size > LARGEST_FILE:
        raise QuestionRefused(f"{path} has {status.st_size:,} of at most {LARGEST_FILE:,} bytes. Split it.")


def write_questions(path: Path, questions: Iterable[KnownQuestion]) -> None:
    """One JSON object a line, as `read_questions` reads them."""
    lines = [json.dumps(line_of(question), ensure_ascii=False) + "\n" for question in questions]
    path.write_text("".join(lines), encoding="utf-8")


def line_of(question: KnownQuestion) -> dict[str, Any]:
    supports = [{"article": support.article, "passage": support.passage} for support in question.supports]
    first = supports[0] if supports else {"article": None, "passage": None}
    return {
        "id": question.question_id,
        "question": question.text,
        "language": question.language,
        "tenant": question.tenant_id,
        **(first if len(supports) < 2 else {"supports": supports}),
        **({"also": list(question.also)} if question.also else {}),
        "source": question.source.value,
        **({"turn": question.turn_id} if question.turn_id else {}),
    }


def _read_line(path: Path, number: int, line: str, source: QuestionSource) -> KnownQuestion:
    try:
        return _question(json.loads(line), source)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise QuestionRefused(f"{path.name}, line {number}, is no question: {reason}. A line reads {FORM}.") from error


def _question(line: dict[str, Any], source: QuestionSource) -> KnownQuestion:
    supports = line.get("supports") or ([line] if line.get("article") else [])
    text, language, tenant_id = _text(line, "question"), _text(line, "language"), _text(line, "tenant")
    return KnownQuestion(
        question_id=str(line.get("id") or question_id_of(text, language, tenant_id)),
        text=text,
        language=language,
        tenant_id=tenant_id,
        supports=tuple(Support(_text(support, "article"), _text(support, "passage")) for support in supports),
        also=tuple(str(name) for name in line.get("also") or ()),
        source=QuestionSource(line.get("source") or source),
        turn_id=line.get("turn"),
    )


def _text(line: dict[str, Any], key: str) -> str:
    value = line[key]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key} is no text")
    return storable(value)
