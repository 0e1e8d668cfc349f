"""A model in a local folder: its config.json and the size of its weights, from the index, the headers or the files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine_host.engine.fit_question import Weights
from engine_host.engine.model_config import ConfigUnreadable, ModelConfig, read_config
from engine_host.engine.model_parameters import count_parameters, weights_from_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG: Final = "config.json"
INDEX: Final = "model.safetensors.index.json"
_PATTERNS = ("model*.safetensors", "*.safetensors", "*.bin", "*.pt", "*.gguf")
"""The first of these that is there is what is loaded: some folders hold the same weights twice, in two forms."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """`name` is the model's; `place` says where they were read, as a part of a sentence."""

    name: str
    config: ModelConfig
    weights: Weights
    place: str


def read_folder(folder: Path) -> ModelFacts:
    """Raises ConfigUnreadable when there is no config.json that can be used."""
    try:
        content = (folder / CONFIG).read_bytes()
    except OSError as error:
        raise ConfigUnreadable(
            f"The memory of the model in {folder} cannot be computed: there is no config.json that can be read "
            f"({error.strerror}). Name a folder that holds a model."
        ) from error
    config = read_config(content)
    return ModelFacts(folder.name, config, weights_in(folder, config), f"the folder {folder}")


def weights_in(folder: Path, config: ModelConfig) -> Weights:
    """What lies in the folder; else counted from the config, and said so."""
    if (told := index_size(_text(folder / INDEX))) is not None:
        return Weights(told, f"the index of its weights ({INDEX})")
    for pattern in _PATTERNS:
        sizes = [_size(path) for path in folder.glob(pattern)]
        if sum(sizes):
            kind = pattern[pattern.rindex(".") :]
            many = f"{len(sizes)} {kind} files" if len(sizes) > 1 else f"{kind} file"
            return Weights(sum(sizes), f"the size of its {many}")
    return counted_weights(config)


def counted_weights(config: ModelConfig, parameters: int | None = None, source: str = "") -> Weights:
    """From a count of parameters: the one that is given and its source, else one made from the config."""
    count = count_parameters(config) if parameters is None else parameters
    size = None if count is None else weights_from_parameters(config, count)
    if size is None or count is None:
        return Weights(None, "the size of its weights is said nowhere, and its config.json is not enough to count them")
    source = source or "counted from config.json"
    return Weights(size, f"{count:,} parameters, {source}, of {config.stored_bytes} bytes")


def index_size(content: str) -> int | None:
    """Bytes of all weights from a safetensors index; None when it does not say."""
    try:
        told: Any = json.loads(content)
        size = told["metadata"]["total_size"]
    except (ValueError, KeyError, TypeError):
        return None
    return int(size) if isinstance(size, int | float) and size > 0 else None


def hub_folder(repository: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The newest copy that the hub's own cache on this machine has of a model; None when it has none."""
    home = Path(environment.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    cache = Path(environment.get("HF_HUB_CACHE", home / "hub"))
    copies = (cache / f"models--{repository.replace('/', '--')}" / "snapshots").glob(f"*/{CONFIG}")
    newest = max(copies, key=lambda one: one.stat().st_mtime, default=None)
    return newest.parent if newest else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
