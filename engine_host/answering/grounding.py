"""Does a passage support a sentence? Words, numbers with their units, limits and negation are compared; no judge model.

Strict on purpose: one sentence of the passage must carry all that is said. What is not carried is withheld, and the
passage itself is quoted instead, so strictness costs a smooth answer and never a true one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from engine_host.answering.folding import fold
from engine_host.answering.measures import SPELLED_NUMBERS, measures, said_otherwise
from engine_host.answering.patterns import groups
from engine_host.answering.patterns import words as words_of
from engine_host.answering.verbatim import passage_sentences, stands_in

_LETTER = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u097f])"
_WORD = re.compile(rf"{_LETTER}+(?:'{_LETTER}+)?")
_NEGATION = re.compile(
    r"(?:no|not|never|none|nothing|nobody|neither|nor|cannot|without|nahi|nahin|nhi|[a-z]+n't"
    r"|dont|cant|wont|doesnt|didnt|isnt|arent|shouldnt|couldnt|नहीं|नाही[तस]?|नको|नये|मत|न|बिना)"
)
NEEDED_WORDS = 2
NEEDED_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Support:
    """`citation` is the 1-based number of the passage that supports the sentence, None when none does; then `reason`
    says, for staff, what is missing in the nearest one."""

    citation: int | None
    reason: str = ""


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning; words of one meaning are one stem; negations are left out."""
    found = (word for word in _WORD.findall(fold(text)) if len(word) > 1 and word not in _stop_words())
    return frozenset(_meaning(word) for word in found if not _NEGATION.fullmatch(word))


def is_negative(text: str) -> bool:
    return any(_NEGATION.fullmatch(word) for word in _WORD.findall(fold(text)))


def find_support(sentence: str, passages: tuple[str, ...]) -> Support:
    """Hold `sentence` against each passage's text; the first that supports it is cited."""
    reasons = [_what_is_missing(sentence, passage) for passage in passages]
    for number, reason in enumerate(reasons, start=1):
        if not reason:
            return Support(number)
    return Support(None, reasons[0] if reasons else "no passage was found for this question")


def _what_is_missing(sentence: str, passage: str) -> str:
    if stands_in(sentence, passage):
        return ""
    words = content_words(sentence)
    if len(words) < NEEDED_WORDS:
        return "it says too little to be checked against a passage"
    likely = sorted(passage_sentences(passage), key=lambda own: -len(words & content_words(own)))
    reasons = [_difference(sentence, words, own) for own in likely]
    return "" if "" in reasons else next(iter(reasons), "the passage is empty")


def _difference(sentence: str, words: frozenset[str], own: str) -> str:
    """Why the passage's sentence `own` does not carry `sentence`; empty when it does."""
    carried = content_words(own)
    if odd := said_otherwise(measures(sentence), measures(own)):
        return f"{', '.join(odd)} is not in the passage's sentence about this"
    if missing := sorted(words - carried - _light_words()):
        return f"the passage does not say {', '.join(missing[:4])}"
    if dropped := sorted((carried - words) & _limits()):
        return f"it leaves out a limit that the passage sets: {', '.join(dropped)}"
    if not carried or len(carried & words) / len(carried) < NEEDED_SHARE:
        return "it leaves out too much of what the passage says about this"
    if is_negative(sentence) != is_negative(own):
        return "the passage says the opposite, or does not deny it"
    return ""


@cache
def _stop_words() -> frozenset[str]:
    return words_of("stop_english") | words_of("stop_devanagari") | frozenset(SPELLED_NUMBERS)


@cache
def _light_words() -> frozenset[str]:
    return frozenset(_meaning(word) for word in words_of("light_english"))


@cache
def _limits() -> frozenset[str]:
    return frozenset(_meaning(word) for word in words_of("limits"))


@cache
def _alike() -> dict[str, str]:
    return {_stem(word): _stem(group[0]) for group in groups("alike") for word in group}


def _meaning(word: str) -> str:
    return _alike().get(_stem(word), _stem(word))


def _stem(word: str) -> str:
    """A word without light English endings; `cancelled` and `cancel`, `arrives` and `arriving` are one."""
    word = word.removesuffix("'s")
    if not word.isascii():
        return word
    for ending in ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
