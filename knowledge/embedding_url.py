"""An embedding model behind an OpenAI-compatible `/v1/embeddings`, such as vLLM's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import numpy as np

from knowledge.embedding import Asked, cut_off
from knowledge.embedding_probe import Probed, probed
from knowledge.errors import EmbedderUnreachable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

AT_ONCE = 32
TIMEOUT_S = 30.0
LETTERS_A_TOKEN = 3
"""For a count that is never too low: English has more letters a token, and other scripts are counted by letters."""
_PIECES = re.compile(r"[a-zA-Z]+|[^a-zA-Z\s]")


class UrlEmbedder:
    """`url` ends with /v1. Tokens are estimated, on the safe side: the protocol has no way to count them."""

    def __init__(self, url: str, model: str, max_tokens: int, key: str | None = None) -> None:
        """Asks the server once. Raises EmbedderUnreachable."""
        here = urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=url, timeout=TIMEOUT_S, trust_env=not here, headers=headers)
        self._url = url
        self._model = model
        self.name = f"{model}@{urlsplit(url).netloc}"
        self.max_tokens = max_tokens
        self._asked = Asked(self._embed_question)
        try:
            self.dim = len(self._posted([model])[0])
            self._probed: Probed = probed(self)
        except BaseException:
            self._client.close()
            raise

    @property
    def languages(self) -> frozenset[str]:
        return self._probed.languages

    @property
    def unrelated(self) -> float:
        return self._probed.unrelated

    def count_tokens(self, text: str) -> int:
        return 2 + sum(-(-len(piece) // LETTERS_A_TOKEN) for piece in _PIECES.findall(text))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            cut_off(self.count_tokens(text), self.max_tokens)
        batches = [self._posted(texts[start : start + AT_ONCE]) for start in range(0, len(texts), AT_ONCE)]
        return np.concatenate(batches) if batches else np.zeros((0, self.dim), dtype=np.float32)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        return self._asked.of(text)

    def close(self) -> None:
        self._client.close()

    def _embed_question(self, text: str) -> NDArray[np.float32]:
        while self.count_tokens(text) > self.max_tokens:
            text = text[: len(text) // 2]
        return self._posted([text])[0]

    def _posted(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts. Raises EmbedderUnreachable."""
        asked = {"model": self._model, "input": [_plain(text) for text in texts], "encoding_format": "float"}
        try:
            answer = self._client.post("embeddings", json=asked)
            answer.raise_for_status()
            data: list[dict[str, Any]] = sorted(answer.json()["data"], key=lambda one: one["index"])
            rows = np.asarray([one["embedding"] for one in data], dtype=np.float32)
        except httpx.HTTPStatusError as error:
            raise self._refused(f"it answers {error.response.status_code}: {error.response.text[:200]}") from error
        except httpx.HTTPError as error:
            raise self._refused(str(error) or type(error).__name__) from error
        except (ValueError, KeyError, TypeError) as error:
            raise self._refused(f"its answer is no list of embeddings ({error})") from error
        if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
            raise self._refused(f"it gave {rows.shape} numbers for {len(texts)} texts")
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    def _refused(self, reason: str) -> EmbedderUnreachable:
        return EmbedderUnreachable(
            f"The embedding server at {self._url} can't be used: {reason}. "
            "Check its address and knowledge.embedder_model, and that it runs."
        )


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
