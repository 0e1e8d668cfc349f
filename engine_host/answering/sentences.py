"""Sentences out of a stream of text pieces: the same sentences however the text was split."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_SENTENCE = 1000
"""Characters that are kept while a sentence is open. Of a longer one, pieces of this length come out."""

# An end is certain when the next character is seen: white space after a full stop (so `12.50` stays whole), anything
# but a closing mark after a danda. A line break is certain by itself.
_END = re.compile(
    r"""(?P<line>[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])
      | [.!?।॥…\uff0e\uff01\uff1f\u3002]*[।॥\u3002]["'”’»)\]*_]*(?=[^।॥\u3002.!?…"'”’»)\]*_])
      | [.!?…\uff0e\uff01\uff1f]+["'”’»)\]*_]*(?=\s)""",
    re.VERBOSE,
)
_NO_END = re.compile(
    r"(?:^|[\s(])(?:rs|no|nos|mr|mrs|ms|dr|st|approx|e\.g|i\.e|vs|etc|a\.m|p\.m|डॉ|रु|श्री)\.$|^\d{1,2}\.$",
    re.IGNORECASE,
)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`whole` is False for each piece of a sentence that was longer than the splitter keeps."""

    text: str
    whole: bool = True


class SentenceSplitter:
    """Feed pieces; each call returns the sentences that are now complete, without the blanks around them.

    At most `longest` characters of an open sentence are kept. Halves of a character that came apart (a surrogate pair)
    are joined; a half without its other is replaced by U+FFFD.
    """

    def __init__(self, longest: int = LONGEST_SENTENCE) -> None:
        self._longest = longest
        self._open = ""
        self._is_long = False

    def feed(self, piece: str) -> list[Sentence]:
        self._open += piece
        done: list[Sentence] = []
        while (cut := self._next_cut()) is not None:
            end, is_end = cut
            done.append(Sentence(_mended(self._open[:end]), whole=is_end and not self._is_long))
            self._is_long = not is_end
            self._open = self._open[end:]
        return [sentence for sentence in done if sentence.text]

    def flush(self) -> list[Sentence]:
        """The rest, when no more text comes."""
        rest = Sentence(_mended(self._open), whole=not self._is_long)
        self._open, self._is_long = "", False
        return [rest] if rest.text else []

    def _next_cut(self) -> tuple[int, bool] | None:
        """Where the open text is cut next, and whether a sentence ends there; None when more text must come first."""
        if not self._is_long:
            self._open = self._open.lstrip()
        for match in _END.finditer(self._open):
            if match.end() > self._longest:
                break
            if match["line"] or not _NO_END.search(self._open[: match.end()]):
                return match.end(), True
        return (self._longest, False) if len(self._open) > self._longest else None


def split_sentences(text: str) -> list[str]:
    """All sentences of a text that is here as a whole, however long they are."""
    splitter = SentenceSplitter(longest=max(len(text), 1))
    return [sentence.text for sentence in (*splitter.feed(text), *splitter.flush())]


def _mended(text: str) -> str:
    whole = _SURROGATES.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace"), text)
    return whole.strip()
