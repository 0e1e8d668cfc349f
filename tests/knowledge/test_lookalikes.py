from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knowledge.lookalikes import Lookalikes
from knowledge.wording import one_slip_apart

WORDS = st.text("abc", min_size=4, max_size=7)


@given(st.lists(WORDS, max_size=40), WORDS)
def test_that_all_words_one_slip_away_are_found_and_no_other(words: list[str], word: str) -> None:
    lookalikes = Lookalikes()
    for one in words:
        lookalikes.add(one)
    assert lookalikes.of(word) == {one for one in words if one_slip_apart(one, word)}


def test_that_nothing_is_mended_towards_short_words_numbers_and_other_scripts() -> None:
    lookalikes = Lookalikes()
    for word in ("abc", "12345", "डब्बा", "abcd1"):
        lookalikes.add(word)
    assert lookalikes.of("abcd") == lookalikes.of("12346") == lookalikes.of("डब्ब") == set()
