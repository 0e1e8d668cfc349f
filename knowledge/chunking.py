"""An article's body in pieces that the embedder reads whole. Pure.

A piece is `body[start:end]`. What is embedded is the title and the heading path in one line, and the piece below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from knowledge.article import ArticleText, Chunk
from knowledge.blocks import Kind, Section, sections
from knowledge.sentences import Span, sentence_spans, trimmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATH_MARK = " › "


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Tokens of a whole embedded text, title and headings included, and of the sentences that two pieces share."""

    max_tokens: int
    overlap_tokens: int

    def __post_init__(self) -> None:
        if self.max_tokens < 8 or not 0 <= self.overlap_tokens < self.max_tokens:
            raise ValueError(f"chunk limits out of range: {self}")


def chunk(text: ArticleText, count_tokens: Callable[[str], int], limits: ChunkLimits) -> tuple[Chunk, ...]:
    """Pieces by heading, then paragraph, then sentence, in the order of the body.

    Every word of the body but headings is in a piece. A list item, a table row or a code block is cut only when it
    alone is longer than the limit. Pieces of one section share whole sentences, at most `overlap_tokens` of them.
    """
    found: list[Chunk] = []
    for section in sections(text.body):
        path = section.path[1:] if section.path[:1] == (text.title,) else section.path
        measure = _Measure(text.body, line_above(text.title, path, count_tokens, limits), count_tokens, limits)
        for start, end in _pieces(measure, section):
            tokens = measure.tokens(start, end)
            found.append(Chunk(len(found), path, text.body[start:end], start, end, tokens))
    return tuple(found)


def embedded_text(title: str, piece: Chunk, count_tokens: Callable[[str], int], limits: ChunkLimits) -> str:
    """What the embedder reads for a piece; its length is the piece's `tokens`."""
    return _joined(line_above(title, piece.heading_path, count_tokens, limits), piece.text)


def embedded_sentences(above: str, text: str) -> list[str]:
    """What the embedder reads for each sentence of a piece: the nearest heading in a line, and the sentence below it.

    Never longer than the piece's own embedded text.
    """
    heading = above.rsplit(PATH_MARK, 1)[-1]
    return [_joined(heading, text[start:end]) for start, end in sentence_spans(text, 0, len(text))]


def line_above(title: str, path: tuple[str, ...], count_tokens: Callable[[str], int], limits: ChunkLimits) -> str:
    """Title and headings in one line; the least telling part is left out when it takes over half of the limit."""
    candidates = (PATH_MARK.join((title, *path)), PATH_MARK.join((title, *path[-1:])), "".join(path[-1:]), title)
    for candidate in candidates:
        if candidate and 2 * count_tokens(candidate) <= limits.max_tokens:
            return candidate
    return ""


def _joined(above: str, text: str) -> str:
    return f"{above}\n{text}" if above else text


@dataclass(frozen=True, slots=True)
class _Measure:
    """How long a span of the body is for the embedder."""

    body: str
    above: str
    count_tokens: Callable[[str], int]
    limits: ChunkLimits

    def tokens(self, start: int, end: int) -> int:
        return self.count_tokens(_joined(self.above, self.body[start:end]))

    def fits(self, start: int, end: int) -> bool:
        return self.tokens(start, end) <= self.limits.max_tokens


def _pieces(measure: _Measure, section: Section) -> list[Span]:
    """Whole blocks packed together while they fit; a block that doesn't fit is packed atom by atom."""
    packing = _Packing(measure, [])
    for block in section.blocks:
        packing.shareable += [start for start, _ in block.atoms if block.kind in {Kind.PARAGRAPH, Kind.ITEM}]
        if measure.fits(block.start, block.end):
            packing.add((block.start, block.end))
        else:
            parts = [part for atom in block.atoms for part in _parts(measure, atom)]
            packing.begin(parts[0])
            for part in parts[1:]:
                packing.add(part)
    return packing.pieces


@dataclass(slots=True)
class _Packing:
    """Pieces as they grow. A new one begins with the last sentences of the one before, if limit and overlap allow."""

    measure: _Measure
    pieces: list[Span]
    shareable: list[int] = field(default_factory=list[int])

    def add(self, span: Span) -> None:
        if self.pieces and self.measure.fits(self.pieces[-1][0], span[1]):
            self.pieces[-1] = (self.pieces[-1][0], span[1])
        else:
            self.begin(span)

    def begin(self, span: Span) -> None:
        start, end = span
        begin = start
        before = self.pieces[-1][0] if self.pieces else start
        for candidate in sorted((at for at in self.shareable if before < at < start), reverse=True):
            shared = self.measure.count_tokens(self.measure.body[candidate:start].rstrip())
            if shared > self.measure.limits.overlap_tokens or not self.measure.fits(candidate, end):
                break
            begin = candidate
        self.pieces.append((begin, end))


def _parts(measure: _Measure, atom: Span) -> Iterator[Span]:
    """The atom, or its sentences, or its words and letters, as far down as it must be cut."""
    start, end = atom
    if measure.fits(start, end):
        yield atom
        return
    spans = sentence_spans(measure.body, start, end)
    if len(spans) > 1:
        for span in spans:
            yield from _parts(measure, span)
        return
    while start < end:
        cut = _longest_fit(measure, start, end)
        span = trimmed(measure.body, start, cut)
        if span[0] < span[1]:
            yield span
        start, _ = trimmed(measure.body, cut, end)


def _longest_fit(measure: _Measure, start: int, end: int) -> int:
    """The end of the longest beginning that fits, at white space when there is some; one letter at least."""
    reach = measure.limits.max_tokens
    while start + reach < end and measure.fits(start, start + reach):  # not from the end: counting a long text is slow
        reach *= 2
    low, high = start + 1, min(start + reach, end)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure.fits(start, middle) else (low, middle - 1)
    while low > start + 1 and not measure.fits(start, low):  # token counts needn't grow with every letter
        low -= 1
    if low == end:
        return end
    at_space = next((at for at in range(low, start, -1) if measure.body[at].isspace()), low)
    return at_space if measure.fits(start, at_space) else low
