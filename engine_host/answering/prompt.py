"""The prompt of a help turn, bounded by the context: shared text first, then passages, then the question."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from engine_host.client.types import ChatMessage

if TYPE_CHECKING:
    from knowledge.article import Passage

_LETTERS_PER_TOKEN = 3.0
_OTHER_TOKENS_PER_CHARACTER = 2.0
_TOKENS_PER_MESSAGE = 8


@dataclass(frozen=True, slots=True)
class HelpPrompt:
    """`given` are the passages that fitted, in the order of their numbers in the prompt."""

    messages: tuple[ChatMessage, ...]
    given: tuple[Passage, ...]


@cache
def _texts() -> dict[str, str]:
    return tomllib.loads(files("assets").joinpath("prompts/help.toml").read_text(encoding="utf-8"))


def estimate_tokens(text: str) -> int:
    """An upper estimate: 3 ASCII letters or blanks a token, 1 token for any other ASCII character, 2 beyond ASCII."""
    others = sum(ord(character) > 127 for character in text)
    words = sum(character.isascii() and (character.isalpha() or character == " ") for character in text)
    marks = len(text) - others - words
    return math.ceil(words / _LETTERS_PER_TOKEN + marks + others * _OTHER_TOKENS_PER_CHARACTER)


def build_help_prompt(
    question: str, passages: tuple[Passage, ...], history: tuple[ChatMessage, ...], kitchen: str, budget_tokens: int
) -> HelpPrompt:
    """Fit the best passages, then the newest history, into `budget_tokens`; `given` is empty when none fits."""
    texts = _texts()
    fixed = (
        ChatMessage("system", texts["system"].format(kitchen=kitchen)),
        ChatMessage("user", texts["example_question"]),
        ChatMessage("assistant", texts["example_answer"]),
    )
    left = budget_tokens - sum(map(_cost, (*fixed, ChatMessage("user", texts["question"] + question))))
    given: list[Passage] = []
    for number, passage in enumerate(passages, start=1):
        left -= estimate_tokens(_line(number, passage) + "\n")
        if left < 0:
            break
        given.append(passage)
    numbered = "\n".join(_line(number, passage) for number, passage in enumerate(given, start=1))
    asked = texts["question"].format(passages=numbered, question=question)
    return HelpPrompt((*fixed, *_newest(history, left), ChatMessage("user", asked)), tuple(given))


def _line(number: int, passage: Passage) -> str:
    text = " ".join(passage.text.split())
    return _texts()["passage"].format(number=number, title=passage.title, text=text)


def _cost(message: ChatMessage) -> int:
    return estimate_tokens(message.content) + _TOKENS_PER_MESSAGE


def _newest(history: tuple[ChatMessage, ...], budget: int) -> tuple[ChatMessage, ...]:
    """The newest question-and-answer pairs that fit."""
    kept: tuple[ChatMessage, ...] = ()
    for start in range(len(history) - 2, -1, -2):
        pair = history[start : start + 2]
        budget -= sum(map(_cost, pair))
        if budget < 0:
            break
        kept = (*pair, *kept)
    return kept
