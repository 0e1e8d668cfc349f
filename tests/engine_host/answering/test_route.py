"""Which way a question goes, in the languages and spellings that customers use."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from engine_host.answering.route import asks_contents, order_ids, route

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


def questions(kind: str) -> list[str]:
    folder = files("assets").joinpath("sample_kitchen")
    lines = [
        line
        for language in ("en", "hi", "hinglish", "mr")
        for line in folder.joinpath(f"questions.{language}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [row["question"] for row in map(json.loads, lines) if row["kind"] == kind]


@pytest.mark.parametrize("text", ORDER)
def test_that_an_order_question_is_looked_up(text: str) -> None:
    routed = route(text, ("KD",))
    assert routed.order
    assert routed.order_rule


@pytest.mark.parametrize("text", HELP)
def test_that_a_help_question_goes_to_the_articles_only(text: str) -> None:
    routed = route(text, ("KD",))
    assert (routed.order, routed.help, routed.order_rule) == (False, True, "")
    assert routed.help_rule


@pytest.mark.parametrize("text", SMALL_TALK)
def test_that_small_talk_goes_nowhere(text: str) -> None:
    routed = route(text, ("KD",))
    assert (routed.order, routed.help, routed.help_rule) == (False, False, "")


def test_that_every_labelled_help_question_reaches_the_articles() -> None:
    texts = questions("help")
    assert len(texts) > 100
    assert [text for text in texts if not route(text, ("KD", "AR", "MO")).help] == []


def test_that_few_labelled_help_questions_cost_a_look_up() -> None:
    texts = questions("help") + questions("unanswerable")
    assert sum(route(text, ("KD", "AR", "MO")).order for text in texts) <= len(texts) * 0.03


@pytest.mark.parametrize(
    "text", ["where is my order and what is your refund policy", "my dabba is late, do i get a refund?"]
)
def test_that_a_question_about_both_goes_both_ways(text: str) -> None:
    routed = route(text, ("KD",))
    assert routed.order
    assert routed.help


@pytest.mark.parametrize(
    "text",
    [
        "KD-4821",
        "kd-4821",
        "kd4821",
        "KD 4821",
        "K D 4821",
        "K.D. 4821",
        "KD - 4821",
        "KD–4821",
        "KD‑4821",
        "KD—4821",
        "KD#4821",
        "KD_4821",
        "KD no: is KD/4821?",
        "KD-४८२१",
        "ＫＤ－４８２１",
        "КD-4821",
        "ΚD-4821",
        "K\u200bD-4821",
        "KD\u00a04821",
        "order 4821",
        "order no 4821",
        "Order no. 4821 please",
        "order number: 4821",
        "order #4821",
        "order id 4821",
        "ऑर्डर KD ४८२१ कहाँ है",
        "(kd-4821)",
        "KD-4821.",
        "KD-4821KD-4821",
    ],
)
def test_that_an_order_number_is_read_in_any_spelling(text: str) -> None:
    assert order_ids(text, ("KD",)) == ("KD-4821",)


@pytest.mark.parametrize(
    "text",
    [
        "AR-4821",
        "KD-12",
        "KD-12345678",
        "Rs 4821",
        "4821",
        "20 rs 250",
        "okd-4821",
        "pin 411004",
        "call 020 5550 0142",
        "",
    ],
)
def test_that_other_numbers_are_no_order_number(text: str) -> None:
    assert order_ids(text, ("KD",)) == ()


def test_that_order_numbers_keep_their_order_and_come_once() -> None:
    assert order_ids("kd 5001, KD-4821 and KD5001", ("KD",)) == ("KD-5001", "KD-4821")


def test_that_a_number_without_letters_takes_the_first_prefix() -> None:
    assert order_ids("order 4821", ("AR", "KD")) == ("AR-4821",)
    assert order_ids("order 4821", ()) == ()


def test_that_an_order_number_alone_is_an_order_question() -> None:
    routed = route("KD-4821?", ("KD",))
    assert routed.order
    assert not routed.help
    assert routed.order_rule == "order number KD-4821"


@pytest.mark.parametrize(
    "text", ["what is in my box", "what's in my order KD-4821", "डब्बे में क्या है", "माझ्या डब्यात काय आहे"]
)
def test_that_contents_are_asked_for(text: str) -> None:
    assert asks_contents(text)


@pytest.mark.parametrize("text", ["where is my box", "KD-4821", "what is in the wallet"])
def test_that_contents_are_not_told_unasked(text: str) -> None:
    assert not asks_contents(text)
