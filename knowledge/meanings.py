"""Meanings of short texts, for rooms that compare questions with each other."""

from __future__ import annotations

import hashlib
import logging
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.embedding import Embedder
    from knowledge.library import Library

_log = logging.getLogger(__name__)
# A question that comes meanwhile waits for one such piece and not for all.
TEXTS_AT_ONCE = 32


class LibraryMeanings:
    """Unit vectors of the library's embedder; the product of two is how near their meanings are.

    Vectors of texts that stay the same are kept in `folder`. Raises KnowledgeError while the index can't be opened.
    """

    def __init__(self, library: Library, folder: Path) -> None:
        self._library = library
        self._folder = folder

    async def model(self) -> str:
        """The name of the embedder: numbers of two embedders can't be compared."""
        return await (await self._library.index()).with_embedder(_name)

    async def of(self, question: str) -> NDArray[np.float32]:
        return await (await self._library.index()).meaning(question)

    async def of_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text; takes seconds the first time."""
        import numpy as np

        index = await self._library.index()
        kept = await index.with_embedder(partial(read_kept, texts=texts, folder=self._folder))
        if kept is not None:
            return kept
        pieces = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
        made = np.concatenate([await index.with_embedder(partial(_embedded, texts=piece)) for piece in pieces])
        await index.with_embedder(partial(keep, texts=texts, made=made, folder=self._folder))
        return made


def read_kept(embedder: Embedder, texts: Sequence[str], folder: Path) -> NDArray[np.float32] | None:
    """The vectors that `keep` wrote for the same texts and embedder; None when there are none. Blocks."""
    import numpy as np

    try:
        kept = np.load(_file(embedder, texts, folder))
    except (OSError, ValueError, EOFError):
        return None  # not there yet, or half written
    return kept if kept.shape == (len(texts), embedder.dim) else None


def keep(embedder: Embedder, texts: Sequence[str], made: NDArray[np.float32], folder: Path) -> None:
    """Write the vectors in the place of those of other texts; a folder that can't be written is no error. Blocks."""
    import numpy as np

    try:
        for old in folder.glob("meanings-*.npy"):
            old.unlink()
        np.save(_file(embedder, texts, folder), made)
    except OSError as error:
        _log.warning("The meanings of the labelled examples can't be kept in %s: %s", folder, error)


def _file(embedder: Embedder, texts: Sequence[str], folder: Path) -> Path:
    digest = hashlib.sha256("\n".join((embedder.name, *texts)).encode()).hexdigest()[:16]
    return folder / f"meanings-{digest}.npy"


def _embedded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return embedder.embed(texts)


def _name(embedder: Embedder) -> str:
    return embedder.name
