"""Records of the engine client: what is asked of a vLLM server and what its stream brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One chat completion. `model` is the served name; the stream always asks for usage on every chunk."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float = 0.0
    choices: tuple[str, ...] = ()
    """When given, the answer is constrained to one of these strings (vLLM structured outputs)."""


@dataclass(frozen=True, slots=True)
class ChatDelta:
    """A piece of text. `output_tokens` is the engine's running count when it says so; `at` is monotonic seconds."""

    text: str
    output_tokens: int | None
    at: float


@dataclass(frozen=True, slots=True)
class ChatUsage:
    """The engine's token counts so far; the last one of a stream is final. Counted once, never added up."""

    prompt_tokens: int
    cached_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class ChatEnd:
    """The stream ended by itself. `queue_ms` is the engine's own queue time when it reports per-request metrics."""

    finish_reason: str
    queue_ms: float | None = None


ChatEvent = ChatDelta | ChatUsage | ChatEnd
