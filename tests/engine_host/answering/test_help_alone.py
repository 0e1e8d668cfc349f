from __future__ import annotations

import pytest

from engine_host.answering.route import Asked, by_rules


@pytest.mark.parametrize(
    "text",
    [
        "When do I get my refund?",
        "How late must the dabba be for me to get it free, and when do I get my refund?",
    ],
)
def test_that_when_a_refund_comes_is_for_the_articles_alone(text: str) -> None:
    routed = by_rules(Asked(text, ("KD",)))
    assert routed
    assert routed.help
    assert not routed.order


def test_that_an_order_beside_it_is_looked_up() -> None:
    routed = by_rules(Asked("where is my dabba and when do I get my refund", ("KD",)))
    assert routed
    assert routed.order
    assert routed.help
