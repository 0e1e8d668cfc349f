"""What each model family takes for granted, and the names that config.json files use. Data: assets/fit."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ModelType:
    """A family's own defaults, for what its config.json leaves out; None = by the general rule.

    `pattern`: every n-th layer sees everything. `wider_window` is added to the window that the file names.
    `window_switch` and `first_window` are the keys that turn windows on and say from which layer. `windows_unlisted`:
    which layers have one can't be told when the file does not list them. `mlp`: how many matrices a feed-forward layer
    has. `tied`: words are read and written by one matrix. `unknown`: why the KV cache can't be computed.
    """

    kv_heads: int | None = None
    heads: int | None = None
    head_size: int | None = None
    window: int | None = None
    wider_window: int = 0
    chunk: int | None = None
    pattern: int | None = None
    window_switch: str | None = None
    first_window: str | None = None
    windows_unlisted: bool = False
    latent: bool = False
    latent_size: int | None = None
    rope_size: int | None = None
    vocab: int | None = None
    context: int | None = None
    mlp: str | None = None
    tied: bool = False
    unknown: str | None = None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("assets").joinpath("fit/model_types.toml").read_text(encoding="utf-8"))


@cache
def _types() -> Mapping[str, ModelType]:
    return {name: ModelType(**told) for name, told in _table()["types"].items()}


def model_type_named(name: str) -> ModelType | None:
    """None for a family that is not known here: its config.json must say everything."""
    return _types().get(name)


def known_types() -> tuple[str, ...]:
    """Families whose KV cache can be computed."""
    return tuple(name for name, known in _types().items() if not known.unknown)


def names_of(figure: str) -> tuple[str, ...]:
    """The keys under which config.json files give `figure`, newest first."""
    return tuple(_table()["names"][figure])


def signs_of_the_unknown() -> Mapping[str, str]:
    """Keys that change how keys and values are stored, each with what is then unknown."""
    return _table()["signs"]
