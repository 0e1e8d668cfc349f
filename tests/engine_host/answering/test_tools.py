"""How strictly a model's tool calls are read: a call chooses an order of this tenant's form, or it is refused."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine_host.answering.tools import (
    LOOK_UP,
    MOST_READ,
    ORDER_NUMBER,
    BadCall,
    OrderChoice,
    closing,
    order_tool,
    parse_calls,
    tool_texts,
    tool_tokens,
)
from engine_host.client.types import ChatToolCall

if TYPE_CHECKING:
    from engine_host.answering.tools import CallVerdict


def call(arguments: str, name: str = LOOK_UP) -> ChatToolCall:
    return ChatToolCall(name, arguments, 0.0, 0.0)


def verdict(arguments: str, name: str = LOOK_UP) -> CallVerdict:
    (one,) = parse_calls([call(arguments, name)], "KD")
    return one


def with_number(number: Any) -> str:
    return json.dumps({ORDER_NUMBER: number})


@pytest.mark.parametrize(
    ("arguments", "order_id"),
    [
        ("{}", None),
        ("", None),
        (" \n", None),
        ('"{}"', None),
        (with_number(None), None),
        (with_number(""), None),
        (with_number("  "), None),
        (with_number("KD-4821"), "KD-4821"),
        (with_number("kd 4821"), "KD-4821"),
        (with_number("#KD4821"), "KD-4821"),
        (with_number("4821"), "KD-4821"),
        (with_number("#4821"), "KD-4821"),
        (with_number("KD-४८२१"), "KD-4821"),
        (with_number("ＫＤ－４８２１"), "KD-4821"),
        (with_number("КD-4821"), "KD-4821"),
        (json.dumps(with_number("KD-4821")), "KD-4821"),
        (f"  {with_number('KD-4821')}\n", "KD-4821"),
    ],
)
def test_that_a_good_call_chooses_among_own_orders(arguments: str, order_id: str | None) -> None:
    assert verdict(arguments) == OrderChoice(order_id)


@pytest.mark.parametrize(
    "arguments",
    [
        "{}{}",
        with_number("KD-4821") * 2,
        json.dumps(with_number("KD-4821") * 2),
        json.dumps(json.dumps(with_number("KD-4821"))),
        '{"order_number": "KD-4821"',
        '{"order_number": "KD-4821", "order_number": "KD-1"}',
        '{"order_number": "KD-\n4821"}',
        '{"order_number": "KD-\\u00004821"}',
        '{"order_number": "KD-\\u20284821\\u200b"}',
        '{"order_number": "KD-4821\\ud800"}',
        "{'order_number': 'KD-4821'}",
        with_number(4821),
        with_number(4821.0),
        with_number(True),
        with_number(["KD-4821"]),
        with_number({"id": "KD-4821"}),
        with_number("AR-2107"),
        with_number("KD-4821 or AR-2107"),
        with_number("KD-4821 of customer C-9"),
        with_number("KD-4821, KD-4822"),
        with_number("KD-48214822"),
        with_number("delivered"),
        with_number("../customers/C-9"),
        with_number("KD-4821" + " " * 100),
        json.dumps({ORDER_NUMBER: "KD-4821", "customer_id": "C-9999"}),
        json.dumps({"customer_id": "C-9999"}),
        json.dumps({"order_id": "KD-4821"}),
        json.dumps({"arguments": {ORDER_NUMBER: "KD-4821"}}),
        "[]",
        '["KD-4821"]',
        '"KD-4821"',
        "KD-4821",
        "null",
        "NaN",
        "1",
        "{" * 300,
        "[" * 390,
        "9" * 399,
        '{"order_number": "' + "9" * 5000 + '"}',
    ],
)
def test_that_a_bad_call_is_refused_with_a_reason(arguments: str) -> None:
    refused = verdict(arguments)
    assert isinstance(refused, BadCall)
    assert refused.reason
    assert refused.reason.isprintable()


@pytest.mark.parametrize("name", ["", "look_up_orders", "Look_Up_Order", " look_up_order", "look_up_order\x00", "eval"])
def test_that_an_unknown_tool_is_refused(name: str) -> None:
    refused = verdict("{}", name)
    assert isinstance(refused, BadCall)
    assert "no tool here" in refused.reason


def test_that_a_customer_in_a_call_is_told_to_staff() -> None:
    refused = verdict('{"customer_id": "C-9999"}')
    assert isinstance(refused, BadCall)
    assert "customer_id" in refused.reason


def test_that_of_many_calls_three_are_read() -> None:
    verdicts = parse_calls([call(with_number(f"KD-{1000 + n}")) for n in range(40)], "KD")
    assert verdicts[:MOST_READ] == tuple(OrderChoice(f"KD-{1000 + n}") for n in range(3))
    assert len(verdicts) == 40
    assert all(isinstance(one, BadCall) and "40" in one.reason for one in verdicts[MOST_READ:])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("KD-4821"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
numbers = st.from_regex(r"\A[#kKdDaArR०-९0-9 \-_.]{0,14}\Z")
arguments_of_models = st.one_of(
    st.text(max_size=80),
    json_values.map(json.dumps),
    numbers.map(with_number),
    (json_values | numbers).map(with_number),
    numbers.map(with_number).map(json.dumps),
)


@given(
    st.lists(st.tuples(st.just(LOOK_UP) | st.text(max_size=9), arguments_of_models), max_size=6), st.text(max_size=3)
)
@example([(LOOK_UP, with_number("KD-1") * 2)], "")
@example([(LOOK_UP, with_number("(4821"))], "(")
def test_that_no_call_breaks_the_reader_or_names_an_order_of_another_form(
    calls: list[tuple[str, str]], prefix: str
) -> None:
    for tenant in ("KD", prefix):
        verdicts = parse_calls([call(arguments, name) for name, arguments in calls], tenant)
        assert len(verdicts) == len(calls)
        for one in verdicts:
            if isinstance(one, OrderChoice) and one.order_id is not None:
                assert re.fullmatch(re.escape(tenant) + "-[0-9]{3,6}", one.order_id)


def test_that_the_tool_can_name_no_customer() -> None:
    tool = order_tool()
    assert tool.parameters["properties"].keys() == {ORDER_NUMBER}
    assert tool.parameters["additionalProperties"] is False
    assert "customer can't be chosen" in tool.description


@pytest.mark.parametrize("result", sorted(tool_texts()["results"]))
@pytest.mark.parametrize("choice", [None, OrderChoice(None), OrderChoice("KD-4821")])
def test_that_a_call_is_closed_without_an_order_fact(result: str, choice: OrderChoice | None) -> None:
    asked, answered = closing("A refund takes 2 days.", choice, result)
    (made,) = asked.calls
    assert (asked.role, answered.role) == ("assistant", "tool")
    assert answered.call_id == made.call_id
    assert verdict(made.arguments, made.name) == (choice or OrderChoice(None))
    assert not re.search(r"\d|delivered|left|packed|way|cancel", answered.content)


def test_that_room_is_kept_for_the_tool() -> None:
    assert 300 < tool_tokens() < 800
