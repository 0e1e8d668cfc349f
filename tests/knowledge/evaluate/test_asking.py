from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import IndexUnavailable
from knowledge.evaluate.asking import Asked, Conditions, ask_all
from knowledge.evaluate.figures import figures_by_article, figures_by_language, figures_of
from knowledge.evaluate.questions import KnownQuestion, Support

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library
    from tests.knowledge.conftest import OpenLibrary

    Write = Callable[..., Path]

TODAY = Conditions(date(2026, 11, 30), passages=4)
FREE = "A late dabba is free."
STEEL = "Steel boxes cost 250 rupees."


def question(number: int, text: str, *supports: Support, language: str = "en") -> KnownQuestion:
    return KnownQuestion(str(number), text, language, "kamala", supports)


async def test_that_right_places_and_refusals_are_counted(library: Library, write: Write) -> None:
    await library.add_file(write("late.en.md", f"{FREE}\n\n# Steel\n\n{STEEL}"))
    await library.add_file(write("cards.en.md", "Card refunds take five days."))
    questions = [
        question(1, "is a late dabba free", Support("late.en", FREE)),
        question(2, "is a late dabba of steel", Support("late.en", FREE), Support("late.en", STEEL)),
        question(3, "card refunds five days", Support("cards.en", "Nowhere written."), language="hi"),
        question(4, "elephants"),
        question(5, "is steel free"),
    ]
    done: list[int] = []
    asked = await ask_all(library, questions, TODAY, done.append)
    assert done == [1, 2, 3, 4, 5]
    assert [one.place for one in asked] == [1, 1, None, None, None]
    assert [sum(one.gains) for one in asked] == [1, 2, 0, 0, 0]
    assert [one.outdated for one in asked] == [False, False, True, False, False]
    assert asked[2].answered
    english, hindi = figures_by_language(asked)
    assert (english.group, english.questions, english.unanswerable, english.refused) == ("en", 2, 2, 1)
    assert (english.recall_at_1, english.recall_at_5, english.right_given) == (0.75, 1, 1)
    assert (hindi.questions, hindi.recall_at_5, hindi.answered, hindi.outdated) == (1, 0, 1, 1)
    assert [line.group for line in figures_by_article(asked)] == ["cards.en", "late.en"]


async def test_that_prompt_tokens_are_those_of_the_passages_that_a_prompt_takes(library: Library, write: Write) -> None:
    await library.add_file(write("late.en.md", f"{FREE}\n\n# Second\n\n{FREE}", title="Late"))
    known = question(1, "late dabba free", Support("late.en", FREE))
    both, one = [(await ask_all(library, [known], Conditions(TODAY.on, passages)))[0] for passages in (2, 1)]
    assert both.tokens == one.tokens == (8, 10)  # the title and the mark, the heading, five words, two end marks
    assert (both.given, one.given) == ((True, True), (True, False))
    assert (figures_of("all", [both]).prompt_tokens, figures_of("all", [one]).prompt_tokens) == (18, 8)


async def test_that_a_question_that_fails_to_run_is_missed_with_its_reason(
    library: Library, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    await library.add_file(write("late.en.md", FREE))
    known, unknown = question(1, "is a late dabba free", Support("late.en", FREE)), question(2, "elephants")

    async def broken(*_: object, **__: object) -> None:
        raise IndexUnavailable("The index is gone. Start it.")

    monkeypatch.setattr(library, "retrieve", broken)
    asked = await ask_all(library, [known, unknown], TODAY)
    assert asked == tuple(Asked(one, failure="The index is gone. Start it.") for one in (known, unknown))
    figures = figures_of("all", asked)
    assert (figures.recall_at_5, figures.mrr, figures.ndcg_at_5, figures.answered) == (0, 0, 0, 0)
    assert (figures.failed, figures.refused, figures.unanswerable, figures.elapsed_p50_ms) == (2, 0, 1, None)


async def test_that_a_library_that_cannot_be_opened_is_no_miss(
    open_library: OpenLibrary,
) -> None:
    async with open_library() as library:
        await library.close()
        with pytest.raises(IndexUnavailable, match="is closed"):
            await ask_all(library, [question(1, "anything")], TODAY)


async def test_that_an_article_is_right_for_its_name_in_any_folder(
    library: Library, write: Write, tmp_path: Path
) -> None:
    write("help/late.en.md", FREE)
    await library.add_paths([tmp_path / "articles"], lambda _: None)
    known = question(1, "late dabba", Support("late.en", "A late  dabba is free."))
    assert (await ask_all(library, [known], TODAY))[0].place == 1
