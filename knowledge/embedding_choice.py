"""Which embedder the settings choose. Loading it is heavy and belongs to the index's thread."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.embedding import FastembedEmbedder
from knowledge.embedding_model import embedding_model_folder
from knowledge.errors import ModelMissing
from storage.errors import StorageError
from storage.secrets import SecretStore
from storage.setting_types import BUNDLED_EMBEDDER, MULTILINGUAL_EMBEDDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from knowledge.embedding import Embedder
    from storage.paths import Home
    from storage.settings import KnowledgeSettings


def embedder_of(settings: KnowledgeSettings, home: Home) -> Callable[[], Embedder]:
    """The function that loads it; that raises ModelMissing or EmbedderUnreachable."""
    choice = settings.embedder
    if choice == BUNDLED_EMBEDDER:
        return partial(FastembedEmbedder, embedding_model_folder(home))
    if choice == MULTILINGUAL_EMBEDDER:
        return _multilingual
    if choice.startswith(("http://", "https://")):
        return partial(_at_url, settings, home)
    if choice.startswith(("/", "~", ".")):
        return partial(_in_folder, Path(choice).expanduser())
    return partial(_from_hub, choice, home.models / "hub")


def _multilingual() -> Embedder:
    from knowledge.embedding_e5 import MultilingualE5

    return MultilingualE5()


def _in_folder(folder: Path) -> Embedder:
    from knowledge.embedding_any import AnyFastembed

    return AnyFastembed.from_folder(folder)


def _from_hub(name: str, cache: Path) -> Embedder:
    from knowledge.embedding_any import AnyFastembed

    return AnyFastembed.from_hub(name, cache)


def _at_url(settings: KnowledgeSettings, home: Home) -> Embedder:
    from knowledge.embedding_url import UrlEmbedder  # settings without its model are refused

    try:
        key = SecretStore(home).get(settings.embedder_key_secret) if settings.embedder_key_secret else None
    except StorageError as error:
        raise ModelMissing(str(error)) from error
    return UrlEmbedder(settings.embedder, settings.embedder_model or "", settings.embedder_max_tokens, key)
