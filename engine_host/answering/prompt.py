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

_ASCII_PER_TOKEN = 3.0
_OTHER_TOKENS_PER_CHARACTER = 2.0


@dataclass(frozen=True, slots=True)
class HelpPrompt:
    """`given` are the passages that fitted, in the order of their numbers in the prompt."""

    messages: tuple[ChatMessage, ...]
    given: tuple[Passage, ...]


@cache
def _texts() -> dict[str, str]:
    return tomllib.loads(files("assets").joinpath("prompts/help.toml").read_text(encoding="utf-8"))


def estimate_tokens(text: str) -> int:
    """An upper estimate: 3 ASCII characters a token, 2 tokens for any other character (byte-level vocabularies)."""
    others = sum(ord(character) > 127 for character in text)
    return math.ceil((len(text) - others) / _ASCII_PER_TOKEN + others * _OTHER_TOKENS_PER_CHARACTER)


def build_help_prompt(
    question: str, passages: tuple[Passage, ...], history: tuple[ChatMessage, ...], kitchen: str, budget_tokens: int
) -> HelpPrompt:
    """Fit the best passages, then the newest history, into `budget_tokens`; the first passage is always given."""
    texts = _texts()
    fixed = (
        ChatMessage("system", texts["system"].format(kitchen=kitchen)),
        ChatMessage("user", texts["example_question"]),
        ChatMessage("assistant", texts["example_answer"]),
    )
    left = budget_tokens - sum(estimate_tokens(m.content) for m in fixed) - estimate_tokens(question)
    given: list[Passage] = []
    for passage in passages:
        left -= estimate_tokens(passage.title + passage.text)
        if given and left < 0:
            break
        given.append(passage)
    asked = texts["question"].format(passages=_numbered(given), question=question)
    return HelpPrompt((*fixed, *_newest(history, left), ChatMessage("user", asked)), tuple(given))


def _numbered(passages: list[Passage]) -> str:
    line = _texts()["passage"]
    return "\n".join(
        line.format(number=number, title=passage.title, text=" ".join(passage.text.split()))
        for number, passage in enumerate(passages, start=1)
    )


def _newest(history: tuple[ChatMessage, ...], budget: int) -> tuple[ChatMessage, ...]:
    """The newest question-and-answer pairs that fit."""
    kept: tuple[ChatMessage, ...] = ()
    for start in range(len(history) - 2, -1, -2):
        pair = history[start : start + 2]
        budget -= sum(estimate_tokens(message.content) for message in pair)
        if budget < 0:
            break
        kept = (*pair, *kept)
    return kept
