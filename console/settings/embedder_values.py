"""The embedder as its fields show it: what kind it is and its name, and back into the one setting. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.settings.knowledge_rows import EMBEDDER_KEY, EMBEDDER_KIND, FOLDER, HUB, NAMED, SERVER
from storage.setting_types import BUNDLED_EMBEDDER, MULTILINGUAL_EMBEDDER

if TYPE_CHECKING:
    from collections.abc import Mapping

_MISSING = {
    FOLDER: "Choose the folder of the model, with its whole path.",
    HUB: "Enter the name of the model, such as BAAI/bge-small-en-v1.5.",
    SERVER: "Enter the address of the server, such as http://10.0.0.7:8000/v1.",
}


def kind_of(choice: str) -> str:
    """`bundled`, `multilingual`, `folder`, `hub` or `server`."""
    if choice in (BUNDLED_EMBEDDER, MULTILINGUAL_EMBEDDER):
        return choice
    if choice.startswith(("http://", "https://")):
        return SERVER
    return FOLDER if choice.startswith(("/", "~", ".")) else HUB


def embedder_values(choice: str) -> dict[str, str]:
    kind = kind_of(choice)
    names = {key: choice if kind == named else "" for named, key in NAMED.items()}
    return {EMBEDDER_KIND: kind, EMBEDDER_KEY: "", **names}


def embedder_of(values: Mapping[str, object]) -> str:
    kind = str(values[EMBEDDER_KIND])
    return str(values[NAMED[kind]]).strip() if kind in NAMED else kind


def embedder_faults(values: Mapping[str, object]) -> dict[str, str]:
    """A sentence for the field whose embedder has no name, or one of another kind."""
    kind, choice = str(values[EMBEDDER_KIND]), embedder_of(values)
    if kind in NAMED and (not choice or kind_of(choice) != kind):
        return {NAMED[kind]: _MISSING[kind]}
    if kind == SERVER and not str(values["knowledge.embedder_model"]).strip():
        return {"knowledge.embedder_model": "Name the model that the server serves."}
    return {}
