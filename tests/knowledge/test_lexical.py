from __future__ import annotations

import pytest

from knowledge.lexical import WordIndex
from knowledge.words import keys_of_question

PASSAGES = {
    "cancel": "रद्द करना\nडब्बा सुबह 09:00 बजे से पहले रद्द करने पर पूरी रकम लौटाई जाती है।",
    "late": "देर\nडब्बा 45 मिनट से ज़्यादा देर से आए तो वह मुफ़्त होता है।",
    "jain": "जैन डब्बा\nजैन डब्बे में प्याज़ और लहसुन नहीं होते।",
    "secret": "रसोई के लिए\nदेर होने पर डब्बा रद्द मत कीजिए।",
}


def found(question: str, allowed: set[str] | None = None) -> list[str]:
    allowed = {"cancel", "late", "jain"} if allowed is None else allowed
    matches = WordIndex(PASSAGES.items()).search(keys_of_question(question, indic=True), allowed, 5)
    return [match.ref for match in matches]


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
    without = WordIndex((ref, text) for ref, text in PASSAGES.items() if ref != "secret")
    assert WordIndex(PASSAGES.items()).search(keys, allowed, 5) == without.search(keys, allowed, 5)


def test_that_coverage_is_one_when_every_content_word_is_there_and_less_when_one_is_not() -> None:
    index = WordIndex(PASSAGES.items())
    whole = index.search(keys_of_question("जैन प्याज़ लहसुन", indic=True), {"cancel", "late", "jain"}, 1)
    part = index.search(keys_of_question("जैन प्याज़ बिरयानी", indic=True), {"cancel", "late", "jain"}, 1)
    assert whole[0].coverage == pytest.approx(1)
    assert 0 < part[0].coverage < 0.9


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
    slips = WordIndex(ENGLISH.items()).slips([typed], {"address", "change"})
    assert slips == ({typed: meant} if meant else {})


@pytest.mark.parametrize("word", ["address", "dab", "zddress", "1234567", "डब्बा"])
def test_that_known_short_and_foreign_words_are_left(word: str) -> None:
    assert WordIndex(ENGLISH.items()).slips([word], {"address", "change"}) == {}


def test_that_nothing_is_mended_towards_words_of_passages_that_the_asker_may_not_see() -> None:
    assert WordIndex(ENGLISH.items()).slips(["calers"], {"address", "change"}) == {}
    assert WordIndex(ENGLISH.items()).slips(["calers"], set(ENGLISH)) == {"calers": "callers"}
