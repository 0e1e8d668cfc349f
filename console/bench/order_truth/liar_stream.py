"""How the liar's words cross the wire: vLLM's chunks as bytes, cut anywhere, also inside a character."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

LONGEST_PIECE = 14
LONGEST_CUT = 400


def text_events(rng: Random, model: str, text: str, prompt_tokens: int) -> bytes:
    """The whole stream of an answer that is `text`, usage on every chunk as `continuous_usage_stats` asks for."""
    events = [_chunk(model, {"role": "assistant", "content": ""}, None, prompt_tokens, 0)]
    count = 0
    for count, piece in enumerate(pieces(rng, text), start=1):
        events.append(_chunk(model, {"content": piece}, None, prompt_tokens, count))
    events.append(_chunk(model, {}, "stop", prompt_tokens, count))
    return b"".join([*events, *_end(model, prompt_tokens, count)])


def call_events(rng: Random, model: str, calls: list[dict[str, str]], prompt_tokens: int) -> bytes:
    """The stream of an answer that is tool calls: `name` and `arguments` of each, the arguments in pieces."""
    events = [_chunk(model, {"role": "assistant", "content": None}, None, prompt_tokens, 0)]
    for index, call in enumerate(calls):
        head = {"name": call["name"], "arguments": ""}
        first = {"index": index, "id": f"call-{index}", "type": "function", "function": head}
        events.append(_chunk(model, {"tool_calls": [first]}, None, prompt_tokens, index))
        for piece in pieces(rng, call["arguments"]):
            more = {"index": index, "function": {"arguments": piece}}
            events.append(_chunk(model, {"tool_calls": [more]}, None, prompt_tokens, index))
    events.append(_chunk(model, {}, "tool_calls", prompt_tokens, len(calls)))
    return b"".join([*events, *_end(model, prompt_tokens, len(calls))])


def pieces(rng: Random, text: str) -> list[str]:
    """`text` in pieces of a few characters, as tokens come."""
    found: list[str] = []
    while text:
        length = rng.randrange(1, LONGEST_PIECE)
        found.append(text[:length])
        text = text[length:]
    return found


def cuts(rng: Random, data: bytes) -> list[bytes]:
    """`data` cut wherever the network may cut it."""
    found: list[bytes] = []
    at = 0
    while at < len(data):
        length = rng.choice((1, 2, 3, rng.randrange(4, LONGEST_CUT), LONGEST_CUT, LONGEST_CUT))
        found.append(data[at : at + length])
        at += length
    return found


def _chunk(model: str, delta: dict[str, Any], reason: str | None, prompt: int, output: int) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return _event(model, {"choices": [choice], "usage": usage(prompt, output)})


def usage(prompt: int, output: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}


def _end(model: str, prompt: int, output: int) -> tuple[bytes, bytes]:
    metrics = {"queue_time_ms": 0.5, "time_to_first_token_ms": 1.0}
    return _event(model, {"choices": [], "usage": usage(prompt, output), "metrics": metrics}), b"data: [DONE]\n\n"


def _event(model: str, body: dict[str, Any]) -> bytes:
    head = {"id": "chatcmpl-liar", "object": "chat.completion.chunk", "created": 1, "model": model}
    return f"data: {json.dumps(head | body, ensure_ascii=False)}\n\n".encode()
