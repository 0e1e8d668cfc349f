"""This room's parts in the shapes of LlamaIndex. Importing it imports LlamaIndex: about a second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import TextNode

if TYPE_CHECKING:
    from knowledge.embedding import Embedder


@dataclass(frozen=True, slots=True)
class Point:
    """A passage to be indexed: what is embedded is `above` in a line and `text` below it. `facts` are filtered by."""

    point_id: str
    above: str
    text: str
    facts: dict[str, object]


class LlamaEmbedding(BaseEmbedding):
    """Our embedder for LlamaIndex, passed in where it is needed; LlamaIndex's global default stays untouched."""

    _embedder: Any = PrivateAttr()

    def __init__(self, embedder: Embedder, batch_size: int) -> None:
        super().__init__(model_name=embedder.name, embed_batch_size=batch_size)
        self._embedder = embedder

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed(texts).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.embed_question(query).tolist()

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def node_of(point: Point) -> TextNode:
    """A node whose embedded form is exactly the passage's embedded text: of the metadata only `above` is read."""
    return TextNode(
        id_=point.point_id,
        text=point.text,
        metadata={"above": point.above, **point.facts},
        excluded_embed_metadata_keys=list(point.facts),
        metadata_template="{value}",
        text_template="{metadata_str}\n{content}",
    )
