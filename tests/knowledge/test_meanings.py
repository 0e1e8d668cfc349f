"""Meanings of short texts, kept so that they are embedded once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from knowledge.meanings import kept_meanings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ("where is it", "do you deliver")


def test_that_texts_are_embedded_once(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    first = kept_meanings(embedder, TEXTS, tmp_path)
    second = kept_meanings(embedder, TEXTS, tmp_path)
    assert len(embedder.texts) == len(TEXTS)
    assert np.array_equal(first, second)


def test_that_other_texts_take_the_place_of_the_kept_ones(tmp_path: Path) -> None:
    kept_meanings(WordEmbedder(), TEXTS, tmp_path)
    kept_meanings(WordEmbedder(), ("something else",), tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_that_a_broken_file_is_made_anew(tmp_path: Path) -> None:
    good = kept_meanings(WordEmbedder(), TEXTS, tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"half")
    assert np.array_equal(kept_meanings(WordEmbedder(), TEXTS, tmp_path), good)


def test_that_a_folder_that_can_t_be_written_is_no_error(tmp_path: Path) -> None:
    assert kept_meanings(WordEmbedder(), TEXTS, tmp_path / "missing").shape == (2, WordEmbedder.dim)
