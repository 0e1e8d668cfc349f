"""Any other model that fastembed runs: from a folder with its ONNX file, or by the name it has on the hub."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from knowledge.embedding import BATCH, Asked, cut_off, onnx_errors, threads
from knowledge.embedding_probe import Probed, probed
from knowledge.errors import ModelMissing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fastembed import TextEmbedding
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MODEL_FILES = ("model.onnx", "model_optimized.onnx", "model_quantized.onnx", "onnx/model.onnx")
MOST_TOKENS = 8192
_PREFIXES = {"e5": ("query: ", "passage: ")}
"""What models of these families were trained to read before a question and before a text."""


class AnyFastembed:
    """A model with its own limits, read from its tokenizer; what it knows is tried out once (see `embedding_probe`)."""

    def __init__(self, model: TextEmbedding, name: str) -> None:
        """Use `from_folder` or `from_hub`."""
        self.name = name
        self._model = model
        theirs: Any = cast("Any", model).model.tokenizer
        told: dict[str, Any] = theirs.truncation or {}
        self.max_tokens = min(int(told.get("max_length", MOST_TOKENS)), MOST_TOKENS)
        ours: Any = type(cast("object", theirs))
        self._tokenizer = cast("Tokenizer", ours.from_str(theirs.to_str()))  # it counts and never cuts
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._before_question, self._before_text = next(
            (pair for family, pair in _PREFIXES.items() if family in name.lower()), ("", "")
        )
        self._asked = Asked(self._embed_question)
        self.dim = len(self._embedded([self.name])[0])
        self._probed: Probed = probed(self)

    @classmethod
    def from_folder(cls, folder: Path) -> AnyFastembed:
        """Loads the model. Raises ModelMissing."""
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

        file = next((folder / name for name in MODEL_FILES if (folder / name).is_file()), None)
        if file is None:
            raise ModelMissing(
                f"The embedding model can't be loaded: {folder} has no model.onnx. Choose the folder that has it."
            )
        try:
            size = json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"]
            with file.open("rb") as opened:
                name = f"{folder.name}-{hashlib.file_digest(opened, 'sha256').hexdigest()[:8]}"
            pooling = PoolingType.CLS if _by_first_token(folder) else PoolingType.MEAN
            if not any(known["model"] == name for known in TextEmbedding.list_supported_models()):
                TextEmbedding.add_custom_model(
                    name, pooling, True, ModelSource(hf=name), size, file.relative_to(folder).as_posix()
                )
            model = TextEmbedding(name, specific_model_path=str(folder), threads=threads(), local_files_only=True)
            return cls(model, name)
        except (ValueError, KeyError, RuntimeError, OSError, *onnx_errors()) as error:
            raise ModelMissing(
                f"The embedding model in {folder} can't be loaded: {error}. Choose a folder with config.json, "
                "tokenizer.json, tokenizer_config.json, special_tokens_map.json and the ONNX file."
            ) from error

    @classmethod
    def from_hub(cls, name: str, cache: Path) -> AnyFastembed:
        """Loads the model, from the network the first time. Raises ModelMissing."""
        from fastembed import TextEmbedding

        known = {str(model["model"]).lower() for model in TextEmbedding.list_supported_models()}
        if name.lower() not in known:
            raise ModelMissing(
                f"The embedding model {name} is not one that fastembed knows. Choose one of its list of models, or "
                "download the model and name its folder."
            )
        try:
            return cls(TextEmbedding(name, cache_dir=str(cache), threads=threads()), name)
        except (ValueError, RuntimeError, OSError, *onnx_errors()) as error:
            raise ModelMissing(
                f"The embedding model {name} can't be fetched: {str(error).splitlines()[0]}. "
                "Check the network, or download the model elsewhere and name its folder."
            ) from error

    @property
    def languages(self) -> frozenset[str]:
        return self._probed.languages

    @property
    def unrelated(self) -> float:
        return self._probed.unrelated

    def count_tokens(self, text: str) -> int:
        return len(self._tokenizer.encode(self._before_text + text).ids)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            cut_off(self.count_tokens(text), self.max_tokens)
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return self._embedded([self._before_text + text for text in texts])

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._asked.of(text)

    def _embed_question(self, text: str) -> NDArray[np.float32]:
        return self._embedded([self._before_question + text])[0]  # fastembed cuts a question that is too long

    def _embedded(self, texts: list[str]) -> NDArray[np.float32]:
        rows = np.asarray(list(self._model.embed(texts, batch_size=BATCH)), dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def _by_first_token(folder: Path) -> bool:
    """What sentence-transformers' file says of the pooling; the mean when there is none."""
    try:
        told = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(told.get("pooling_mode_cls_token"))
