"""Talks to one vLLM server: a chat request in, its stream as typed events out."""

from __future__ import annotations

import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import httpx

from engine_host.client.chunks import ChunkReader, error_message
from engine_host.client.errors import EngineBusy, EngineError, EngineLost, EngineRefused
from engine_host.client.sse import EventDecoder, EventTooLong
from engine_host.http import client_for

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.client.types import ChatEvent, ChatMessage, ChatRequest, ToolSpec
    from engine_host.http import Tls

SILENCE_S = 120.0
_BUSY = (429, 503)


class EngineClient:
    """A vLLM server by URL and key. One client serves any number of streams at the same time; close it when done.

    `silence_s` is how long a stream may say nothing (a long prompt or a full queue) before it counts as lost.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        silence_s: float = SILENCE_S,
        clock: Callable[[], float] = time.monotonic,
        tls: Tls | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._silence_s = silence_s
        self._clock = clock
        headers = {"Authorization": f"Bearer {key}"} if key else None
        self._http = client_for(self.url, timeout_s=silence_s, headers=headers, tls=tls)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """The events of one answer, ending with ChatEnd. Closing the iterator closes the request, and the engine stops.

        Raises EngineBusy, EngineRefused or EngineLost; an answer that breaks off raises EngineLost, unless it was whole
        and only its last counts are missing.
        """
        if self._http.is_closed:
            raise EngineLost(
                "The engine is not in use any more: it was stopped or detached. Start it or attach to one."
            )
        reader = ChunkReader()
        try:
            async with aclosing(self._read(request, reader)) as events:
                async for event in events:
                    yield event
        except (httpx.HTTPError, httpx.InvalidURL, EventTooLong) as error:
            if not reader.is_whole:
                raise self._lost(error) from error
        if reader.ended:
            return
        if not reader.is_whole:
            raise EngineLost("The engine's answer broke off: the connection was closed before its end. Ask again.")
        for event in reader.finish():
            yield event

    async def _read(self, request: ChatRequest, reader: ChunkReader) -> AsyncGenerator[ChatEvent, None]:
        """Feeds `reader` until the stream ends, by itself or not. Raises EngineError, and httpx's own errors."""
        decoder = EventDecoder()
        async with self._http.stream("POST", "/v1/chat/completions", json=request_body(request)) as response:
            if response.status_code != 200:
                await response.aread()
                raise refusal(response)
            async for piece in response.aiter_bytes():
                at = self._clock()
                for event in decoder.feed(piece):
                    for news in reader.feed(event.data, at):
                        yield news
                    if reader.ended:
                        return

    async def aclose(self) -> None:
        await self._http.aclose()

    def _lost(self, error: Exception) -> EngineLost:
        where = f"at {self.url}"
        if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.InvalidURL)):
            return EngineLost(f"The engine cannot be reached: nothing answers {where}. Start it, or attach to another.")
        if isinstance(error, httpx.TimeoutException):
            return EngineLost(
                f"The engine fell silent: no word came {where} for {self._silence_s:.0f} s. "
                "Look at its log on the Engine page.",
            )
        return EngineLost(
            "The engine stopped in the middle of its answer: the connection broke. Ask again when it is ready."
        )


def request_body(request: ChatRequest) -> dict[str, Any]:
    """The request as vLLM takes it; usage is asked for on every chunk, so that a cancelled answer is counted too."""
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(one) for one in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
    if request.choices:
        body["structured_outputs"] = {"choice": list(request.choices)}
    if request.continues:
        body |= {"continue_final_message": True, "add_generation_prompt": False}
    if request.past_end:
        body["ignore_eos"] = True
    if request.tools:
        body["tools"] = [{"type": "function", "function": _function(tool)} for tool in request.tools]
        body["tool_choice"] = "auto" if request.may_call else "none"
    return body


def _message(message: ChatMessage) -> dict[str, Any]:
    said: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        said["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    if message.call_id:
        said["tool_call_id"] = message.call_id
    return said


def _function(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}


def refusal(response: httpx.Response) -> EngineError:
    """The exception for an answer that is not 200. The body must have been read."""
    said = error_message(_error_of(response))
    if response.status_code in _BUSY:
        wait = response.headers.get("retry-after", "")
        return EngineBusy(
            f"The engine takes no more questions now: {said}. Ask again in a moment.",
            float(wait) if wait.isdecimal() else None,
        )
    if response.status_code in (401, 403):
        return EngineRefused("The engine refused the key: it is missing or wrong. Correct it on the Engine page.")
    if response.status_code < 500:
        return EngineRefused(f"The engine refused the question: {said}. Shorten or change it, then send it again.")
    return EngineLost(f"The engine failed at this question: {said}. Look at its log on the Engine page.")


def _error_of(response: httpx.Response) -> object:
    try:
        body = response.json()
    except ValueError:
        return response.text or f"status {response.status_code}"
    if isinstance(body, dict) and "error" in body:
        return body["error"]  # pyright: ignore[reportUnknownVariableType]
    return f"status {response.status_code}"
