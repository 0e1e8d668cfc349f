"""A sentence as the grounding check reads it: its words and measures, what it denies, who acts, what it requires."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from engine_host.answering.acting import parts_played
from engine_host.answering.denial import denied, is_no
from engine_host.answering.grammar import grammar, small_words, tells_as_done
from engine_host.answering.kinship import kin_of
from engine_host.answering.measures import Measure, measured
from engine_host.answering.wording import is_listed, is_word, lines, meaning, meanings, normal, spelled, word_list

_ADVERB = re.compile(r"[a-z]{3,}ly")


@dataclass(frozen=True, slots=True)
class Reading:
    """`content` are the meanings of its words, without words that only bound a number; `heavy` those of them that
    carry the meaning; `kin` are the lines of words that can mean the same as one of them.

    `denied` are words that a negation stands before (or after, in Hindi and Marathi), `reached` all in its reach.
    `parts` say whether an actor acts, is acted on or is aimed at. `follows` says that something comes after a case
    ("once you ask"). `required` are verbs of what must be done, `promised` of what will be and `allowed` of what can
    be; `spared` says that something need not be, `happened` that something is told as done.
    """

    content: frozenset[str]
    heavy: frozenset[str]
    kin: frozenset[int]
    measures: tuple[Measure, ...]
    is_negative: bool
    denied: frozenset[str]
    reached: frozenset[str]
    parts: frozenset[tuple[str, str]]
    follows: bool
    required: frozenset[str]
    promised: frozenset[str]
    allowed: frozenset[str]
    spared: bool
    happened: bool


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    plain, found = normal(text), measured(text)
    tokens = found.tokens
    spoken = [place for place, token in enumerate(tokens) if place not in found.used and _says_something(token)]
    heavy = [place for place in spoken if not _adds_nothing(tokens[place])]
    heads, reached = denied(tokens, spoken, heavy)
    content = frozenset(meaning(tokens[place]) for place in spoken)
    return Reading(
        content=content,
        kin=kin_of(content),
        heavy=frozenset(meaning(tokens[place]) for place in heavy),
        measures=found.measures,
        is_negative=any(map(is_no, tokens)),
        denied=heads,
        reached=reached,
        parts=parts_played(tokens),
        follows=grammar("follows").search(plain) is not None,
        required=_verbs("must", plain),
        promised=_verbs("will", plain),
        allowed=_verbs("can", plain),
        spared=grammar("need_not").search(plain) is not None,
        happened=tells_as_done(text),
    )


def _verbs(name: str, plain: str) -> frozenset[str]:
    return frozenset(meaning(match["verb"]) for match in grammar(name).finditer(plain))


@lru_cache(maxsize=4096)
def conditions(text: str) -> tuple[Reading, ...]:
    """Each clause that says when, or of which things, `text` holds."""
    found: list[Reading] = []
    for match in grammar("condition").finditer(normal(text)):
        rest = match["rest"]
        verbs = list(grammar("finite").finditer(rest)) if grammar("relative").match(match[0]) else []
        found.append(read(rest[: verbs[1].start()] if len(verbs) > 1 else rest))
    return tuple(one for one in found if one.heavy or one.measures)


@lru_cache(maxsize=4096)
def participles(text: str) -> tuple[frozenset[str], ...]:
    """The heavy words of what stands before a noun in Hindi and Marathi as "that left the kitchen" behind one."""
    told = (read(match["rest"]).heavy for match in grammar("participle").finditer(normal(text)))
    return tuple(words for words in told if len(words) > 1)


@lru_cache(maxsize=4096)
def subject_of(text: str) -> frozenset[str]:
    """What a sentence is about: its heavy words up to its first verb; empty where no verb is seen."""
    tokens = measured(text).tokens
    verb = next((place for place, token in enumerate(tokens) if place and grammar("acting").fullmatch(token)), 0)
    said = (meaning(token) for token in tokens[:verb] if _says_something(token))
    return frozenset(word for word in said if word not in light_words())


@cache
def light_words() -> frozenset[str]:
    """Meanings that may be said although the passage does not say them: they add nothing that can be wrong."""
    return meanings("light")


@cache
def rivals() -> tuple[frozenset[str], ...]:
    """Sets of meanings that shut each other out, such as lunch and dinner."""
    return tuple(frozenset(meaning(word) for word in line) for line in lines("rivals"))


@cache
def _stop_words() -> frozenset[str]:
    return word_list("stop_english") | word_list("stop_devanagari") | frozenset(spelled("spelled"))


@lru_cache(maxsize=8192)
def _adds_nothing(token: str) -> bool:
    """Whether a word may be said although the passage does not say it: a light one, or an adverb of no list."""
    own = meaning(token)
    return own in light_words() or (_ADVERB.fullmatch(token) is not None and not is_listed(own))


@lru_cache(maxsize=8192)
def _says_something(token: str) -> bool:
    if not is_word(token) or is_no(token):
        return False
    return token not in (small_words("singles") if len(token) == 1 else _stop_words())
