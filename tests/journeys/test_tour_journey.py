"""`dabba tour` without a display: four answers, and a picture of every page in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

from console.tour.questions import QUESTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.program import Program

pytestmark = [pytest.mark.journey, pytest.mark.timeout(300)]

PAGES = ("chat", "articles", "engine", "live", "tenants", "settings")


@pytest.mark.usefixtures("running_engine")
async def test_that_the_tour_asks_four_questions_and_takes_a_picture_of_every_page(
    dabba: Program, tmp_path: Path
) -> None:
    ran = await dabba.run("tour", "--pictures", str(tmp_path), limit_s=240)
    help_answer, order_answer, no_answer, hindi_answer = parts(ran.out)
    assert re.search(r"\[1\] .+ › .+", help_answer)
    assert "order KD-4821, version" in order_answer
    assert "order stated" in order_answer
    assert "does not know" in no_answer
    assert re.search("Bot: .*[\u0900-\u097f]", hindi_answer)
    for answer in (help_answer, hindi_answer):
        assert re.search(r"^ +answered, \d", answer, re.MULTILINE)
    assert_pictures(tmp_path)


def assert_pictures(folder: Path) -> None:
    """One of each page in each theme, 1440 x 900, and none of them blank."""
    assert {path.name for path in folder.iterdir()} == {f"{p}-{t}.png" for p in PAGES for t in ("light", "dark")}
    for path in folder.iterdir():
        image = QImage(str(path))
        assert (image.width(), image.height()) == (1440, 900), path.name
        assert len({image.pixel(x, y) for x in range(0, 1440, 16) for y in range(0, 900, 16)}) > 8, path.name


def parts(out: str) -> list[str]:
    """The four turns of the printed conversation, each with its question."""
    turns = out.split("── ")[1:]
    assert [turn.splitlines()[0] for turn in turns] == [question.about for question in QUESTIONS]
    for turn, question in zip(turns, QUESTIONS, strict=True):
        assert question.text in turn
        assert "Bot: " in turn
        assert re.search(r"\d+\.\d\d s", turn), turn
    return turns
