from __future__ import annotations

import pytest

from engine_host.answering.pictures import in_words
from engine_host.answering.route import Asked, by_rules


@pytest.mark.parametrize("text", ["📦?", "🍱❓", "🛵", "⏰?", "📦📍", "???", "?"])
def test_that_a_question_in_pictures_alone_is_for_an_order(text: str) -> None:
    routed = by_rules(Asked(text, ("KD",)))
    assert routed
    assert routed.order


@pytest.mark.parametrize("text", ["🙏", "👍🏽", "❤️", "👋"])
def test_that_a_picture_of_thanks_or_greeting_is_small_talk(text: str) -> None:
    routed = by_rules(Asked(text, ("KD",)))
    assert routed
    assert not routed.order
    assert not routed.help


def test_that_pictures_beside_words_say_nothing() -> None:
    assert in_words("your menu please 🍱") == "your menu please 🍱"
    assert by_rules(Asked("your menu please 🍱", ("KD",))) is None


def test_that_an_unknown_picture_says_nothing() -> None:
    assert in_words("🪐") == ""
