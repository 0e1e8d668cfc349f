"""What the pane of one article shows: its facts, and its chunks with what neighbours share. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.articles.table_shown import STATES
from console.articles.words import count_text, language_text, moment_text, readers_text, short_hash, validity_text
from console.widgets.key_value import Pair
from console.widgets.pill import PillMark
from knowledge.article import ArticleStatus
from knowledge.embedding import MINILM_MAX_TOKENS
from knowledge.permission import derive_state

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from console.articles.editor_calls import Cut
    from knowledge.article import Article, Chunk
    from storage.records import Tenant

SERIES: Final = 8
RETIRED: Final = "It is retired: its chunks are kept, but none of them answers. Publish it again to use them."
DRAFT: Final = "It is a draft: it has no chunks and answers nothing. Publish it to cut it."


@dataclass(frozen=True, slots=True)
class ChunkShown:
    """One chunk. `shared_head` letters at its beginning are the end of the one before, `shared_tail` the other way."""

    ordinal: int
    start: int
    heading: str
    tokens: str
    text: str
    series: int
    shared_head: int = 0
    shared_tail: int = 0

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text in three: shared with the one before, its own, shared with the one after."""
        own = max(len(self.text) - self.shared_tail, self.shared_head)
        return self.text[: self.shared_head], self.text[self.shared_head : own], self.text[own:]


@dataclass(frozen=True, slots=True)
class ChunksShown:
    """`line` sums them up; `note` says why they don't answer, or why there are none."""

    line: str
    chunks: tuple[ChunkShown, ...] = ()
    note: str = ""

    @property
    def shares(self) -> bool:
        return any(chunk.shared_head for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is true of an article, in two columns and one line below them."""

    left: tuple[Pair, ...]
    right: tuple[Pair, ...]
    below: tuple[Pair, ...]


def derive_facts(article: Article, tenants: Sequence[Tenant], now: datetime, zone: tzinfo) -> Facts:
    text, today = article.text, now.astimezone(zone).date()
    readers = readers_text(text, {tenant.tenant_id: tenant for tenant in tenants})
    in_service = article.status is ArticleStatus.PUBLISHED
    left = (
        Pair("state", pill=PillMark(*STATES[derive_state(article, today)])),
        Pair("owner", text.owner or "–"),
        Pair("audience", "Customers, all tenants" if readers == "Customers, all" else readers),
        Pair("valid", validity_text(text, today)),
    )
    right = (
        Pair("generation", f"{article.generation:,}"),
        Pair("chunks", f"{article.chunk_count:,}" if in_service else f"0 of {article.chunk_count:,} in service"),
        Pair("language", language_text(text.language)),
        Pair("updated", moment_text(article.updated_at, now, zone)),
    )
    return Facts(left, right, (Pair("file", f"{text.source_name}, sha {short_hash(text.source_hash)}", mono=True),))


def derive_chunks(article: Article, chunks: Sequence[Chunk]) -> ChunksShown:
    if not chunks:
        return ChunksShown("No chunks.", note=DRAFT if article.status is ArticleStatus.DRAFT else "")
    note = RETIRED if article.status is ArticleStatus.RETIRED else ""
    return ChunksShown(_line(chunks), tuple(_shown(chunks, number) for number in range(len(chunks))), note)


def derive_cut(cut: Cut) -> ChunksShown:
    """The pieces of a text that is being typed."""
    if cut.fault or not cut.chunks:
        return ChunksShown("No chunks yet: they appear while you write.", note=cut.fault)
    return ChunksShown(_line(cut.chunks), tuple(_shown(cut.chunks, number) for number in range(len(cut.chunks))))


def _line(chunks: Sequence[Chunk]) -> str:
    tokens, longest = sum(chunk.tokens for chunk in chunks), max(chunk.tokens for chunk in chunks)
    cut = f"{count_text(tokens, 'token')} in {count_text(len(chunks), 'chunk')}"
    return f"{cut}, longest {longest} of at most {MINILM_MAX_TOKENS}"


def _shown(chunks: Sequence[Chunk], number: int) -> ChunkShown:
    chunk = chunks[number]
    before = chunks[number - 1].end if number else 0
    after = chunks[number + 1].start if number + 1 < len(chunks) else chunk.end
    return ChunkShown(
        ordinal=chunk.ordinal,
        start=chunk.start,
        heading=f"{number + 1} {' › '.join(chunk.heading_path) or 'Before the first heading'}",
        tokens=count_text(chunk.tokens, "token"),
        text=chunk.text,
        series=number % SERIES + 1,
        shared_head=min(max(before - chunk.start, 0), len(chunk.text)),
        shared_tail=min(max(chunk.end - after, 0), len(chunk.text)),
    )
