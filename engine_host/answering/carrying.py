"""Does one fact of a passage carry what is said? Every number, limit, negation, part and word is held against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from engine_host.answering.acting import ACTS, WE
from engine_host.answering.grammar import case_before, clauses, cuts, grammar, is_case
from engine_host.answering.kinship import in_words_of
from engine_host.answering.measures import AT_LEAST, AT_MOST, bounds_left_out, measured, said_otherwise
from engine_host.answering.reading import Reading, conditions, participles, read, rivals
from engine_host.answering.wording import as_written, meaning, meanings

if TYPE_CHECKING:
    from engine_host.answering.passage_facts import Fact

NEEDED_SHARE = 0.25
"""Of the fact's words. What the fact makes a condition of is asked for by itself."""
NEEDED_CONDITION = 0.5
UNSAID = "the passage does not say"
OPPOSITE = "the passage says the opposite, or does not deny it"


@dataclass(frozen=True, slots=True)
class Said:
    """A clause of what was written and its reading. `beside` is read from the whole sentence around it; `free` are
    words that may stand in the clause although no fact has them, such as those of the question in "To start a plan, …".
    """

    text: str
    reading: Reading
    beside: Reading
    free: frozenset[str] = frozenset()

    def in_words_of(self, known: frozenset[str]) -> Said:
        """The same with words of the passage for words that can mean the same."""
        return replace(self, reading=in_words_of(self.reading, known), beside=in_words_of(self.beside, known))


def difference(said: Said, fact: Fact, lent: frozenset[str] = frozenset()) -> str:
    """Why `fact` does not carry what is said, for staff; empty when it does. `lent` are words that the reader has in
    mind with it."""
    own = read(fact.text)
    if odd := said_otherwise(said.reading.measures, own.measures):
        return f"{', '.join(odd)} is not in the passage's sentence about this"
    said = said.in_words_of(own.content | lent)
    if unsaid := _not_said(said, own, lent):
        return unsaid
    near_clauses = _near(said, fact, own)
    near = read(", ".join(near_clauses))
    return (
        _left_out(said, near, near_clauses, own, fact)
        or _told_as_done(said, near, near_clauses, fact)
        or _told_of_all(said, fact)
        or _denied_otherwise(said.reading, near, near_clauses)
        or _done_by_another(said.reading, near, own)
        or _of_another_kind(said, own)
        or _number_of_another(said, fact, own)
    )


def _not_said(said: Said, own: Reading, lent: frozenset[str]) -> str:
    missing = said.reading.heavy - own.content - said.free - _implied(own)
    strange = sorted(word for word in missing if word not in lent or _shuts_out(word, own))
    if grammar("alone").match(said.text):
        strange += sorted(meanings("only") & said.reading.content - own.content)
    if not strange and len(missing) >= len(said.reading.heavy & own.content) + len(own.measures):
        strange = sorted(missing)
    return f"{UNSAID} {', '.join(as_written(said.text, strange[:4]))}" if strange else ""


def _left_out(said: Said, near: Reading, near_clauses: tuple[str, ...], own: Reading, fact: Fact) -> str:
    """A limit, a bound, a condition or most of the fact that is not in what is said, nor in the sentence around it."""
    after = said.beside.follows and not near.follows
    known = said.beside.content | (meanings("later") if after else frozenset[str]())
    dropped = sorted((near.content - known) & meanings("limits"))
    numbers = {one.number for one in said.beside.measures}
    dropped += bounds_left_out(said.reading.measures, own.measures)
    dropped += [one.number for one in near.measures if one.bound in (AT_MOST, AT_LEAST) and one.number not in numbers]
    if dropped:
        return f"it leaves out a limit that the passage sets: {', '.join(dict.fromkeys(dropped))}"
    cases = (case for case, follows in pairwise(clauses(fact.text)) if case_before(case) and follows in near_clauses)
    needed = (*conditions(fact.text), *map(read, (*fact.of, *cases)))
    enough = len(near.heavy & said.beside.content) >= NEEDED_SHARE * len(near.heavy) and all(
        _is_named(condition, said.beside) for condition in needed
    )
    if said.reading.is_negative:
        enough = enough and all(words & said.beside.content for words in participles(fact.text))
    return "" if enough else "it leaves out too much of what the passage says about this"


def _is_named(condition: Reading, said: Reading) -> bool:
    numbers = {one.number for one in condition.measures}
    words = len(condition.heavy & said.content) >= NEEDED_CONDITION * len(condition.heavy)
    return words and numbers <= {one.number for one in said.measures}


def _told_as_done(said: Said, near: Reading, near_clauses: tuple[str, ...], fact: Fact) -> str:
    """An article tells what is done in a case; that the case is there, or that it was done, no article can know."""
    if said.reading.happened and not near.happened:
        return "the passage does not say that it happened"
    if said.reading.promised & near.allowed - near.promised:
        return "the passage says that it can be, not that it will be"
    if is_case(said.text) or not all(map(is_case, near_clauses)):
        return ""
    follows = read(", ".join(part for part in clauses(fact.text) if not is_case(part))).heavy - near.heavy
    says_what_follows = len(follows & said.beside.content) >= NEEDED_CONDITION * len(follows)
    return "" if says_what_follows else "the passage speaks of this as a case only"


