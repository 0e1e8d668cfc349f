from __future__ import annotations

import json

import pytest

from engine_host.client.chunks import ChunkReader
from engine_host.client.errors import EngineLost, EngineRefused
from engine_host.client.types import ChatDelta, ChatEnd, ChatUsage

# the last two chunks as vLLM 0.32.0 sent them with per-request metrics and prompt token details
LAST_WORD = {
    "choices": [{"index": 0, "delta": {"content": " my"}, "finish_reason": "length", "token_ids": None}],
    "usage": {"prompt_tokens": 32, "total_tokens": 38, "completion_tokens": 6, "completion_tokens_details": None},
}
FINAL_USAGE = {
    "choices": [],
    "usage": {
        "prompt_tokens": 32,
        "total_tokens": 38,
        "completion_tokens": 6,
        "prompt_tokens_details": {"cached_tokens": 16, "created_cache_tokens": 0},
    },
    "metrics": {"time_to_first_token_ms": 96.4, "queue_time_ms": 0.05, "mean_itl_ms": 50.8},
}


def test_that_an_answer_ends_with_its_final_usage_and_reason() -> None:
    reader = ChunkReader()
    events = [e for chunk in (LAST_WORD, FINAL_USAGE) for e in reader.feed(json.dumps(chunk), 1.0)]
    assert events == [ChatDelta(" my", 6, 1.0), ChatUsage(32, 0, 6), ChatUsage(32, 16, 6)]
    assert reader.feed("[DONE]", 2.0) == [ChatEnd("length", 0.05)]
    assert reader.ended


def test_that_the_same_usage_is_not_told_twice() -> None:
    reader = ChunkReader()
    reader.feed(json.dumps(LAST_WORD), 1.0)
    assert reader.feed(json.dumps({"choices": [], "usage": LAST_WORD["usage"]}), 1.1) == []


def test_that_the_role_chunk_and_empty_deltas_bring_no_text() -> None:
    reader = ChunkReader()
    role = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}
    assert reader.feed(json.dumps(role), 1.0) == []
    assert reader.feed(json.dumps({"choices": [{"delta": {"content": None}}]}), 1.0) == []


def test_that_a_server_without_usage_still_gives_text() -> None:
    assert ChunkReader().feed('{"choices": [{"delta": {"content": "Hi"}}], "usage": null}', 3.0) == [
        ChatDelta("Hi", None, 3.0)
    ]


def test_that_an_error_object_says_whose_fault_it_is() -> None:
    with pytest.raises(EngineRefused, match="too long"):
        ChunkReader().feed('{"error": {"message": "too long.", "code": 400}}', 0.0)
    with pytest.raises(EngineLost, match="EngineCore died"):
        ChunkReader().feed('{"error": {"message": "EngineCore died", "code": 500}}', 0.0)
    with pytest.raises(EngineLost, match="out of order"):
        ChunkReader().feed('{"error": "out of order"}', 0.0)


@pytest.mark.parametrize("data", ["<html>", "[1, 2]", "null", ""])
def test_that_something_else_than_a_chunk_is_not_read_as_an_answer(data: str) -> None:
    with pytest.raises(EngineLost, match="not a chat chunk"):
        ChunkReader().feed(data, 0.0)
