"""Meanings of short texts, kept so that they are embedded once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from knowledge.meanings import TEXTS_AT_ONCE, LibraryMeanings, keep, read_kept
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


TEXTS = ("where is it", "do you deliver")


class OneIndex:
    """A library that is its own index. `pieces` are how many texts were embedded at once."""

    def __init__(self) -> None:
        self.embedder = WordEmbedder()
        self.runs = 0

    async def index(self) -> OneIndex:
        return self

    async def with_embedder(self, work: Callable[[WordEmbedder], Any]) -> Any:
        self.runs += 1
        return work(self.embedder)

    async def meaning(self, question: str) -> Any:
        return self.embedder.embed_question(question)


def meanings(library: OneIndex, folder: Path) -> LibraryMeanings:
    return LibraryMeanings(library, folder)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def break_off(file: Path) -> None:
    file.write_bytes(b"half")


async def test_that_texts_are_embedded_once(tmp_path: Path) -> None:
    library = OneIndex()
    first = await meanings(library, tmp_path).of_all(TEXTS)
    second = await meanings(library, tmp_path).of_all(TEXTS)
    assert library.embedder.texts == list(TEXTS)
    assert np.array_equal(first, second)


async def test_that_many_texts_are_embedded_in_pieces(tmp_path: Path) -> None:
    library, texts = OneIndex(), [f"where is box {number}" for number in range(3 * TEXTS_AT_ONCE + 1)]
    made = await meanings(library, tmp_path).of_all(texts)
    assert made.shape == (len(texts), library.embedder.dim)
    assert library.runs == 1 + 4 + 1


async def test_that_other_texts_take_the_place_of_the_kept_ones(tmp_path: Path) -> None:
    await meanings(OneIndex(), tmp_path).of_all(TEXTS)
    await meanings(OneIndex(), tmp_path).of_all(("something else",))
    assert len(files(tmp_path)) == 1


async def test_that_a_broken_file_is_made_anew(tmp_path: Path) -> None:
    good = await meanings(OneIndex(), tmp_path).of_all(TEXTS)
    break_off(files(tmp_path)[0])
    assert np.array_equal(await meanings(OneIndex(), tmp_path).of_all(TEXTS), good)


def test_that_a_folder_that_can_t_be_written_is_no_error(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    keep(embedder, TEXTS, embedder.embed(TEXTS), tmp_path / "missing")
    assert read_kept(embedder, TEXTS, tmp_path / "missing") is None


async def test_that_the_model_is_named_and_a_question_is_embedded(tmp_path: Path) -> None:
    found = meanings(OneIndex(), tmp_path)
    assert await found.model() == "words"
    assert (await found.of("where is it")).shape == (WordEmbedder.dim,)
