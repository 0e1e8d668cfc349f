"""An embedder that embeds a text once, however often articles are cut anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.errors import SweepTooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.embedding import Embedder


class RememberingEmbedder:
    """Another embedder's vectors, kept in memory: sentences come again in every cutting, and many pieces do."""

    def __init__(self, embedder: Embedder, most_texts: int) -> None:
        self._embedder = embedder
        self._most = most_texts
        self._kept: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dim(self) -> int:
        return self._embedder.dim

    @property
    def max_tokens(self) -> int:
        return self._embedder.max_tokens

    @property
    def languages(self) -> frozenset[str]:
        return self._embedder.languages

    @property
    def unrelated(self) -> float:
        return self._embedder.unrelated

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._embedder.embed_question(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raises SweepTooLarge, before it embeds, when more texts would be kept than were allowed."""
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if len(self._kept) + len(new) > self._most:
            raise SweepTooLarge(
                f"More than {self._most:,} texts would have to be embedded. Try fewer sizes, or allow more texts."
            )
        if new:
            self._kept.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._kept[text] for text in texts]) if texts else self._embedder.embed(())


class SharedLoad:
    """Loads the embedder for the first index of a sweep and lends the same one to the others."""

    def __init__(self, load: Callable[[], Embedder], most_texts: int) -> None:
        self._load = load
        self._most = most_texts
        self._loaded: RememberingEmbedder | None = None

    def __call__(self) -> Embedder:
        if self._loaded is None:
            self._loaded = RememberingEmbedder(self._load(), self._most)
        return self._loaded
