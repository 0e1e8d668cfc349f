"""Tool calls out of a stream, however the server cut them up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine_host.client.chat import request_body
from engine_host.client.chunks import ChunkReader
from engine_host.client.tool_calls import LONGEST_ARGUMENTS, MOST_CALLS, CallCollector
from engine_host.client.types import (
    ChatDelta,
    ChatEnd,
    ChatEvent,
    ChatMessage,
    ChatRequest,
    ChatToolCall,
    ChatUsage,
    ToolSpec,
    ToolUse,
)

NUMBER = '{"order_number": "KD-4821"}'


def piece(index: int | None = 0, name: str | None = None, arguments: Any = None, call_id: str = "") -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    found: dict[str, Any] = {"function": function}
    if index is not None:
        found["index"] = index
    return found | ({"id": call_id, "type": "function"} if call_id else {})


def collected(*deltas: list[dict[str, Any]] | dict[str, Any]) -> list[tuple[str, str]]:
    collector = CallCollector()
    for at, delta in enumerate(deltas):
        collector.feed({"tool_calls": delta} if isinstance(delta, list) else delta, float(at))
    return [(call.name, call.arguments) for call in collector.finish()]


@pytest.mark.parametrize(
    "deltas",
    [
        ([piece(name="look", arguments=NUMBER, call_id="a")],),
        ([piece(name="look", call_id="a")], [piece(arguments=NUMBER[:7])], [piece(arguments=NUMBER[7:])]),
        ([piece(name="look", call_id="a")], *([piece(arguments=letter)] for letter in NUMBER)),
        ([piece(name="lo", call_id="a")], [piece(name="ok")], [piece(arguments=NUMBER)]),
        ([piece(name="look", call_id="a")], [piece(name="look", arguments=NUMBER, call_id="a")]),
        ([piece(None, name="look")], [piece(None, arguments=NUMBER)]),
        ([piece(name="look", arguments=json.loads(NUMBER))],),
        ([{"index": 0, "name": "look", "arguments": NUMBER}],),
        ({"function_call": {"name": "look"}}, {"function_call": {"arguments": NUMBER}}),
        ({"tool_calls": [None, "x", piece(name="look", arguments=NUMBER)], "function_call": "no"},),
    ],
)
def test_that_a_call_is_whole_however_it_came(deltas: tuple[Any, ...]) -> None:
    assert collected(*deltas) == [("look", NUMBER)]


@pytest.mark.parametrize(
    "deltas",
    [
        ([piece(0, "a", "{}"), piece(1, "b", "[]")],),
        ([piece(0, "a")], [piece(1, "b")], [piece(0, None, "{}")], [piece(1, None, "[]")]),
        ([piece(0, "a", "{}", "id-1")], [piece(0, "b", "[]", "id-2")]),
        ([piece(None, "a")], [piece(None, None, "{}")], [piece(None, "b")], [piece(None, None, "[]")]),
    ],
)
def test_that_calls_are_told_apart(deltas: tuple[Any, ...]) -> None:
    assert collected(*deltas) == [("a", "{}"), ("b", "[]")]


@pytest.mark.parametrize("said", [None, 1, "x", {}, [], [{}], [{"function": 5}], [{"function": {"name": 7}}]])
def test_that_what_is_no_call_is_at_most_an_empty_one(said: object) -> None:
    collector = CallCollector()
    collector.feed({"tool_calls": said}, 0.0)
    assert all(call.name == "" and call.arguments == "" for call in collector.finish())


def test_that_what_is_kept_of_calls_is_bounded() -> None:
    many = collected([piece(n, f"t{n}", "{}") for n in range(500)])
    assert len(many) == MOST_CALLS
    huge = collected(*([piece(arguments="9" * 100_000)] for _ in range(50)), [piece(name="n" * 1_000_000)])
    assert [(len(name), len(arguments)) for name, arguments in huge] == [(200, LONGEST_ARGUMENTS)]
    (deep,) = collected([piece(name="t", arguments={"a": ["x" * 9] * 100_000})])
    assert len(deep[1]) == LONGEST_ARGUMENTS


def test_that_arguments_nested_too_deep_to_write_down_are_kept_as_no_json() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert collected([piece(name="t", arguments=nested)]) == [("t", "(nested too deep)")]


def test_that_half_characters_in_a_call_become_whole_ones() -> None:
    assert collected([piece(name="a\ud800", arguments="\x00\udfff")]) == [("a\ufffd", "\ufffd\ufffd")]


def test_that_calls_come_before_the_end_and_leave_the_usage_alone() -> None:
    reader = ChunkReader()
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    chunks: list[dict[str, Any]] = [
        {"choices": [{"delta": {"content": "Let me look."}}], "usage": usage},
        {"choices": [{"delta": {"tool_calls": [piece(name="look")]}}], "usage": usage | {"completion_tokens": 3}},
        {"choices": [{"delta": {"tool_calls": [piece(arguments="{}")]}, "finish_reason": "tool_calls"}]},
        {"choices": [], "usage": usage | {"completion_tokens": 8}},
    ]
    events = [event for at, chunk in enumerate(chunks) for event in reader.feed(json.dumps(chunk), float(at))]
    counted = [ChatUsage(9, 0, 2), ChatUsage(9, 0, 3), ChatUsage(9, 0, 8)]
    expected: list[ChatEvent] = [ChatDelta("Let me look.", 2, 0.0), *counted]
    assert events == expected
    assert reader.feed("[DONE]", 9.0) == [ChatToolCall("look", "{}", 1.0, 2.0), ChatEnd("tool_calls", None)]


def test_that_tools_and_their_results_are_sent_as_openai_has_them() -> None:
    tool = ToolSpec("look", "Looks.", {"type": "object"})
    call = ToolUse("call-1", "look", "{}")
    messages = (ChatMessage("assistant", "", (call,)), ChatMessage("tool", "No result.", call_id="call-1"))
    body = request_body(ChatRequest("m", messages, 5, tools=(tool,)))
    function = {"name": "look", "description": "Looks.", "parameters": {"type": "object"}}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["tool_choice"] == "auto"
    assert body["messages"] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "call-1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "content": "No result.", "tool_call_id": "call-1"},
    ]
    assert request_body(ChatRequest("m", messages, 5, tools=(tool,), may_call=False))["tool_choice"] == "none"
    assert "tools" not in request_body(ChatRequest("m", messages, 5))
