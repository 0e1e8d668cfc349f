"""Records of the engine client: what is asked of a vLLM server and what its stream brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool that the model may call. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call as it goes back to the model: `arguments` is JSON that this program wrote. `call_id` ties the result."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """`calls` are those that an assistant made; a tool's message answers the one with its `call_id`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolUse, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One chat completion. `model` is the served name; the stream always asks for usage on every chunk.

    With `may_call` off the tools stay in the prompt, so that its cached beginning is found again. `continues`: the last
    message is the beginning of this very answer, and the model goes on within it. `past_end`: it writes on to
    `max_tokens`, also where it would have ended.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float = 0.0
    choices: tuple[str, ...] = ()
    """When given, the answer is constrained to one of these strings (vLLM structured outputs)."""
    tools: tuple[ToolSpec, ...] = ()
    may_call: bool = True
    continues: bool = False
    past_end: bool = False


@dataclass(frozen=True, slots=True)
class ChatEngine:
    """From here on the answer comes from this engine, in its run `run`; several engines are one stream after another.

    `lost` tells, in a sentence, why the one before writes no more; empty at the beginning. `at` is monotonic seconds.
    """

    engine: str
    run: str | None
    at: float
    lost: str = ""


@dataclass(frozen=True, slots=True)
class ChatDelta:
    """A piece of text. `output_tokens` is the engine's running count when it says so; `at` is monotonic seconds."""

    text: str
    output_tokens: int | None
    at: float


@dataclass(frozen=True, slots=True)
class ChatToolCall:
    """A call as the model made it, whole and unread: `arguments` may be anything. `first_at` and `last_at` are when its
    first and its last piece came, in monotonic seconds."""

    name: str
    arguments: str
    first_at: float
    last_at: float


@dataclass(frozen=True, slots=True)
class ChatUsage:
    """The engine's token counts so far; the last one of a stream is final. Counted once, never added up.

    Where an answer moved, those of every engine that worked on it are in here.
    """

    prompt_tokens: int
    cached_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class ChatEnd:
    """The stream ended by itself. `queue_ms` is the engine's own queue time when it reports per-request metrics."""

    finish_reason: str
    queue_ms: float | None = None


ChatEvent = ChatEngine | ChatDelta | ChatToolCall | ChatUsage | ChatEnd
