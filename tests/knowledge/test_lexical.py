from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge.lexical import WordIndex, filled
from knowledge.words import keys_of_question

if TYPE_CHECKING:
    from collections.abc import Mapping

PASSAGES = {
    "cancel": "रद्द करना\nडब्बा सुबह 09:00 बजे से पहले रद्द करने पर पूरी रकम लौटाई जाती है।",
    "late": "देर\nडब्बा 45 मिनट से ज़्यादा देर से आए तो वह मुफ़्त होता है।",
    "jain": "जैन डब्बा\nजैन डब्बे में प्याज़ और लहसुन नहीं होते।",
    "secret": "रसोई के लिए\nदेर होने पर डब्बा रद्द मत कीजिए।",
}


def index_of(passages: Mapping[str, str]) -> WordIndex:
    """Every passage is a group of its own."""
    return filled((ref, ref, text) for ref, text in passages.items())


def found(question: str, allowed: set[str] | None = None) -> list[str]:
    allowed = {"cancel", "late", "jain"} if allowed is None else allowed
    matches = index_of(PASSAGES).search(keys_of_question(question, indic=True), allowed)
    return [match.ref for match in matches.best(5)]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("डब्बा कितने बजे तक रद्द करें?", "cancel"),
        ("डब्बा लेट आए तो?", "late"),
        ("jain dabbe me pyaz lehsun hota hai kya", "jain"),
        ("dabba cancel karna hai", "cancel"),
    ],
)
def test_that_the_passage_that_shares_the_rare_words_comes_first(question: str, best: str) -> None:
    assert found(question)[0] == best


def test_that_only_allowed_passages_are_found() -> None:
    assert "secret" not in found("देर होने पर डब्बा रद्द")
    assert found("देर होने पर डब्बा रद्द", {"secret"}) == ["secret"]
    assert found("देर", set()) == []


def test_that_passages_nobody_may_see_do_not_change_the_scores() -> None:
    keys = keys_of_question("डब्बा रद्द देर", indic=True)
    allowed = {"cancel", "late", "jain"}
    without = index_of({ref: text for ref, text in PASSAGES.items() if ref != "secret"})
    assert index_of(PASSAGES).search(keys, allowed).best(5) == without.search(keys, allowed).best(5)


def test_that_coverage_is_one_when_every_content_word_is_there_and_less_when_one_is_not() -> None:
    index = index_of(PASSAGES)
    whole = index.search(keys_of_question("जैन प्याज़ लहसुन", indic=True), {"cancel", "late", "jain"})
    part = index.search(keys_of_question("जैन प्याज़ बिरयानी", indic=True), {"cancel", "late", "jain"})
    assert whole.best(1)[0].coverage == whole.coverage("jain") == pytest.approx(1)
    assert 0 < part.coverage("jain") < 0.9
    assert part.coverage("secret") == part.coverage("nowhere") == part.rank("nowhere") == 0
    assert part.rank("jain") == part.best(1)[0].rank > 0


def test_that_a_question_without_content_words_finds_nothing() -> None:
    assert found("kya hai") == []
    assert found("बिरयानी") == []


ENGLISH = {
    "address": "Changing the address\nThe address can be changed until the dabba leaves.",
    "change": "Changes\nA permanent change of address counts from the next day.",
    "secret": "For the desk\nBlacklisted callers.",
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("adress", "address"), ("adderss", "address"), ("permanant", "permanent"), ("adresss", None), ("dabbs", "dabba")],
)
def test_that_a_word_one_slip_away_is_mended(typed: str, meant: str | None) -> None:
    slips = index_of(ENGLISH).slips([typed], {"address", "change"})
    assert slips == ({typed: meant} if meant else {})


@pytest.mark.parametrize("word", ["address", "dab", "zddress", "1234567", "डब्बा"])
def test_that_known_short_and_foreign_words_are_left(word: str) -> None:
    assert index_of(ENGLISH).slips([word], {"address", "change"}) == {}


def test_that_nothing_is_mended_towards_words_of_passages_that_the_asker_may_not_see() -> None:
    assert index_of(ENGLISH).slips(["calers"], {"address", "change"}) == {}
    assert index_of(ENGLISH).slips(["calers"], set(ENGLISH)) == {"calers": "callers"}


def test_that_passages_that_are_gone_are_not_found_and_count_no_more() -> None:
    keys = keys_of_question("डब्बा रद्द देर", indic=True)
    left = index_of(PASSAGES)
    left.remove("late")
    left.remove("nowhere")
    never = index_of({ref: text for ref, text in PASSAGES.items() if ref != "late"})
    assert left.search(keys, set(PASSAGES)).best(5) == never.search(keys, set(PASSAGES)).best(5)
    left.add("late", "late", PASSAGES["late"])
    assert {match.ref for match in left.search(keys, set(PASSAGES)).best(5)} == {"late", "cancel", "secret", "jain"}
    assert not left.wasteful


def test_that_an_index_of_many_gone_passages_is_wasteful() -> None:
    index = filled((str(n), str(n), "late box") for n in range(1500))
    for n in range(1200):
        index.remove(str(n))
    assert index.wasteful
    assert len(index.search([("lat",)], {str(n) for n in range(1500)}).best(1000)) == 300


def test_that_equals_come_in_the_order_of_their_references_also_at_the_limit() -> None:
    index = filled((f"{n:02}", "all", "late box") for n in reversed(range(20)))
    assert [match.ref for match in index.search([("lat",)], {"all"}).best(3)] == ["00", "01", "02"]
    assert {match.group for match in index.search([("lat",)], {"all"}).best(3)} == {"all"}
