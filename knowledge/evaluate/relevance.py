"""Which known supports a found passage holds. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from knowledge.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from knowledge.evaluate.questions import Support

_MARKUP = re.compile(r"[*_`#>|]+")


def holds(passage: str, wanted: str) -> bool:
    """Whether a passage has more than half of the sentences of a text: a single sentence wholly.

    White space, case and Markdown's marks don't count, so a text may be marked as it is shown.
    """
    plain = _plain(passage)
    sentences = [_plain(wanted[start:end]) for start, end in sentence_spans(wanted, 0, len(wanted))]
    found = sum(sentence in plain for sentence in sentences)
    return 2 * found > len(sentences)


def gains_of(passages: Sequence[tuple[Collection[str], str]], supports: Sequence[Support]) -> tuple[int, ...]:
    """How many supports each passage is the first to hold; `passages` are names of the article, and text.

    What two overlapping passages both hold counts once: the second one brings nothing new into the prompt.
    """
    left = list(supports)
    gains: list[int] = []
    for names, text in passages:
        here = [support for support in left if support.article in names and holds(text, support.passage)]
        left = [support for support in left if support not in here]
        gains.append(len(here))
    return tuple(gains)


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).casefold().split())
