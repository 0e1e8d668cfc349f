"""The help prompt stays within the context, whatever is asked, found or said before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.prompt import HelpPrompt, build_help_prompt, estimate_tokens
from engine_host.client.types import ChatMessage
from tests.engine_host.answering.articles import article
from tests.fakes.answering import passage

HISTORY = (
    ChatMessage("user", "old question"),
    ChatMessage("assistant", "old answer"),
    ChatMessage("user", "new question"),
    ChatMessage("assistant", "new answer"),
)


def size(prompt: HelpPrompt) -> int:
    return sum(estimate_tokens(message.content) for message in prompt.messages)


@given(
    st.text(max_size=300),
    st.lists(st.text(max_size=400).map(passage), max_size=5),
    st.lists(st.text(max_size=200), max_size=4).map(lambda texts: texts[: len(texts) // 2 * 2]),
    st.integers(300, 1500),
)
def test_that_a_prompt_with_passages_fits_its_budget(
    question: str, passages: list[object], earlier: list[str], budget: int
) -> None:
    history = tuple(ChatMessage("user", text) for text in earlier)
    prompt = build_help_prompt(question, tuple(passages), history, "Kamala Dabba", budget)  # type: ignore[arg-type]
    assert not prompt.given or size(prompt) <= budget
    assert prompt.given == tuple(passages)[: len(prompt.given)]


def test_that_the_shared_text_comes_first_and_never_changes() -> None:
    one = build_help_prompt("first?", (passage("one"),), (), "Kamala Dabba", 2000)
    other = build_help_prompt("second?", (passage("two"),), HISTORY, "Kamala Dabba", 2000)
    assert one.messages[:3] == other.messages[:3]
    assert [message.role for message in one.messages[:3]] == ["system", "user", "assistant"]
    assert "Kamala Dabba" in one.messages[0].content


def test_that_passages_are_numbered_as_they_are_cited() -> None:
    title, body = article("prices.en")
    prompt = build_help_prompt("price?", (passage("First.\n\nOne."), passage(body, title)), (), "K", 4000)
    last = prompt.messages[-1].content
    assert "[1] Help: First. One.\n[2] Prices: All prices are" in last
    assert last.endswith("Question: price?")


def test_that_braces_in_texts_stay_as_they_are() -> None:
    prompt = build_help_prompt("{question} {x}", (passage("{text} {y}", "{title}"),), (), "{kitchen}", 2000)
    assert "{question} {x}" in prompt.messages[-1].content
    assert "{title}: {text} {y}" in prompt.messages[-1].content


def test_that_old_pairs_go_before_new_ones() -> None:
    middles = [build_help_prompt("q", (passage("p"),), HISTORY, "K", size).messages[3:-1] for size in range(100, 900)]
    lengths = [len(middle) for middle in middles]
    assert lengths == sorted(lengths)
    assert set(middles) == {(), HISTORY[2:], HISTORY}


def test_that_a_passage_without_room_is_not_given() -> None:
    prompt = build_help_prompt("q", (passage("word " * 2000),), (), "K", 600)
    assert prompt.given == ()


def test_that_passages_stop_at_the_first_that_does_not_fit() -> None:
    prompt = build_help_prompt("q", (passage("a"), passage("word " * 2000), passage("b")), (), "K", 900)
    assert [p.text for p in prompt.given] == ["a"]


def test_that_the_estimate_grows_with_digits_and_other_scripts() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("abc abc abc ") == 4
    assert estimate_tokens("123456") == 6
    assert estimate_tokens("डब्बा") == 10
