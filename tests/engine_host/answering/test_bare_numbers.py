from __future__ import annotations

import pytest

from engine_host.answering.route import Asked, by_rules


@pytest.mark.parametrize("text", ["4821", "4821?", "no. 4821", "No 4821", "४८२१"])
def test_that_a_conversation_may_begin_with_an_order_number_without_its_letters(text: str) -> None:
    routed = by_rules(Asked(text, ("KD",)))
    assert routed
    assert routed.order_ids == ("KD-4821",)


@pytest.mark.parametrize("text", ["411038", "9876543210", "48"])
def test_that_a_pin_code_or_a_telephone_number_alone_is_no_order_number(text: str) -> None:
    routed = by_rules(Asked(text, ("KD",)))
    assert routed is None or not routed.order_ids
