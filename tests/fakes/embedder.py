"""An embedder without a model: a text is the set of its words, hashed into a unit vector."""

from __future__ import annotations

import hashlib
import re
import threading
from typing import TYPE_CHECKING

import numpy as np

from knowledge.errors import TextTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


class WordEmbedder:
    """Counts words as tokens. `texts` holds what it was asked to embed; `fail_on` makes it fail on a word.

    `on_enter` is called, in its thread, before it works, and `hold` keeps it from working until it is set; with
    `hold_on` only on texts with that word.
    """

    name = "words"
    dim = 256
    max_tokens = 120
    languages = frozenset({"en"})
    unrelated = 0.0

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.threads: set[str] = set()
        self.fail_on: str | None = None
        self.hold: threading.Event | None = None
        self.hold_on: str = ""
        self.on_enter: Callable[[], object] | None = None

    def count_tokens(self, text: str) -> int:
        return len(text.split()) + 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.threads.add(threading.current_thread().name)
        held = any(self.hold_on in text for text in texts)
        if self.on_enter and held:
            self.on_enter()
        if self.hold and held:
            self.hold.wait(10)
        for text in texts:
            if self.fail_on and self.fail_on in text:
                raise TextTooLong("A text would be cut. Choose smaller pieces in the settings.")
        self.texts += texts
        return np.stack([self._vector(text) for text in texts])

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self.dim, dtype=np.float32)
        for word in set(re.findall(r"\w+", text.lower())):
            vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % self.dim] += 1
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector
