"""Embedders of the bench: one that writes down what it is given, and one that takes no time."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from knowledge.embedding import MINILM_DIM, MINILM_MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from knowledge.embedding import Embedder


class NotingEmbedder:
    """Another embedder; `noted` are the texts that it embedded for articles. Questions are not among them."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.noted: list[str] = []
        self.name, self.dim, self.max_tokens = embedder.name, embedder.dim, embedder.max_tokens
        self.languages, self.unrelated = embedder.languages, embedder.unrelated

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.noted += texts
        return self._embedder.embed(texts)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._embedder.embed_question(text)


class InstantEmbedder:
    """A text's vector is the sum of its words', which come from a hash: what is measured is everything else."""

    name = "instant"
    dim = MINILM_DIM
    max_tokens = MINILM_MAX_TOKENS
    languages = frozenset({"en"})
    unrelated = 0.0

    def count_tokens(self, text: str) -> int:
        return len(text.split()) + 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_question(text) for text in texts])

    def embed_question(self, text: str) -> NDArray[np.float32]:
        places = [zlib.crc32(word.encode()) % self.dim for word in text.lower().split()]
        vector = np.bincount(places, minlength=self.dim).astype(np.float32)
        return vector / np.float32(np.linalg.norm(vector) or 1)
