"""Stores of points for the tests: in a folder, and on a server (DABBA_QDRANT_URL, else the client's own in memory)."""

from __future__ import annotations

import os
import uuid
import warnings
from typing import TYPE_CHECKING

import numpy as np
from qdrant_client import QdrantClient

from knowledge.point_store import VectorPoint
from knowledge.point_store_edge import EdgeStore
from knowledge.point_store_server import ServerStore, client_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from knowledge.point_filter import Facts

DIM = 16


def edge_store(folder: Path) -> EdgeStore:
    return EdgeStore(folder / "edge", DIM)


def server_store(dim: int = DIM) -> ServerStore:
    url = os.environ.get("DABBA_QDRANT_URL")
    client = client_of(url) if url else QdrantClient(":memory:")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Payload indexes have no effect")  # in the client's own store
        return ServerStore(client, f"dabba-test-{uuid.uuid4()}", dim)


def drop(store: ServerStore) -> None:
    store._client.delete_collection(store._collection)
    store.close()


def unit(random: np.random.Generator, rows: int = 1) -> NDArray[np.float32]:
    made = random.normal(size=(rows, DIM)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def vector_point(number: int, facts: Facts) -> VectorPoint:
    random = np.random.default_rng(number)
    return VectorPoint(str(uuid.UUID(int=number + 1)), facts, unit(random)[0], unit(random, 1 + number % 4))
