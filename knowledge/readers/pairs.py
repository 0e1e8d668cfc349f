"""Tables of questions and answers (CSV, TSV): one article with a section for each question. Pure."""

from __future__ import annotations

import csv
import io
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from knowledge.errors import ReadRefused
from knowledge.readers.markdown import clean_markdown
from knowledge.readers.record import Extract, Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from knowledge.readers.encodings import Decoded

    Row = list[str]

_COLUMNS: dict[str, str] = tomllib.loads(files("assets").joinpath("reading/pairs.toml").read_text(encoding="utf-8"))
_QUESTION: Final = frozenset(_COLUMNS["question"].strip().splitlines())
_ANSWER: Final = frozenset(_COLUMNS["answer"].strip().splitlines())
_RESTRICTS: Final = frozenset(("tenant", "tenants", "audience", "valid_from", "valid_to", "valid from", "valid to"))
_DELIMITERS: Final = ",;\t|"
_PROBE_LINES: Final = 40
_LONGEST_QUESTION: Final = 300
MOST_ROWS: Final = 20_000
_TOLD: Final = "Name two columns question and answer in its first row."


def extract_pairs(decoded: Decoded) -> Extract:
    """The article of a table. Raises ReadRefused for one that has no pairs."""
    text = decoded.text
    first, _, rest = text.partition("\n")
    told = first.strip().lower()
    by_excel = told.startswith("sep=") and len(told) == 5  # its own way to name the delimiter
    rows = _rows(rest, told[4]) if by_excel else _rows(text, _delimiter(text))
    if not rows:
        raise ReadRefused(f"It has no text. {_TOLD}")
    head, pairs = _pairs_of(rows)
    sections = list(_sections(pairs, first_row=1 + bool(head)))
    body = "\n\n".join(text for text, _ in sections if text)
    if not body:
        raise ReadRefused(f"It has no row with a question and an answer. {_TOLD}")
    body, notes = clean_markdown(body)
    return Extract(body, decoded.encoding, notes=(*decoded.notes, *_notes(head, sections), *notes))


def _delimiter(text: str) -> str:
    """The one that cuts the first rows into the same number of columns, most of them alike."""
    head = "\n".join(text.split("\n")[:_PROBE_LINES])

    def fit(delimiter: str) -> tuple[float, int]:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(head), delimiter=delimiter) if any(row)]
        except csv.Error:
            return 0.0, 0
        usual = max(set(widths), key=lambda width: (width > 1, widths.count(width)), default=0)
        return (widths.count(usual) / len(widths) if usual > 1 else 0.0), -_DELIMITERS.index(delimiter)

    return max(_DELIMITERS, key=fit)


def _rows(text: str, delimiter: str) -> list[Row]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [[" ".join(c.split(" ")).strip() for c in row] for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise ReadRefused(
            f"Line {reader.line_num:,} can't be read: its quotation marks don't match. Correct it and save it anew."
        ) from error
    if len(rows) > MOST_ROWS:
        raise ReadRefused(f"It has {len(rows):,} of at most {MOST_ROWS:,} rows. Split it by topic.")
    return rows


def _pairs_of(rows: list[Row]) -> tuple[Row, list[tuple[str, str]]]:
    """The row of headings ([] when there is none) and the pairs below it."""
    question, answer = _named(rows[0])
    if question is not None and answer is not None:
        _refuse_columns(rows, {question, answer})
        return rows[0], [(_cell(row, question), _cell(row, answer)) for row in rows[1:]]
    if max(map(len, rows)) == 2:
        return [], [(_cell(row, 0), _cell(row, 1)) for row in rows]
    width = max(map(len, rows))
    what = "1 column" if width == 1 else f"{width:,} columns, and none is named question or answer"
    raise ReadRefused(f"It has {what}. {_TOLD}")


def _named(head: Row) -> tuple[int | None, int | None]:
    """The places of the columns of questions and of answers."""
    names = [_folded(name) for name in head]
    question = next((place for place, name in enumerate(names) if name in _QUESTION), None)
    return question, next((place for place, name in enumerate(names) if name in _ANSWER and place != question), None)


def _folded(name: str) -> str:
    return name.lower().strip(" :?*#_")


def _refuse_columns(rows: list[Row], read: set[int]) -> None:
    """What would be lost without a word: the rest of an answer after a comma, or who may read it."""
    head = rows[0]
    for number, row in enumerate(rows, 1):
        if any(row[len(head) :]):
            raise ReadRefused(
                f"Row {number:,} has {len(row):,} cells, and the first has {len(head):,}. "
                "Put quotation marks around a cell with the delimiter in it."
            )
    for place, name in enumerate(head):
        if place not in read and _folded(name) in _RESTRICTS:
            raise ReadRefused(
                f"Its column {name} can't restrict rows: a table is one article. Split it into a file each."
            )


def _cell(row: Row, place: int) -> str:
    return row[place] if place < len(row) else ""


def _sections(pairs: Sequence[tuple[str, str]], first_row: int) -> Iterator[tuple[str, int]]:
    """Each section with the number of its row; "" for a row that lacks its question or its answer."""
    for row, (question, answer) in enumerate(pairs, first_row):
        title = " ".join(question.lstrip("#").split())
        if not any(map(str.isalnum, title)) or not any(map(str.isalnum, answer)):
            yield "", row
        elif len(title) > _LONGEST_QUESTION:  # too long for a heading, which is repeated with each of its passages
            yield f"{title}\n\n{_plain(answer)}", row
        else:
            yield f"## {title}\n\n{_plain(answer)}", row


def _plain(answer: str) -> str:
    """An answer in which no line passes for the heading of another question."""
    return "\n".join("\\" + line if line.startswith("#") else line for line in answer.split("\n"))


def _notes(head: Row, sections: list[tuple[str, int]]) -> Iterator[Note]:
    made = sum(bool(text) for text, _ in sections)
    pairs = "1 question with its answer" if made == 1 else f"{made:,} questions with their answers, a section each"
    yield Note(f"Read as {pairs}.")
    if not head:
        yield Note("It has no row of headings: the first column was read as questions, the second as answers.")
    lacking = [str(row) for text, row in sections if not text]
    if lacking:
        some = ", ".join(lacking[:8]) + ("…" if len(lacking) > 8 else "")
        yield Note(f"Rows without a question or an answer were left out: {some}.", flag=True)
    question, answer = _named(head)
    others = [name for place, name in enumerate(head) if place not in (question, answer) and name]
    if others:
        yield Note(f"Columns were left out: {', '.join(others[:8])}{'…' if len(others) > 8 else ''}.")
