"""A gate that was made ready: the first sentence waits for no list and no pattern."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine_host.answering.judge import Judge, warm
from tests.engine_host.answering.articles import article
from tests.fakes.answering import passage

if TYPE_CHECKING:
    import pytest

SENTENCES = (
    "Yes, a refund to UPI takes up to 2 working days.",
    "No, a box that has left the kitchen can't be cancelled.",
    "If you cancel by 4 PM, you get the money for a dinner box back, and nothing more is charged.",
    "आपका डब्बा रास्ते में है।",
    "UPI ने दिलेले पैसे कामकाजाच्या 2 दिवसांत परत येतात.",
    "| Mini | Rs 95 |",
)


def test_that_a_warm_gate_compiles_nothing_for_the_first_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    warm()
    passages = tuple(passage(body, title) for title, body in map(article, ("refunds.en", "refunds.mr", "prices.en")))

    def compiled(*_args: object) -> None:
        raise AssertionError("A pattern was compiled while a sentence waited.")

    monkeypatch.setattr(re, "compile", compiled)
    judge = Judge("how long do refunds take", passages)
    assert judge.feed("\n".join(SENTENCES) + "\n")
