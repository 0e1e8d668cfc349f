"""One branch of the search alone, for measurements."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Asker, Audience
from knowledge.ranking import Way

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library


@pytest.mark.parametrize(("language", "like_hybrid"), [("en", None), ("hi", Way.WORDS)])
async def test_that_each_way_scores_by_its_own_branch_in_every_language(
    library: Library, write: Callable[..., Path], language: str, like_hybrid: Way | None
) -> None:
    await library.add_file(write("late.md", "A late dabba is free of charge.", language=language))
    asker = Asker("kamala", Audience.CUSTOMERS, language, date(2026, 11, 30))
    scores = {way: (await library.retrieve("late dabba", asker, 1, way=way)).passages[0].score for way in Way}
    assert scores[Way.WORDS] == pytest.approx(1)
    assert scores[Way.DENSE] < scores[Way.WORDS]
    assert [way for way in (Way.DENSE, Way.WORDS) if scores[way] == scores[Way.HYBRID]] == (
        [like_hybrid] if like_hybrid else []
    )
