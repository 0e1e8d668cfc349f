from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

from knowledge.evaluate import KnownQuestion, evaluate, figures_by_language, read_questions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library

TODAY = date(2026, 11, 30)


def test_that_questions_are_read_from_json_lines(tmp_path: Path) -> None:
    line = {"id": "1", "question": "q", "language": "en", "tenant": "kamala", "article": None, "passage": None}
    path = tmp_path / "questions.en.jsonl"
    path.write_text(json.dumps(line) + "\n\n")
    assert read_questions(path) == (KnownQuestion("1", "q", "en", "kamala", None, None),)


async def test_that_right_places_and_refusals_are_counted(library: Library, write: Callable[..., Path]) -> None:
    await library.add_file(write("late.en.md", "A late dabba is free.\n\n# Steel\n\nSteel boxes cost 250 rupees."))
    await library.add_file(write("cards.en.md", "Card refunds take five days."))
    questions = [
        KnownQuestion("1", "is a late dabba free", "en", "kamala", "late.en", "A late dabba is free."),
        KnownQuestion("2", "card refunds", "en", "kamala", "late.en", "Steel boxes cost 250 rupees."),
        KnownQuestion("3", "card refunds five days", "hi", "kamala", "cards.en", "Nowhere written."),
        KnownQuestion("4", "elephants", "en", "kamala", None, None),
        KnownQuestion("5", "is steel free", "en", "kamala", None, None),
    ]
    asked = await evaluate(library, questions, TODAY)
    assert [(one.place, one.article_place, one.right_given) for one in asked[:3]] == [
        (1, 1, True),
        (asked[1].place, asked[1].article_place, False),
        (None, 1, False),
    ]
    assert asked[1].place != 1
    english, hindi = figures_by_language(asked)
    assert (english.language, english.questions, english.unanswerable, english.refused) == ("en", 2, 2, 1)
    assert (english.recall_at_1, english.recall_at_5, english.right_given) == (0.5, 1.0, 0.5)
    assert (hindi.questions, hindi.recall_at_5, hindi.article_at_1, hindi.unanswerable) == (1, 0.0, 1.0, 0)


async def test_that_an_article_is_right_for_its_name_in_any_folder(
    library: Library, write: Callable[..., Path], tmp_path: Path
) -> None:
    write("help/late.en.md", "A late dabba is free.")
    await library.add_paths([tmp_path / "articles"], lambda _: None)
    question = KnownQuestion("1", "late dabba", "en", "kamala", "late.en", "A late  dabba is free.")
    assert (await evaluate(library, [question], TODAY))[0].place == 1
