"""This room's parts in the shapes of LlamaIndex. Importing it imports LlamaIndex: about a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import MetadataMode, TextNode

from knowledge.chunking import embedded_sentences
from knowledge.index_place import kind_of
from knowledge.point_store import Point, VectorPoint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

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


def texts_of(points: Sequence[Point]) -> list[str]:
    """Everything that is embedded of these points, each text once, the short ones first."""
    texts = {text for point in points for text in (_whole(point), *embedded_sentences(point.above, point.text))}
    return sorted(texts, key=lambda text: (len(text), text))


def vectors_of(embedder: Embedder, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """The vectors of texts, through LlamaIndex. Raises TextTooLong."""
    rows = LlamaEmbedding(embedder, len(texts)).get_text_embedding_batch(list(texts))
    return {text: np.asarray(row, dtype=np.float32) for text, row in zip(texts, rows, strict=True)}


def with_vectors(
    embedder: Embedder, points: Sequence[Point], vectors: Mapping[str, NDArray[np.float32]]
) -> list[VectorPoint]:
    return [
        VectorPoint(
            point.point_id,
            point.facts,
            vectors[_whole(point)],
            np.stack([vectors[text] for text in embedded_sentences(point.above, point.text)]),
            kind_of(embedder).name,
        )
        for point in points
    ]


def _whole(point: Point) -> str:
    return node_of(point).get_content(MetadataMode.EMBED)
