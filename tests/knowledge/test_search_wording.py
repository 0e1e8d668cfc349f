"""How a typed question is read before it is searched."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from knowledge.article import Asker, Audience
from knowledge.library import Library
from storage.settings import Settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from storage.database import Database
    from storage.paths import Home

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


class WithoutX(WordEmbedder):
    """Reads a word with an `x` in two pieces: it does not know it."""

    def count_tokens(self, text: str) -> int:
        return super().count_tokens(text) + text.count("x")


@pytest.mark.parametrize(("typed", "given"), [("depoxit", True), ("deposat", False)])
async def test_that_a_slip_of_the_pen_is_mended_unless_the_embedder_knows_the_word(
    db: Database, home: Home, write: Callable[..., Path], typed: str, given: bool
) -> None:
    library = await Library.open(db, home, Settings(), ZoneInfo("Asia/Kolkata"), WithoutX)
    await library.add_file(write("steel.en.md", "Deposit.", title="Deposit"))
    found = await library.retrieve(typed, ASKER, 1)
    assert [passage.given for passage in found.passages] == [given]
    await library.close()


async def test_that_a_search_is_in_the_words_of_articles(library: Library, write: Callable[..., Path]) -> None:
    await library.add_file(write("upi.en.md", "Your UPI money."))
    typed = await library.retrieve("ur gpay money", ASKER, 1)
    plain = await library.retrieve("your upi money", ASKER, 1)
    assert typed.passages == plain.passages
    assert typed.passages[0].given
