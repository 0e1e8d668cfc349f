"""Meanings of short texts, for rooms that compare questions with each other."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.embedding import Embedder
    from knowledge.library import Library

_log = logging.getLogger(__name__)


class LibraryMeanings:
    """Unit vectors of the library's embedder; the product of two is how near their meanings are.

    Vectors of texts that stay the same are kept in `folder`. Raises KnowledgeError while the index can't be opened.
    """

    def __init__(self, library: Library, folder: Path) -> None:
        self._library = library
        self._folder = folder

    async def of(self, question: str) -> NDArray[np.float32]:
        return await (await self._library.index()).meaning(question)

    async def of_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text; takes seconds the first time."""
        return await (await self._library.index()).meanings(tuple(texts), self._folder)


def kept_meanings(embedder: Embedder, texts: Sequence[str], folder: Path) -> NDArray[np.float32]:
    """The vectors of `texts`, read from `folder` when the same texts were embedded before. Blocks."""
    import numpy as np

    digest = hashlib.sha256("\n".join((embedder.name, *texts)).encode()).hexdigest()[:16]
    file = folder / f"meanings-{digest}.npy"
    try:
        kept = np.load(file)
        if kept.shape == (len(texts), embedder.dim):
            return kept
    except (OSError, ValueError):
        pass  # not there yet, or half written
    made = embedder.embed(texts)
    try:
        for old in folder.glob("meanings-*.npy"):
            old.unlink()
        np.save(file, made)
    except OSError as error:
        _log.warning("The meanings of the labelled examples can't be kept in %s: %s", folder, error)
    return made