def _told_of_all(said: Said, fact: Fact) -> str:
    """Of "a box that arrives late earns a credit" there is no saying "a box arrives late"."""
    told = {pair for clause in clauses(said.text) if not is_case(clause) for pair in _neighbours(clause)}
    only_some = ((meaning(match["noun"]), meaning(match["verb"])) for match in grammar("some").finditer(fact.text))
    return "the passage says this only of some" if any(pair in told for pair in only_some) else ""


def _neighbours(clause: str) -> set[tuple[str, str]]:
    spoken = pairwise(measured(clause).tokens)
    return {(meaning(noun), meaning(verb)) for noun, verb in spoken if not verb.endswith("ing")}


def _denied_otherwise(said: Reading, near: Reading, near_clauses: tuple[str, ...]) -> str:
    """Both must deny, and the same; or neither. A clause of the fact that denies something else is left aside."""
    if said.is_negative and near.is_negative:
        meets = said.denied & near.reached or near.denied & said.reached or not said.denied
        return "" if meets and near.denied & said.content <= said.reached else OPPOSITE
    if said.is_negative or not near.is_negative:
        return OPPOSITE if said.is_negative else ""
    affirms = any(len(own.heavy & said.heavy) > 1 for own in map(read, near_clauses) if not own.is_negative)
    return "" if affirms and near.denied and not near.denied & said.content else OPPOSITE


def _done_by_another(said: Reading, near: Reading, own: Reading) -> str:
    theirs = {actor for actor, _ in near.parts}
    if (WE, ACTS) in said.parts and WE not in theirs:
        for actor, part in sorted(near.parts):
            if part == ACTS and actor in meanings("outsiders"):
                return f"in the passage the {actor} does this"
    for actor, part in sorted(said.parts):
        if part == ACTS and actor in theirs and (actor, part) not in near.parts:
            return f"in the passage the {actor} has another part in this"
    return "the passage does not require this" if said.required - near.required and own.spared else ""


def _of_another_kind(said: Said, own: Reading) -> str:
    """A word of the fact that shuts out a word of what is said, such as dinner and lunch."""
    for line in rivals():
        theirs = own.content & line
        ours = said.reading.content & line or said.beside.content & line
        if theirs and ours and (not theirs & ours or (theirs - ours and said.reading.content & meanings("only"))):
            return f"the passage says this of {', '.join(sorted(theirs))}"
    return ""


def _number_of_another(said: Said, fact: Fact, known: Reading) -> str:
    """A number that the fact has in one of its clauses, said of what only another clause with a number of its own
    names: "6 boxes a week and 24 a month"."""
    parts = [read(part) for part in cuts(fact.text)]
    for own in (in_words_of(read(part), known.content) for part in cuts(said.text)):
        for number in {one.number for one in own.measures}:
            homes = [part for part in parts if number in _numbers(part)]
            if len(homes) != 1 or homes[0].heavy <= own.heavy:
                continue
            others = (part for part in parts if part is not homes[0] and _numbers(part) - _numbers(own))
            if any(own.heavy & (part.heavy - homes[0].heavy) for part in others if _counts_alike(part, homes[0])):
                return f"the passage says {number} of something else"
    return ""


def _numbers(part: Reading) -> set[str]:
    return {one.number for one in part.measures}


def _counts_alike(part: Reading, other: Reading) -> bool:
    return any(not (a.units and b.units) or a.units & b.units for a in part.measures for b in other.measures)


def _near(said: Said, fact: Fact, known: Reading) -> tuple[str, ...]:
    """The clauses of the fact that what is said comes from: those that share the most with its clauses."""
    parts = clauses(fact.text)
    numbers = {one.number for one in said.reading.measures}
    chosen = {part for part in parts if numbers & {one.number for one in read(part).measures}}
    for own in (in_words_of(read(part), known.content) for part in clauses(said.text)):
        shared = [len(read(part).content & own.content) for part in parts]
        chosen |= {part for part, count in zip(parts, shared, strict=True) if count == max(shared) > 0}
        chosen |= {part for part in parts if _is_within(read(part), own)}
        if own.is_negative and not own.heavy:
            chosen |= {part for part in parts if read(part).is_negative}
    if not said.reading.is_negative:
        chosen |= {part for part in parts if _denies(read(part), said.reading)}
    return tuple(part for part in parts if part in chosen) or parts


def _denies(part: Reading, said: Reading) -> bool:
    return bool(part.denied & said.content) and len(part.heavy & said.content) > 1


def _is_within(part: Reading, said: Reading) -> bool:
    """Whether a whole clause of the fact is in what is said; one word is enough when both deny it."""
    return part.heavy <= said.content and (len(part.heavy) > 1 or bool(part.denied & said.denied))


def _implied(own: Reading) -> frozenset[str]:
    """A price is implied by an amount, unless the fact speaks of money that goes the other way."""
    is_price = any("rs" in one.units for one in own.measures) and not own.content & meanings("not_a_price")
    return frozenset({meaning("cost")}) if is_price else frozenset()


def _shuts_out(word: str, own: Reading) -> bool:
    return any(word in line and own.content & (line - {word}) for line in rivals())
