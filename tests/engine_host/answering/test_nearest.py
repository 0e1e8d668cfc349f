"""Labelled examples: which are near, which way they vote, and what is weighed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.labelled import examples
from engine_host.answering.leaning import Leaning
from engine_host.answering.likeness import LetterLikeness
from engine_host.answering.nearest import Examples, by_letters
from engine_host.answering.patterns import table
from engine_host.answering.scales import SIGN, chance, on_the_scales
from engine_host.answering.signs import plain_words, signs_of
from engine_host.answering.spelling import KeyWords, slips_between
from knowledge.errors import ModelMissing
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

LANGUAGES = {"en", "hinglish", "hi", "mr"}


class FakeMeanings:
    """Meanings of words, as from the embedder of the weights; `error` is raised for a question."""

    def __init__(self) -> None:
        self.embedder = WordEmbedder()
        self.name = str(table("weights")["embedder"])
        self.error: Exception | None = None
        self.asked: list[str] = []

    async def model(self) -> str:
        return self.name

    async def of(self, question: str) -> np.ndarray:
        self.asked.append(question)
        if self.error:
            raise self.error
        return self.embedder.embed_question(question)

    async def of_all(self, texts: Sequence[str]) -> np.ndarray:
        return self.embedder.embed(texts)


def test_that_there_are_150_examples_of_every_language_and_each_text_comes_once() -> None:
    roman = [one for one in examples() if one.roman]
    assert len(roman) >= 300
    assert len(examples()) - len(roman) >= 300
    assert {one.label for one in examples()} == {"order", "help", "both", "neither"}
    assert [text for text, count in Counter(plain_words(one.text) for one in examples()).items() if count > 1] == []


@pytest.mark.parametrize("text", [one.text for one in examples()[::97]])
def test_that_an_example_is_nearest_to_itself(text: str) -> None:
    near = by_letters(text)
    assert near.likeness == pytest.approx(1.0, abs=1e-3)


async def test_that_an_example_left_out_is_not_found() -> None:
    place = next(row for row, one in enumerate(examples()) if one.is_order)
    with_it = await Examples(None).nearest_to(examples()[place].text)
    without = await Examples(None).nearest_to(examples()[place].text, without=place)
    assert without.to_order < with_it.to_order


async def test_that_meanings_count_where_the_embedder_knows_the_language() -> None:
    meanings = FakeMeanings()
    nearest = Examples(meanings)
    await nearest.warm()
    assert not (await nearest.nearest_to("whereabouts of the evening thing")).letters_only
    assert (await nearest.nearest_to("संध्याकाळची गोष्ट")).letters_only
    assert meanings.asked == ["whereabouts of the evening thing"]


async def test_that_a_question_does_not_wait_for_the_embedding_of_the_examples() -> None:
    meanings = FakeMeanings()
    assert (await Examples(meanings).nearest_to("the evening thing")).letters_only
    assert meanings.embedder.texts == []


async def test_that_meanings_of_another_embedder_do_not_count() -> None:
    meanings = FakeMeanings()
    meanings.name = "another"
    nearest = Examples(meanings)
    await nearest.warm()
    assert (await nearest.nearest_to("the evening thing")).letters_only


async def test_that_letters_decide_while_the_embedder_fails() -> None:
    meanings = FakeMeanings()
    nearest = Examples(meanings)
    await nearest.warm()
    meanings.error = ModelMissing("It is not installed.")
    assert (await nearest.nearest_to("the evening thing")).letters_only


@pytest.mark.parametrize("text", ["", "…", "日本語", "🧱🧱", "x"])
async def test_that_a_text_without_known_letters_is_like_nothing(text: str) -> None:
    near = await Examples(None).nearest_to(text)
    assert near.likeness < 0.3


def test_that_likeness_is_by_pieces_of_words() -> None:
    near = LetterLikeness(["where is my lunch", "do you take cards", "माझा डबा कुठे आहे"])
    assert list(near.to("wheres my lunchbox").argsort())[-1] == 0
    assert list(near.to("माझ्या डब्याचं काय").argsort())[-1] == 2


def test_that_pieces_lean_the_way_of_their_examples() -> None:
    leaning = Leaning(
        ["where is my lunch", "is my lunch here", "do you take cards", "cards or cash"], [True, True, False, False]
    )
    assert leaning.of("my lunch").total > 0 > leaning.of("credit cards").total
    assert leaning.of("zzz").unknown == 1.0
    assert leaning.of("where is my lunch", without=0).total < leaning.of("where is my lunch").total


def test_that_every_sign_that_is_weighed_is_one_that_is_found() -> None:
    known = {sign for name in LANGUAGES for sign in table(f"signs.{name}")} | {"small_talk"}
    weighed = {name.removeprefix(SIGN) for name in table("weights")["weights"] if name.startswith(SIGN)}
    assert weighed <= known


def test_that_every_rule_needs_signs_that_exist() -> None:
    known = {sign for name in LANGUAGES for sign in table(f"signs.{name}")}
    rules = table("rules")
    needed = {
        sign for row in (*rules["order"], *rules["help"]) for sign in f"{row['needs']} {row.get('unless', '')}".split()
    }
    assert needed <= known


async def test_that_what_speaks_of_an_order_weighs_more() -> None:
    async def how_likely(text: str) -> float:
        near = await Examples(None).nearest_to(text)
        return chance(on_the_scales(len(text.split()), signs_of(text), near, Leaning(["a"], [True]).of(text)))

    assert await how_likely("has the lad with my lunch been seen") > await how_likely("which cards do you accept") + 0.2


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Where's   my DABBA?!", "wheres my daba"),
        ("रिफ़ंड कहाँ है।", "रिफंड कहां है"),
        ("kahaaaan hai", "kahan hai"),
        ("KD-4821", ""),
        ("I am C-8101, 98765 43210", "i am"),
        ("सी-८१०१ हूँ", "हूं"),
        ("at 12:30 for Rs 250", "at 12 30 for rs 250"),
    ],
)
def test_that_words_are_compared_in_one_form(text: str, plain: str) -> None:
    assert plain_words(text) == plain


@pytest.mark.parametrize(
    "text", ["whre is my oder", "trak my delivry", "has my parcl arived", "statsu of my oredr", "my pakage is delyed"]
)
def test_that_misspelt_key_words_show_their_signs(text: str) -> None:
    assert {"thing", "mine"} <= signs_of(text)


@pytest.mark.parametrize(
    ("one", "other", "slips"), [("oder", "order", 1), ("odrer", "order", 1), ("track", "track", 0), ("abc", "xyz", 3)]
)
def test_that_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert slips_between(one, other) == slips


def test_that_a_known_word_is_not_taken_for_a_misspelt_one() -> None:
    words = KeyWords(["order", "delivery"], {"older"})
    assert [words.nearest(word) for word in ("older", "oder", "delivrey", "odor7", "box")] == [
        "older", "order", "delivery", "odor7", "box",
    ]  # fmt: skip
