"""A sentence as the grounding check reads it: its words and measures, what it denies, who acts, what it requires."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from engine_host.answering.measures import Measure, measured
from engine_host.answering.wording import is_word, meaning, meanings, normal, spelled, word_list

_CLAUSE = re.compile(
    r"\s*(?:[;:,](?!\d)|\s-\s|\b(?:but|while|whereas|so|because|since)\b|,?\s*\band\b(?!\s*\d)|\s(?:और|आणि|तर|तो|पर|पण|लेकिन|क्योंकि|कारण)\s)\s*"
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|which|who|whose|until|while|that(?= (?:is|are|has|have|was|were|[a-z]+(?:ed|s)) ))\b"
    r"(?P<rest>[^,;:.]*)"
)
_FINITE = re.compile(r"\s(?:is|are|can|can't|cannot|must|may|will|should|gets?|has to|have to)\b")
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "get"})
_TO = frozenset({"to", "for", "from", "with", "at", "about", "of"})
_ARTICLES = frozenset({"the", "a", "an", "your", "each", "our", "my"})
_CLAUSE_STARTS = frozenset({",", ";", ":", ".", "and", "but", "because", "so", "when", "if", "that", "while", "before"})
_MUST = re.compile(r"\b(?:must|has to|have to|needs? to|required to)\s+(?:be\s+)?(?P<verb>[a-z]+)")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_CONTRACTED = re.compile(r"[a-z]+n't")
_WHOLE = frozenset({"nobody", "none", "nothing", "neither"})
_REACH = 3
_SINGLES = frozenset("aio")


@dataclass(frozen=True, slots=True)
class Reading:
    """`words` are meanings in their order, without words that only bound a number. `denied` are those that a negation
    stands directly before (or after, in Hindi and Marathi), `shadow` all in its reach. `roles` say whether an actor
    acts, is acted on, or is aimed at. `required` are verbs that must be done, `passive` those that are just done."""

    words: tuple[str, ...]
    measures: tuple[Measure, ...]
    is_negative: bool
    denied: frozenset[str]
    shadow: frozenset[str]
    roles: frozenset[tuple[str, str]]
    required: frozenset[str]
    passive: frozenset[str]

    @property
    def content(self) -> frozenset[str]:
        return frozenset(self.words)


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    found = measured(text)
    tokens = found.tokens
    kept = [place for place, token in enumerate(tokens) if place not in found.used and _says_something(token)]
    words = tuple(meaning(tokens[place]) for place in kept)
    no = [place for place, token in enumerate(tokens) if is_no(token)]
    heads, shadow = _denied(tokens, kept, no)
    return Reading(
        words=words,
        measures=found.measures,
        is_negative=bool(no),
        denied=frozenset(heads),
        shadow=frozenset(shadow),
        roles=_roles(tokens),
        required=frozenset(meaning(match["verb"]) for match in _MUST.finditer(normal(text))),
        passive=frozenset(
            meaning(token) for before, token in zip(("", *tokens), tokens, strict=False) if before in _BE
        ),
    )


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[str, ...]:
    """`text` cut where a clause may end: at commas, colons and joining words."""
    return tuple(part for part in _CLAUSE.split(normal(text)) if part.strip())


@lru_cache(maxsize=4096)
def conditions(text: str) -> tuple[frozenset[str], ...]:
    """The words of each clause that says when, or of which things, `text` holds."""
    found: list[frozenset[str]] = []
    for match in _CONDITION.finditer(normal(text)):
        rest = match["rest"]
        end = _FINITE.search(rest, pos=len(rest) - len(rest.lstrip()) + 3) if match[0][:2] in ("th", "wh") else None
        words = frozenset(read(rest[: end.start()] if end else rest).words) - light_words()
        if words:
            found.append(words)
    return tuple(found)


def is_no(token: str) -> bool:
    return token in word_list("negations") or _CONTRACTED.fullmatch(token) is not None


@cache
def light_words() -> frozenset[str]:
    return meanings("light") | frozenset({"one"})


@cache
def _stop_words() -> frozenset[str]:
    return word_list("stop_english") | word_list("stop_devanagari") | frozenset(spelled("spelled"))


def _says_something(token: str) -> bool:
    if not is_word(token) or is_no(token):
        return False
    return token not in _SINGLES if len(token) == 1 else token not in _stop_words()


def _denied(tokens: tuple[str, ...], kept: list[int], no: list[int]) -> tuple[set[str], set[str]]:
    """The word that each negation denies, and all words in its reach: up to the next comma."""
    heads: set[str] = set()
    shadow: set[str] = set()
    heavy = [place for place in kept if meaning(tokens[place]) not in light_words()]
    for place in no:
        stops = [index for index, token in enumerate(tokens) if token in {",", ";", ":", "."}]
        first = max((stop for stop in stops if stop < place), default=-1)
        last = min((stop for stop in stops if stop > place), default=len(tokens))
        before = [index for index in heavy if first < index < place]
        after = [index for index in heavy if place < index < last]
        is_indic = _DEVANAGARI.search(tokens[place]) is not None
        verb = next((meaning(token) for token in tokens[place + 1 : last] if _says_something(token)), "")
        is_all = tokens[place] in _WHOLE or verb in light_words()
        reach = [*before, *after] if is_indic or is_all else after[:_REACH]
        near = [] if is_all else after[:1] or before[-1:]
        heads |= {meaning(tokens[index]) for index in near}
        shadow |= {meaning(tokens[index]) for index in reach}
    return heads, shadow | heads


def _roles(tokens: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Each actor with its part: it acts, is acted on, or is aimed at ("to the courier")."""
    found: set[tuple[str, str]] = set()
    for place, token in enumerate(tokens):
        actor = meaning(token)
        if actor in meanings("actors"):
            found.add((actor, _role(tokens, place)))
    return frozenset(found)


def _role(tokens: tuple[str, ...], place: int) -> str:
    start = max((index for index in range(place) if tokens[index] in _CLAUSE_STARTS), default=-1) + 1
    before = [token for token in tokens[start:place] if token not in _ARTICLES]
    last = before[-1] if before else ""
    if last == "by":
        return "acts"
    if last in _TO:
        return "aimed at"
    if last in _BE and tokens[place + 1 : place + 2] == ("that",):
        return "acts"
    if any(_says_something(token) and meaning(token) not in light_words() for token in before):
        return "acted on"
    following = tokens[place + 1 : place + 9]
    end = next((index for index, token in enumerate(following) if token in _CLAUSE_STARTS), len(following))
    is_passive = any(one in _BE and other.endswith("ed") for one, other in pairwise(following[:end]))
    return "acted on" if is_passive else "acts"
