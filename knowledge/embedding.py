"""Texts into unit vectors. The embedder runs in one thread of its room; nothing here is async."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from knowledge.errors import ModelMissing, TextTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

MINILM = "all-MiniLM-L6-v2-int8"
MINILM_DIM = 384
# The model was trained on 256 tokens; its files name 512 and 128, so fastembed would quietly read on to 512.
MINILM_MAX_TOKENS = 256
BATCH = 8
MOST_THREADS = 4
QUESTIONS_KEPT = 64


class Embedder(Protocol):
    """Makes unit vectors of `dim` float32 numbers from texts of at most `max_tokens` tokens."""

    @property
    def name(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    @property
    def languages(self) -> frozenset[str]:
        """Languages in which its scores mean something."""
        ...

    @property
    def unrelated(self) -> float:
        """The cosine between texts that have nothing in common: scores count from there."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens that the embedder reads for this text, its own marks at both ends included."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of `dim` numbers a text. Raises TextTooLong instead of cutting."""
        ...

    def embed_question(self, text: str) -> NDArray[np.float32]:
        """`dim` numbers. A question over the limit is read up to the limit: its beginning is what is asked."""
        ...


class FastembedEmbedder:
    """The bundled MiniLM through fastembed, from a folder and never from the network."""

    name = MINILM
    dim = MINILM_DIM
    max_tokens = MINILM_MAX_TOKENS
    languages = frozenset({"en"})
    unrelated = 0.0

    def __init__(self, folder: Path) -> None:
        """Imports and loads the model (about 1 s). Raises ModelMissing."""
        if not (folder / "model.onnx").is_file():
            raise ModelMissing(
                f"The embedding model is not installed: {folder} has no model.onnx. Run the set-up, which fetches it."
            )
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType
        from tokenizers import Tokenizer

        known = {model["model"] for model in TextEmbedding.list_supported_models()}
        if self.name not in known:
            TextEmbedding.add_custom_model(
                model=self.name,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf=self.name),
                dim=self.dim,
                model_file="model.onnx",
            )
        try:
            self._model = TextEmbedding(
                self.name,
                specific_model_path=str(folder),
                threads=threads(),
                local_files_only=True,
            )
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except (ValueError, RuntimeError, OSError, *onnx_errors()) as error:
            raise ModelMissing(
                f"The embedding model in {folder} can't be loaded: {error}. Run the set-up, which fetches it again."
            ) from error
        self._asked = Asked(self._embed_question)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count_tokens(self, text: str) -> int:
        return len(self._tokenizer.encode(text).ids)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        for text in texts:
            cut_off(self.count_tokens(text), self.max_tokens)
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.asarray(list(self._model.embed(list(texts), batch_size=BATCH)), dtype=np.float32)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._asked.of(text)

    def _embed_question(self, text: str) -> NDArray[np.float32]:
        return self.embed([self._readable(text)])[0]

    def _readable(self, text: str) -> str:
        encoded = self._tokenizer.encode(text)
        if len(encoded.ids) <= self.max_tokens:
            return text
        return text[: encoded.offsets[self.max_tokens - 2][1]]  # the last place is taken by the end mark


def onnx_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises for a model that it can't load; it has no common class for them."""
    state = import_module("onnxruntime.capi.onnxruntime_pybind11_state")  # it has no types
    return tuple(kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception))


class Asked:
    """The last questions are kept: the route and the search embed the same one."""

    def __init__(self, embed: Callable[[str], NDArray[np.float32]]) -> None:
        self._embed = embed
        self._kept: dict[str, NDArray[np.float32]] = {}

    def of(self, text: str) -> NDArray[np.float32]:
        if text not in self._kept:
            if len(self._kept) >= QUESTIONS_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[text] = self._embed(text)
        return self._kept[text]


def cut_off(tokens: int, max_tokens: int) -> None:
    """Raises TextTooLong for a text that would be cut."""
    if tokens > max_tokens:
        raise TextTooLong(
            f"A text of {tokens} tokens would be cut: the embedder reads {max_tokens}. "
            "Choose smaller pieces in the settings."
        )


def threads() -> int:
    """Half of the cores: the engine and the window want the others, and spinning threads only slow each other down."""
    return max(1, min((os.cpu_count() or 1) // 2, MOST_THREADS))
