"""Who does what in a sentence: whether the courier, the desk or the bank acts, is acted on, or is aimed at."""

from __future__ import annotations

from itertools import pairwise

from engine_host.answering.grammar import grammar, small_words
from engine_host.answering.wording import meaning, meanings

ACTS, ACTED_ON, AIMED_AT = "acts", "is acted on", "is aimed at"
WE = "we"
_AHEAD = 8


def parts_played(tokens: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Each actor of the sentence with its part. English only: in other languages nobody is seen to act."""
    actors = ((place, meaning(token)) for place, token in enumerate(tokens))
    played = frozenset((actor, _part(tokens, place)) for place, actor in actors if actor in meanings("actors"))
    return played | {(WE, ACTS)} if WE in tokens else played


def _part(tokens: tuple[str, ...], place: int) -> str:
    before = [token for token in tokens[:place] if token not in small_words("articles")]
    last = before[-1] if before else ""
    following = _verb_and_on(tokens[place + 1 : place + 1 + _AHEAD])
    if last in small_words("sources") or (last in small_words("be") and following[:1] == ("that",)):
        return ACTS
    if last in small_words("aims"):
        return AIMED_AT
    ends = (index for index, token in enumerate(following) if token in small_words("clause_starts"))
    clause = following[: next(ends, len(following))]
    is_passive = any(one in small_words("be") and other.endswith("ed") for one, other in pairwise(clause))
    does = bool(clause) and grammar("acting").fullmatch(clause[0]) is not None
    return ACTS if does and not is_passive and not _names_a_thing(tokens, place) else ACTED_ON


def _names_a_thing(tokens: tuple[str, ...], place: int) -> bool:
    """Whether the actor only names whose thing is meant: "doesn't see courier notes"."""
    following = tokens[place + 1 : place + 2]
    is_bare = place > 0 and tokens[place - 1] not in small_words("articles") | small_words("clause_starts")
    return is_bare and not set(following) & small_words("helping")


def _verb_and_on(following: tuple[str, ...]) -> tuple[str, ...]:
    """Without "either" or "in Pune" between the actor and its verb."""
    if set(following[:1]) & small_words("asides"):
        return following[1:]
    return following[2:] if set(following[:1]) & small_words("places") else following
