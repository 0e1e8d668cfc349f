"""Reads the chunks of one chat completion stream. Pure: data of one server-sent event in, chat events out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from engine_host.client.errors import EngineError, EngineLost, EngineRefused
from engine_host.client.tool_calls import CallCollector
from engine_host.client.types import ChatDelta, ChatEnd, ChatEvent, ChatUsage

DONE = "[DONE]"


@dataclass(slots=True)
class ChunkReader:
    """Fed with each event's data, in order. `ended` is true once the stream said [DONE]; calls come just before.

    `is_whole` is true as soon as the engine gave the reason for which it ends: only counts come after that.
    """

    ended: bool = False
    _finish_reason: str = ""
    _queue_ms: float | None = None
    _usage: ChatUsage | None = None
    _calls: CallCollector = field(default_factory=CallCollector)

    def feed(self, data: str, at: float) -> list[ChatEvent]:
        """The events of one chunk that arrived at `at`, in monotonic seconds. Raises EngineRefused or EngineLost."""
        if data.strip() == DONE:
            self.ended = True
            return self.finish()
        chunk = _object(data)
        if "error" in chunk:
            raise stream_error(chunk["error"])
        events: list[ChatEvent] = []
        usage = read_usage(chunk.get("usage"))
        delta = self._delta(chunk)
        self._calls.feed(delta, at)
        content = delta.get("content")
        if content and isinstance(content, str):
            events.append(ChatDelta(content, usage.output_tokens if usage else None, at))
        if usage is not None and usage != self._usage:
            self._usage = usage
            events.append(usage)
        self._queue_ms = _number(_mapping(chunk.get("metrics")).get("queue_time_ms"), self._queue_ms)
        return events

    @property
    def is_whole(self) -> bool:
        return bool(self._finish_reason)

    def finish(self) -> list[ChatEvent]:
        """What was held back until the end: the calls, and the end itself."""
        return [*self._calls.finish(), ChatEnd(self._finish_reason or "unknown", self._queue_ms)]

    def _delta(self, chunk: dict[str, Any]) -> dict[str, Any]:
        choices: Any = chunk.get("choices")
        if not isinstance(choices, list) or not choices:
            return {}
        choice = _mapping(cast("list[Any]", choices)[0])
        self._finish_reason = choice.get("finish_reason") or self._finish_reason
        return _mapping(choice.get("delta"))


def read_usage(usage: object) -> ChatUsage | None:
    """vLLM's usage object; `cached_tokens` comes with the last chunk only, and may be missing altogether."""
    found = _mapping(usage)
    prompt, output = found.get("prompt_tokens"), found.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(output, int):
        return None
    cached = _mapping(found.get("prompt_tokens_details")).get("cached_tokens")
    return ChatUsage(prompt, cached if isinstance(cached, int) else 0, output)


def stream_error(error: object) -> EngineError:
    """The exception for an error object: a 4xx code is the request's fault, all others the engine's."""
    said = error_message(error)
    code = _mapping(error).get("code")
    if isinstance(code, int) and 400 <= code < 500:
        return EngineRefused(f"The engine refused the question: {said}. Shorten or change it, then send it again.")
    return EngineLost(f"The engine stopped in the middle of its answer: {said}. Look at its log on the Engine page.")


def error_message(error: object) -> str:
    """What the server said, as half a sentence without a full stop."""
    found = _mapping(error)
    message = found.get("message") if found else error
    text = " ".join(str(message or "it gave no reason").split())
    return text.rstrip(".")[:300]


def _object(data: str) -> dict[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):  # a chunk nested a thousand deep
        chunk = None
    if not isinstance(chunk, dict):
        raise EngineLost(
            "The engine's stream cannot be read: it sent something that is not a chat chunk. "
            "Check that the address is a vLLM server.",
        )
    return cast("dict[str, Any]", chunk)


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _number(value: object, otherwise: float | None) -> float | None:
    return float(value) if isinstance(value, (int, float)) else otherwise
