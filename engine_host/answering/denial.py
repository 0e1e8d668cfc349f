"""What a sentence denies: the word that each negation stands before, and all that is in its reach."""

from __future__ import annotations

import re
from functools import lru_cache

from engine_host.answering.grammar import small_words
from engine_host.answering.wording import meaning, meanings, word_list

_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_CONTRACTED = re.compile(r"[a-z]+n't")
_STOPS = frozenset(";:.")


@lru_cache(maxsize=4096)
def is_no(token: str) -> bool:
    return token in word_list("negations") or _CONTRACTED.fullmatch(token) is not None


def denied(tokens: tuple[str, ...], spoken: list[int], heavy: list[int]) -> tuple[frozenset[str], frozenset[str]]:
    """The words that are denied, and all words that a negation reaches: those of its clause.

    `spoken` are the places of words that say something, `heavy` of those that carry the meaning. "Not offered" denies
    no word but its whole clause.
    """
    heads: set[str] = set()
    reached: set[str] = set()
    stops = [place for place in range(len(tokens)) if _ends_reach(tokens, place)]
    for place in (place for place, token in enumerate(tokens) if is_no(token)):
        first = max((stop for stop in stops if stop < place), default=-1)
        last = min((stop for stop in stops if stop > place), default=len(tokens))
        before = [index for index in heavy if first < index < place]
        after = [index for index in heavy if place < index < last]
        is_all = _denies_all(tokens, place, next((index for index in spoken if place < index < last), None))
        is_indic = _DEVANAGARI.search(tokens[place]) is not None
        is_behind = tokens[place] in word_list("negations_behind")
        near = [] if is_all or is_behind else after[:1]
        if is_indic and not near:
            near = before[-1:]
        reach = [*before, *after] if is_all or is_indic else after
        heads |= {meaning(tokens[index]) for index in near}
        reached |= {meaning(tokens[index]) for index in reach}
    return frozenset(heads), frozenset(reached | heads)


def _denies_all(tokens: tuple[str, ...], place: int, verb: int | None) -> bool:
    if tokens[place] in small_words("deny_all") or set(tokens[place + 1 : place + 2]) & small_words("point_back"):
        return True
    return verb is not None and meaning(tokens[verb]) in meanings("denied_as_a_whole")


def _ends_reach(tokens: tuple[str, ...], place: int) -> bool:
    """A stop, or a comma that is not one of a list such as "no onion, garlic or root vegetables"."""
    if tokens[place] != ",":
        return tokens[place] in _STOPS
    following = tokens[place + 1 : place + 4]
    return not following or following[0] in small_words("joins") or not small_words("lists") & set(following)
