"""This room's parts in the shapes of LlamaIndex. Importing it imports LlamaIndex: about a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import TextNode

from knowledge.chunking import embedded_sentences
from knowledge.embedding import BATCH
from knowledge.index_place import kind_of
from knowledge.point_store import Point, VectorPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.embedding import Embedder


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


def embedded(embedder: Embedder, points: Sequence[Point]) -> list[VectorPoint]:
    """The points with their vectors. Raises TextTooLong."""
    nodes = LlamaEmbedding(embedder, BATCH)([node_of(point) for point in points])
    return [
        VectorPoint(
            point.point_id,
            point.facts,
            np.asarray(node.embedding, dtype=np.float32),
            embedder.embed(embedded_sentences(point.above, point.text)),
            kind_of(embedder).name,
        )
        for node, point in zip(nodes, points, strict=True)
    ]
