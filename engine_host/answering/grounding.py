"""Does a passage support a sentence? Numbers, names, negation and content words are compared; no judge model.

Source of the idea: extractive support checks by lexical overlap; strict on what can do harm (numbers, names, "not").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_host.answering.folding import fold
from engine_host.answering.patterns import words as words_of
from engine_host.answering.sentences import split_sentences

_NUMBER = re.compile(r"\d+(?:[:.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NAME = re.compile(r"(?<=[a-z,;:)] )[A-Z][a-z]{2,}\b")
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|cannot|can't|don't|doesn't|isn't|won't|without|nahi)\b|नहीं|नाही|नको|मत|न(?=\s)"
)
NEEDED_COVERAGE = 0.75
NEEDED_WORDS = 2


@dataclass(frozen=True, slots=True)
class Support:
    """`citation` is the 1-based number of the passage that supports the sentence, None when none does; then `reason`
    says, for staff, what is missing in the nearest one."""

    citation: int | None
    reason: str = ""


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: folded, without stop words, light English endings off."""
    stop = words_of("stop_english")
    return frozenset(_stem(word) for word in _WORD.findall(fold(text)) if word not in stop and len(word) > 1)


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly"):
        if word.isascii() and word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def numbers(text: str) -> frozenset[str]:
    """Numbers as comparable strings: 9:00 and 09:00, 1,200 and 1200 are the same."""
    return frozenset(_plain_number(found) for found in _NUMBER.findall(fold(text)))


def _plain_number(text: str) -> str:
    return ":".join(part.lstrip("0") or "0" for part in text.replace(",", "").split(":"))


def is_negative(text: str) -> bool:
    return bool(_NEGATION.search(fold(text)))


def find_support(sentence: str, passages: tuple[str, ...]) -> Support:
    """Hold `sentence` against each passage's text; the first that supports it is cited."""
    reasons = [_what_is_missing(sentence, passage) for passage in passages]
    for number, reason in enumerate(reasons, start=1):
        if not reason:
            return Support(number)
    return Support(None, reasons[0] if reasons else "no passage was found for this question")


def _what_is_missing(sentence: str, passage: str) -> str:
    if fold(sentence) in fold(passage):
        return ""
    words = content_words(sentence)
    nearest = _nearest_sentence(words, passage)
    if odd := sorted(numbers(sentence) - numbers(nearest)):
        return f"{', '.join(odd)} is not in the passage's sentence about this"
    if odd := sorted(set(_NAME.findall(sentence)) - set(re.findall(r"\b[A-Z][a-z]+\b", passage))):
        return f"the name {', '.join(odd)} is not in the passage"
    if len(words) < NEEDED_WORDS:
        return "it says too little to be checked against a passage"
    missing = words - content_words(passage)
    coverage = 1 - len(missing) / len(words)
    if coverage < NEEDED_COVERAGE:
        return f"the passage does not say {', '.join(sorted(missing)[:4])}"
    if is_negative(sentence) != is_negative(nearest):
        return "the passage says the opposite, or does not deny it"
    return ""


def _nearest_sentence(words: frozenset[str], passage: str) -> str:
    return max(split_sentences(passage) or [passage], key=lambda s: len(words & content_words(s)))


def best_window(question: str, passage: str, sentences: int = 3) -> str:
    """The `sentences` neighbouring sentences of `passage` that share most words with the question, word for word."""
    parts = split_sentences(passage)
    if len(parts) <= sentences:
        return passage.strip()
    wanted = content_words(question)
    scores = [len(wanted & content_words(part)) for part in parts]
    start = max(range(len(parts) - sentences + 1), key=lambda i: (sum(scores[i : i + sentences]), scores[i]))
    first = passage.index(parts[start])
    last_part = parts[start + sentences - 1]
    end = passage.index(last_part, first) + len(last_part)
    return passage[first:end].strip()
