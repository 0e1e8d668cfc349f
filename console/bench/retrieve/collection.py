"""A made-up collection: articles of random words, some of them for one tenant, for staff, in Hindi, or out of date.

The commonest words are those of the sample kitchen's articles, the others are invented, as frequent as in real texts
(Zipf). Vectors are random: how long a search takes does not depend on what they mean, and 20,000 real embeddings would
take a quarter of an hour.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from knowledge.article import ArticleText, Asker, Audience
from knowledge.point_store import VectorPoint, facts_of
from knowledge.words import words_of
from storage.records import ArticleRow, ChunkRow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

DAY: Final = date(2026, 11, 30)
ASKER: Final = Asker("kamala", Audience.CUSTOMERS, "en", DAY)
DIM: Final = 384
CHUNKS: Final = 4
WORDS_A_CHUNK: Final = 70
SENTENCES: Final = 5
VOCABULARY: Final = 12_000
SLIPS: Final = 0.3
TENANTS: Final = ("kamala", "annapurna", "meridian")


@dataclass(frozen=True, slots=True)
class Made:
    """An article as the database and the index keep it."""

    row: ArticleRow
    chunks: tuple[ChunkRow, ...]
    points: tuple[VectorPoint, ...]


class Writer:
    """Invents words and texts; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        syllables = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
        picked: list[list[int]] = self.random.integers(0, len(syllables), (VOCABULARY, 4)).tolist()
        invented = ["".join(syllables[at] for at in word[: 2 + word[0] % 3]) for word in picked]
        self.real = kitchen_words()
        self.words = [*self.real, *invented][:VOCABULARY]
        shares = 1 / np.arange(1, VOCABULARY + 1) ** 0.9
        self._shares = shares / shares.sum()

    def text(self, words: int) -> str:
        picked: list[int] = self.random.choice(VOCABULARY, words, p=self._shares).tolist()
        return " ".join(self.words[at] for at in picked)

    def question(self) -> str:
        """Seven words of the sample kitchen, now and then one with a letter too many."""
        picked: list[int] = self.random.integers(0, len(self.real), 7).tolist()
        words = [self.real[at] for at in picked]
        if self.random.random() < SLIPS:
            words[0] = words[0][:2] + words[0][1:]
        return f"what is {' '.join(words)}?"

    def vectors(self, count: int) -> NDArray[np.float32]:
        made = self.random.normal(size=(count, DIM)).astype(np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def kitchen_words() -> list[str]:
    """The words of the sample kitchen's English articles, the commonest first."""
    folder = files("assets") / "sample_kitchen" / "articles"
    texts = (file.read_text(encoding="utf-8") for file in _below(folder) if file.name.endswith(".en.md"))
    counted = Counter(word for text in texts for word in words_of(text) if word.isalpha())
    return sorted(counted, key=lambda word: (-counted[word], word))


def _below(folder: Traversable) -> Iterator[Traversable]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _below(one)
        else:
            yield one


def collection(chunks: int, seed: int = 1) -> Iterator[Made]:
    """Articles with so many chunks together."""
    writer = Writer(seed)
    for number in range(chunks // CHUNKS):
        yield _article(number, writer)


def _article(number: int, writer: Writer) -> Made:
    text = ArticleText(
        source_name=f"{number}.md",
        title=writer.text(4),
        owner="bench",
        audience=Audience.STAFF if number % 10 == 0 else Audience.CUSTOMERS,
        tenants=(TENANTS[number % 3],) if number % 4 == 0 else (),
        language="hi" if number % 5 == 0 else "en",
        valid_from=DAY + timedelta(days=1) if number % 11 == 0 else None,
        valid_to=DAY - timedelta(days=1) if number % 13 == 0 else None,
        body="",
        source_hash="",
    )
    article_id = str(uuid.UUID(int=number))
    rows = tuple(_chunk(article_id, number, ordinal, writer) for ordinal in range(CHUNKS))
    facts = facts_of(text, article_id, 1)
    vectors = writer.vectors(CHUNKS * (1 + SENTENCES)).reshape(CHUNKS, 1 + SENTENCES, DIM)
    points = tuple(VectorPoint(row.point_id, facts, one[0], one[1:]) for row, one in zip(rows, vectors, strict=True))
    return Made(_row(text, article_id), rows, points)


def _row(text: ArticleText, article_id: str) -> ArticleRow:
    return ArticleRow(
        article_id=article_id,
        source_name=text.source_name,
        title=text.title,
        owner=text.owner,
        audience=text.audience.value,
        tenants=text.tenants,
        language=text.language,
        valid_from=text.valid_from,
        valid_to=text.valid_to,
        body=text.body,
        source_hash="",
        meta_hash="",
        status="published",
        generation=1,
        chunk_count=CHUNKS,
        updated_at=datetime.combine(DAY, datetime.min.time(), UTC),
    )


def _chunk(article_id: str, number: int, ordinal: int, writer: Writer) -> ChunkRow:
    text = f"{writer.text(WORDS_A_CHUNK)}."
    return ChunkRow(
        article_id=article_id,
        generation=1,
        ordinal=ordinal,
        heading_path=(writer.text(2),),
        text=text,
        start=0,
        end=len(text),
        tokens=WORDS_A_CHUNK,
        text_hash="",
        point_id=str(uuid.UUID(int=1_000_000_000 + CHUNKS * number + ordinal)),
    )
