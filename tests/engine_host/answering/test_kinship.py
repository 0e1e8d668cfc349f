"""Words that can mean the same, and what they never let through."""

from __future__ import annotations

import pytest

from console.bench.gate.labelled import labelled_sentences, verdicts
from engine_host.answering.grounding import find_support
from engine_host.answering.kinship import kin_of
from engine_host.answering.wording import lines, meaning, meanings

ASK = "If a trace of nuts is dangerous for you, don't order from us. Type the PIN code in the app."
PLANS = "A weekly plan has 6 boxes and a monthly plan has 24 boxes."
PLANS_MR = "आठवड्याच्या प्लॅनमध्ये 6 डबे आणि महिन्याच्या प्लॅनमध्ये 24 डबे असतात."
NOTES = "Don't write an allergy as a note, because the kitchen doesn't see courier notes. The bank decides the day."
MOST_WITHHELD, MOST_RELEASED = 0.15, 3
"""Of spoken.jsonl: the share of true sentences, and the number of false ones, that a change may not exceed."""


def carried(sentence: str, text: str) -> bool:
    return find_support(sentence, (text,)).citation is not None


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("If a trace of nuts could harm you, do not order from us.", ASK),
        ("Enter your PIN code in the app.", ASK),
        ("The day is up to the bank.", NOTES),
        ("Take the lid off before you use the microwave.", "Remove the lid before you use the microwave."),
        ("If you use a microwave, first remove the lid.", "Remove the lid before you use a microwave."),
        ("You have 2 hours from the delivery to report it.", "Report it within 2 hours of the delivery."),
        ("The number of guests can't be more than 10%.", "The number of guests is limited to 10 percent."),
        ("A slot lasts half an hour.", "Slots are 30 minutes long."),
        ("A box has no more than 6 grams of sugar.", "A box has at most 6 g of sugar."),
        ("Once you ask, we delete the data within 30 days.", "We delete the data within 30 days of your request."),
        ("साप्ताहिक प्लॅनमध्ये 6 डबे मिळतात.", PLANS_MR),
        ("वॉलेटमधून दिलेले पैसे लगेचच परत येतात.", "वॉलेटमधून दिलेले पैसे लगेच परत जमा होतात."),
    ],
)
def test_that_what_means_the_same_in_this_place_is_carried(sentence: str, text: str) -> None:
    assert carried(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("A weekly plan has 24 boxes.", PLANS),
        ("साप्ताहिक प्लॅनमध्ये 24 डबे मिळतात.", PLANS_MR),
        ("We decide the day.", NOTES),
        ("The courier doesn't see the kitchen's notes.", NOTES),
        ("You can end a plan with a notice period.", "You can cancel a plan, and there is no notice period."),
        ("Only your friend gets Rs 100.", "You and your friend get Rs 100."),
        ("The surcharge applies to dinner only.", "The surcharge applies to lunch and dinner."),
        ("You can swap a Jain box for a Regular box.", "A swap is made inside a box type: a Jain box stays Jain."),
        ("Dinner comes at 19:00.", "Dinner arrives between 19:00 and 20:30."),
        (
            "A credit of Rs 30 applies.",
            "| how late | what happens |\n|---|---|\n| 20 to 45 minutes | a credit of Rs 30 |",
        ),
        ("अर्धी रक्कम परत मिळते.", "ठरलेल्या वेळेनंतर रद्द केल्यास अर्धी रक्कम परत मिळते."),
        ("स्टील का डब्बा खो गया।", "स्टील का डब्बा खो जाए तो जमा राशि वापस नहीं होती।"),
        ("डब्बा देर से है।", "डब्बा देर से आए तो 30 रुपये का क्रेडिट मिलता है।"),
    ],
)
def test_that_another_number_actor_or_kind_is_not_carried(sentence: str, text: str) -> None:
    assert not carried(sentence, text)


def test_that_a_case_which_the_heading_names_need_not_be_in_the_fact() -> None:
    text = "## If the answer is not good enough\n\nReply to the same message and ask for the desk lead."
    said = "If you aren't happy with the answer, reply to the same message and ask for the desk lead."
    assert carried(said, text)
    assert not carried(said.replace("answer", "courier"), text)


def test_that_no_two_kinds_of_one_thing_are_kin() -> None:
    apart = [line for line in lines("rivals") if len(line) > 1]
    for line in apart:
        for one in line:
            others = frozenset(meaning(word) for word in line if meaning(word) != meaning(one))
            assert not any(kin_of(frozenset({meaning(one)})) & kin_of(frozenset({other})) for other in others), line


def test_that_limits_are_kin_only_of_what_bounds_alike() -> None:
    apart = {frozenset(map(meaning, pair)) for pair in (("before", "after"), ("minimum", "maximum"), ("half", "whole"))}
    for line in lines("kin"):
        words = frozenset(map(meaning, line))
        assert not any(pair <= words for pair in apart), line
    assert meaning("half") in meanings("limits")


def test_that_what_a_larger_model_says_of_an_article_is_mostly_released() -> None:
    judged = verdicts(labelled_sentences("spoken"))
    true = [one for one in judged if one.row.supported]
    withheld = [one.row.sentence for one in true if not one.released]
    released = [one.row.sentence for one in judged if one.released and not one.row.supported]
    assert len(withheld) <= MOST_WITHHELD * len(true), withheld
    assert len(released) <= MOST_RELEASED, released
