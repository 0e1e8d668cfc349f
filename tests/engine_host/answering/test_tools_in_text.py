"""Calls that a model writes into its text are taken out of it, however the text is split."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.tools import LOOK_UP, ORDER_NUMBER, OrderChoice, parse_calls
from engine_host.answering.tools_in_text import LONGEST_CALL, CallSieve, Sifted, SpelledCall
from engine_host.answering.tools_spelled import read_spelled

ARGUMENTS = {ORDER_NUMBER: "KD-4821"}
PLAIN = json.dumps({"name": LOOK_UP, "arguments": ARGUMENTS})
PRETTY = json.dumps({"name": LOOK_UP, "arguments": ARGUMENTS}, indent=2)
LLAMA = json.dumps({"name": LOOK_UP, "parameters": ARGUMENTS})
OPENAI = json.dumps({"id": "c", "type": "function", "function": {"name": LOOK_UP, "arguments": json.dumps(ARGUMENTS)}})
READABLE = [
    PLAIN,
    PRETTY,
    LLAMA,
    OPENAI,
    f"[{PLAIN}]",
    f"[ {PRETTY} ]",
    f"```json\n{PRETTY}\n```",
    f"```\n{PLAIN}```",
    f"```json\n{PLAIN}\n",
    f"<tool_call>\n{PLAIN}\n</tool_call>",
    f"<TOOL_CALL>{PLAIN}</TOOL_CALL>",
    f"<tool_call>{PLAIN}",
    f"```xml\n<tool_call>{PLAIN}</tool_call>\n```",
    f"[TOOL_CALLS] [{PLAIN}]",
    f"[TOOL_CALLS]{LOOK_UP}{json.dumps(ARGUMENTS)}",
    f"<|python_tag|>{LLAMA}",
    f"<function={LOOK_UP}>{json.dumps(ARGUMENTS)}</function>",
    f'{LOOK_UP}({ORDER_NUMBER}="KD-4821")',
    f"{LOOK_UP}('KD-4821')",
    f"```python\n{LOOK_UP}(order_number='KD-4821')\n```",
]
UNREADABLE = [
    PLAIN[:-1],
    f"<tool_call>{PLAIN}{PLAIN}</tool_call>",
    f"<tool_call>{PLAIN}\nYour order was delivered at 12:40.</tool_call>",
    f"[TOOL_CALLS] [{PLAIN}] Your order was delivered.",
    f"```json\n{PLAIN}\nIt has left.\n```",
    f"{LOOK_UP} with KD-4821",
    f"{LOOK_UP}(customer_id='C-9', order_number='KD-4821')",
    json.dumps({"name": LOOK_UP, "arguments": ARGUMENTS, "customer_id": "C-9"}),
    json.dumps({"name": LOOK_UP}),
    json.dumps({"name": LOOK_UP, "arguments": {}, "parameters": {}}),
    json.dumps({"name": 5, "arguments": {}}),
    json.dumps({"function": {"name": [LOOK_UP], "arguments": {}}}),
    json.dumps(ARGUMENTS),
    "{'name': 'look_up_order', 'arguments': {}}",
    f"[{PLAIN}, 1]",
    "<|tool_calls_section_begin|>functions.look_up_order:0",
    "<tool_call>" + "[" * 900,
    '{"name": "' + "x" * (2 * LONGEST_CALL),
]
HARMLESS = [
    "A refund takes 2 days [1]. Write to us {any time}.",
    "Prices [Rs]: {120}.",
    '{"a": 1}',
    "```\nA refund takes 2 days.\n```",
    "[1] [2] [",
    "{ ",
    "``",
    "Please look_up",
    "<tool",
    "A {} and a [].",
    '{"half": "of an object',
    "```half of a fence",
]


def sift(*pieces: str) -> list[Sifted]:
    sieve = CallSieve()
    return merged([part for piece in pieces for part in sieve.feed(piece)] + sieve.finish())


def merged(parts: list[Sifted]) -> list[Sifted]:
    """Neighbouring pieces of text as one."""
    done: list[Sifted] = []
    for part in parts:
        if done and isinstance(part, str) and isinstance(done[-1], str):
            done[-1] += part
        else:
            done.append(part)
    return done


@pytest.mark.parametrize("written", READABLE)
def test_that_a_call_in_the_text_is_taken_out_and_read(written: str) -> None:
    before, call, *after = sift(f"Let me look. {written}")
    assert before == "Let me look. "
    assert isinstance(call, SpelledCall)
    assert not any(isinstance(part, SpelledCall) for part in after)
    assert "".join(map(str, after)).strip("`") == ""
    assert parse_calls(read_spelled(call, 1.0), "KD") == (OrderChoice("KD-4821"),)


@pytest.mark.parametrize("written", UNREADABLE)
def test_that_a_call_that_can_t_be_read_is_taken_out_too(written: str) -> None:
    parts = sift(written)
    assert isinstance(parts[0], SpelledCall)
    assert all(read_spelled(part, 1.0) == () for part in parts if isinstance(part, SpelledCall))
    assert all(len(part.text) <= LONGEST_CALL for part in parts if isinstance(part, SpelledCall))


@pytest.mark.parametrize("written", HARMLESS)
def test_that_other_text_goes_through_as_it_is(written: str) -> None:
    assert sift(written) == [written]


def test_that_several_calls_are_several() -> None:
    found = [part for part in sift(f"{PLAIN} and {PLAIN}\n{PLAIN}") if isinstance(part, SpelledCall)]
    assert [part.text for part in found] == [PLAIN] * 3
    assert len(read_spelled(SpelledCall(f"[{PLAIN}, {LLAMA}]"), 1.0)) == 2


def test_that_text_is_not_held_back_longer_than_a_call_is() -> None:
    sieve = CallSieve()
    assert sieve.feed("It takes 2 days. ") == ["It takes 2 days. "]
    assert sieve.feed("```\n" + "word " * LONGEST_CALL)
    for _ in range(200):
        sieve.feed('{"' + "x" * 99)
    assert len("".join(map(str, sieve.finish()))) <= LONGEST_CALL


bits = st.sampled_from([*READABLE, *UNREADABLE[:15], *HARMLESS, "```", "{", '"', "\\", "[", "<tool_", "\n", " and "])


@given(st.lists(bits, max_size=5).map("".join), st.lists(st.integers(0, 400), max_size=30))
def test_that_the_split_of_a_text_changes_nothing(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    whole = sift(text)
    assert sift(*pieces) == sift(*text) == whole
    assert "".join(part if isinstance(part, str) else part.text for part in whole) == text
    assert not any(LOOK_UP in part for part in whole if isinstance(part, str))


@given(st.text(max_size=200))
def test_that_reading_never_breaks(text: str) -> None:
    for written in (text, f"<tool_call>{text}", f"[TOOL_CALLS]{text}", f"{LOOK_UP}({text}"):
        read_spelled(SpelledCall(written), 0.0)
