"""Which way a question goes, in the languages and spellings that customers use."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.asking import asked_besides
from engine_host.answering.nearest import Examples
from engine_host.answering.route import Asked, Router
from tests.fakes.answering import ScriptedEngine

if TYPE_CHECKING:
    from engine_host.answering.events import Routed

ORDER = [
    "where is my order",
    "Where's my dabba?",
    "whr is my lunch",
    "where is the food yaar",
    "status of my order pls",
    "order status",
    "track my order",
    "track",
    "any update?",
    "when will my lunch come",
    "when will it come?",
    "what time will it reach",
    "how long for my tiffin to arrive",
    "when do i get my box",
    "has my dabba left?",
    "has it left the kitchen",
    "is my lunch packed",
    "did the courier leave? is it on the way",
    "my order hasn't come",
    "my lunch has not come yet",
    "i have not received my tiffin",
    "still waiting for my dabba",
    "still waiting",
    "waiting since 1 hour",
    "who is bringing my lunch",
    "what is in my box",
    "what did i order today",
    "my dabba is late",
    "my order is delayed",
    "was my order cancelled",
    "is my dinner cancelled",
    "KD-4821",
    "what about kd 4821",
    "order 4821",
    "mera dabba kidhar hai",
    "mera order kab aayega",
    "dabba kab tak aayega",
    "khana nahi aaya abhi tak",
    "dabba nikla kya",
    "kitna time lagega",
    "bhai order kaha hai",
    "dabbe me kya hai aaj",
    "मेरा डब्बा कहाँ है?",
    "मेरा ऑर्डर कब आएगा",
    "डब्बा अभी तक नहीं आया",
    "खाना कितनी देर में आएगा",
    "मेरे ऑर्डर का स्टेटस बताइए",
    "डब्बा निकला क्या?",
    "आज डब्बे में क्या है?",
    "माझा डबा कुठे आहे?",
    "माझी ऑर्डर कधी येईल",
    "डबा अजून आला नाही",
    "जेवण किती वाजता येणार",
    "ऑर्डरचं स्टेटस सांगा",
    "डबा निघाला का?",
    "माझ्या डब्यात काय आहे?",
    "and now?",
    "what about the other one",
]

HELP = [
    "how do i cancel a lunch and get my money back",
    "do you have jain boxes",
    "what is the price of a protein box",
    "which payment methods are there",
    "can i pause my plan for a week",
    "I want an invoice with GSTIN",
    "is peanut in the chutney",
    "kya jain khana milta hai",
    "refund kaise milta hai",
    "क्या आप जैन खाना बनाते हैं?",
    "पैसे वापस कैसे मिलते हैं?",
    "जैन डबा मिळतो का?",
    "रद्द केल्यावर पैसे परत मिळतात का?",
]

SMALL_TALK = [
    "hi",
    "Hello!",
    "good morning",
    "thanks",
    "thank you team",
    "ok",
    "नमस्ते",
    "नमस्कार",
    "धन्यवाद!",
    "bye",
    "  hi  ",
]


async def route(text: str) -> Routed:
    """By code alone: no embedder, no engine."""
    return await Router(Examples(None), ScriptedEngine(ready=False)).route(Asked(text, ("KD",)), lambda tokens: None)


def questions(kind: str) -> list[str]:
    folder = files("assets").joinpath("sample_kitchen")
    lines = [
        line
        for language in ("en", "hi", "hinglish", "mr")
        for line in folder.joinpath(f"questions.{language}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [row["question"] for row in map(json.loads, lines) if row["kind"] == kind]


@pytest.mark.parametrize("text", ORDER)
async def test_that_an_order_question_is_looked_up(text: str) -> None:
    routed = await route(text)
    assert routed.order
    assert routed.order_rule


@pytest.mark.parametrize("text", HELP)
async def test_that_a_help_question_goes_to_the_articles_only(text: str) -> None:
    routed = await route(text)
    assert (routed.order, routed.help, routed.order_rule) == (False, True, "")
    assert routed.help_rule


@pytest.mark.parametrize("text", SMALL_TALK)
async def test_that_small_talk_goes_nowhere(text: str) -> None:
    routed = await route(text)
    assert (routed.order, routed.help, routed.help_rule) == (False, False, "")


async def test_that_every_labelled_help_question_reaches_the_articles() -> None:
    texts = questions("help")
    assert len(texts) > 100
    missed = [text for text in texts if not (await route(text)).help]
    assert len(missed) <= len(texts) * 0.06, missed


async def test_that_few_labelled_help_questions_cost_a_look_up() -> None:
    texts = questions("help") + questions("unanswerable")
    looked_up = [text for text in texts if (await route(text)).order]
    assert len(looked_up) <= len(texts) * 0.2, looked_up


@pytest.mark.parametrize(
    "text", ["where is my order and what is your refund policy", "my dabba is late, do i get a refund?"]
)
async def test_that_a_question_about_both_goes_both_ways(text: str) -> None:
    routed = await route(text)
    assert routed.order
    assert routed.help


async def test_that_an_order_number_alone_is_an_order_question() -> None:
    routed = await route("KD-4821?")
    assert routed.order
    assert not routed.help
    assert routed.order_rule == "order number KD-4821"


@pytest.mark.parametrize(
    "text", ["what is in my box", "what's in my order KD-4821", "डब्बे में क्या है", "माझ्या डब्यात काय आहे"]
)
def test_that_contents_are_asked_for(text: str) -> None:
    assert asked_besides(text).contents


@pytest.mark.parametrize("text", ["where is my box", "KD-4821", "what is in the wallet"])
def test_that_contents_are_not_told_unasked(text: str) -> None:
    assert not asked_besides(text).contents


NUMBERED = (
    "I just signed in as {}. and now?", "my customer number is {}, what now", "it is for {} please look",
    "call me on {} about that", "मैं {} हूँ, अब बताइए", "माझा नंबर {} आहे, काय झालं", "mera number {} hai kya hua",
)  # fmt: skip


@pytest.mark.parametrize("text", NUMBERED)
async def test_that_one_long_number_sways_a_question_as_another(text: str) -> None:
    numbers = ("C-8101", "C-0000", "C-9999", "c 7777", "98765 43210", "11223344")
    routes = {replace(await route(text.format(number)), elapsed_ms=0.0) for number in numbers}
    assert len(routes) == 1


@pytest.mark.parametrize(
    "text",
    [
        "if my order comes cold whom do i call", "do you tell me when the box leaves",
        "when is lunch normally brought to offices",
        "agar mera order thanda aaye to kisko bolu", "ghar pe na rahu to dabba kaha rakhte hai",
        "अगर मेरा ऑर्डर ठंडा आए तो किसको बोलूँ", "लंच आम तौर पर कितने बजे पहुँचता है",
        "माझी ऑर्डर थंड आली तर कोणाला सांगू", "घरी नसलो तर डबा कुठे ठेवता",
    ],
)  # fmt: skip
async def test_that_a_rule_for_an_order_does_not_decide_in_a_frame(text: str) -> None:
    routed = await route(text)
    assert routed.by != "rule"
    assert routed.help


@pytest.mark.parametrize(
    "text",
    [
        "do you know where my box is right now", "can you check if my lunch was packed",
        "are you bringing my lunch or not",
        "kya aap bata sakte ho mera dabba kahan hai", "क्या आप बता सकते हैं मेरा डब्बा कहाँ है",
        "माझा डबा कुठे आहे सांगू शकता का",
    ],
)  # fmt: skip
async def test_that_an_order_is_recognised_in_a_frame(text: str) -> None:
    assert (await route(text)).order


@pytest.mark.parametrize(
    "text",
    [
        "where is my order, and do you deliver on sundays?", "mera dabba kidhar hai aur sunday ko dete ho kya",
        "मेरा डब्बा कहाँ है और रिफंड कैसे मिलता है", "माझा डबा कुठे आहे, आणि रविवारी देता का",
    ],
)  # fmt: skip
async def test_that_a_clause_for_an_order_is_one_beside_any_other(text: str) -> None:
    routed = await route(text)
    assert (routed.order, routed.help, routed.by) == (True, True, "rule")


@pytest.mark.parametrize(
    "text",
    [
        "क्या आप मुझे बता सकते हैं कि मेरा खाना कब आएगा",
        "kya aap bata sakte hai mera dabba kahan hai",
        "can you please tell me where my order is",
    ],
)
async def test_that_a_polite_request_to_be_told_is_no_question_for_a_habit(text: str) -> None:
    routed = await route(text)
    assert (routed.order, routed.help) == (True, False)
