"""A tool-trained model is asked what a question is about; its answer is one of four words and nothing else."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal, get_args

from engine_host.answering.patterns import table
from engine_host.answering.way import Spent
from engine_host.client.errors import EngineError
from engine_host.client.types import ChatDelta, ChatEngine, ChatMessage, ChatRequest, ChatUsage
from storage.records import TokenUse

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.answering.help_way import Writer

Choice = Literal["order", "help", "both", "neither"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
MOST_TOKENS = 4
TIME_LIMIT_S = 1.5


async def model_choice(
    writer: Writer, text: str, spent: Callable[[Spent], None], limit_s: float = TIME_LIMIT_S
) -> Choice | None:
    """What `writer` takes the question for; None when it fails, answers anything else or is slower than `limit_s`.

    `spent` is told the tokens, whatever came of it.
    """
    request = ChatRequest(writer.model, _messages(text), MOST_TOKENS, choices=CHOICES)
    answer, tokens, run = "", TokenUse(), None
    try:
        async with asyncio.timeout(limit_s), aclosing(writer.stream(request)) as stream:
            async for event in stream:
                match event:
                    case ChatDelta(text=piece):
                        answer += piece
                    case ChatEngine():
                        run = event.run
                    case ChatUsage(prompt, cached, output):
                        tokens = TokenUse(prompt, cached, output)
                    case _:
                        pass
    except (TimeoutError, EngineError):
        return None
    finally:
        spent(Spent(tokens, run))
    word = answer.strip()
    return word if word in CHOICES else None


def _messages(text: str) -> tuple[ChatMessage, ...]:
    told = table("model")
    shown = [
        message
        for example in told["example"]
        for message in (ChatMessage("user", example["question"]), ChatMessage("assistant", example["answer"]))
    ]
    return (ChatMessage("system", told["system"]), *shown, ChatMessage("user", text))
