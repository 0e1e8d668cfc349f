from __future__ import annotations

import pytest

from knowledge.sentences import sentence_spans


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It costs approx. Rs. 50. Pay now.", ["It costs approx. Rs. 50.", "Pay now."]),
        ("Ask Dr. A. Rao. He knows.", ["Ask Dr. A. Rao.", "He knows."]),
        ("The recapprox. Then more.", ["The recapprox.", "Then more."]),
    ],
)
def test_that_a_stop_after_a_short_form_ends_no_sentence(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, 0, len(text))] == sentences


def test_that_a_text_of_nothing_but_short_forms_is_one_sentence() -> None:
    text = "a. " * 50_000
    assert sentence_spans(text, 0, len(text)) == [(0, len(text) - 1)]
