"""Where the points of an embedder lie, and what is remembered of how they were made: vectors of two kinds never mix."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from knowledge.errors import IndexUnavailable
from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge.embedding import Embedder
    from storage.settings import KnowledgeSettings

WAY = "passages-and-sentences"
"""What is embedded. Another way needs another name, and `repair` then writes every article anew."""
MANIFEST = "vectors.json"
_CHOSEN = "serving.json"
_BEGUN = "begun"
_BEFORE = ("collection", "meta.json", ".lock")
"""What an embedded index was kept in before Qdrant's own engine."""


@dataclass(frozen=True, slots=True)
class VectorKind:
    """Vectors that may be compared: of one model and size, normalised or not, made of the same texts."""

    model: str
    size: int
    normalised: bool = True
    way: str = WAY

    @property
    def name(self) -> str:
        """The name of its folder or collection."""
        return re.sub(r"[^a-z0-9._-]+", "-", f"{self.way}-{self.model}".lower())


def kind_of(embedder: Embedder) -> VectorKind:
    return VectorKind(embedder.name, embedder.dim)


def folder_for(place: Path, kind: VectorKind) -> Path:
    """The folder of these vectors below `place`, made and marked. Raises IndexUnavailable when it is another kind's."""
    folder = place / kind.name
    manifest = folder / MANIFEST
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not manifest.exists():
            write_atomically(manifest, json.dumps(asdict(kind), indent=2).encode())
        kept = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise IndexUnavailable(
            f"The article index in {folder} is damaged: {error}. "
            "Delete that folder; it is made again from the articles."
        ) from error
    if kept != asdict(kind):
        raise IndexUnavailable(
            f"The article index in {folder} holds other vectors than those of {kind.model}. "
            "Delete that folder; it is made again from the articles."
        )
    return folder


def forget_others(place: Path, kind: VectorKind) -> None:
    """Delete the indexes of other kinds below `place`, also one of before; what can't be deleted stays.

    One that is being made to take this one's place is kept: see `begin`.
    """
    for name in _BEFORE:
        older = place / name
        shutil.rmtree(older, ignore_errors=True) if older.is_dir() else older.unlink(missing_ok=True)
    for manifest in place.glob(f"*/{MANIFEST}"):
        folder = manifest.parent
        if folder.name != kind.name and not (folder / _BEGUN).exists():
            shutil.rmtree(folder, ignore_errors=True)
    (place / kind.name / _BEGUN).unlink(missing_ok=True)


def begin(place: Path, kind: VectorKind) -> None:
    """Mark the folder of these vectors as being made while others serve. Raises IndexUnavailable."""
    (folder_for(place, kind) / _BEGUN).touch()


Choice = dict[str, str | int | None]


def choice_of(settings: KnowledgeSettings) -> Choice:
    """What of the settings decides over the vectors."""
    return settings.model_dump(include={"embedder", "embedder_model", "embedder_max_tokens", "embedder_key_secret"})


def chosen(place: Path) -> Choice | None:
    """The choice whose vectors serve; None when that was never written down."""
    try:
        return json.loads((place / _CHOSEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def choose(place: Path, choice: Choice) -> None:
    """From now on the vectors of this choice serve. Raises IndexUnavailable."""
    if chosen(place) == choice:
        return
    try:
        write_atomically(place / _CHOSEN, json.dumps(choice, indent=2).encode())
    except OSError as error:
        raise IndexUnavailable(
            f"The article index can't be switched: {error.strerror}. Make room in {place} or check its permissions."
        ) from error
