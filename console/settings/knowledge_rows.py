"""The rows of the Settings page about articles: where they come from, how they are read, cut and found."""

from __future__ import annotations

from typing import Final

from console.settings.setting_types import (
    ChoiceInput,
    FolderInput,
    NumberInput,
    SecretField,
    SettingRow,
    SettingSection,
    TextField,
)

EMBEDDER_KIND: Final = ":embedder_kind"
EMBEDDER_KEY: Final = ":embedder_key"
BUNDLED, MULTILINGUAL, FOLDER, HUB, SERVER = "bundled", "multilingual", "folder", "hub", "server"
NAMED: Final = {FOLDER: ":embedder_folder", HUB: ":embedder_hub", SERVER: ":embedder_url"}
"""The row in which the embedder of each kind is named."""
_BUNDLED_COSTS: Final = "About 28 chunks/s, 7 ms a question, 0.2 GiB."
_MULTILINGUAL_COSTS: Final = "A quarter of the speed: 7 chunks/s, 22 ms a question, 0.03 GiB."
_SERVED: Final = (EMBEDDER_KIND, SERVER)

# What each costs was measured: docs/decisions/0012-embedded-index.md
KNOWLEDGE: Final = SettingSection(
    "Knowledge",
    (
        SettingRow(
            "knowledge.watched_folder", "Watched folder", FolderInput("none"),
            "What is put there becomes an article by itself.",
            takes="at once", optional=True,
        ),
        SettingRow(
            EMBEDDER_KIND, "Embedder",
            ChoiceInput(
                (
                    (BUNDLED, "bundled, English"),
                    (MULTILINGUAL, "multilingual"),
                    (FOLDER, "a model in a folder"),
                    (HUB, "a model by its name"),
                    (SERVER, "an embedding server"),
                ),
                (
                    (BUNDLED, f"Reads English; finds other languages by words. {_BUNDLED_COSTS}"),
                    (MULTILINGUAL, f"Reads Hindi and Marathi too. {_MULTILINGUAL_COSTS}"),
                    (FOLDER, "An ONNX model on this machine. Its size is its speed."),
                    (HUB, "Fetched from the network once, then kept here."),
                    (SERVER, "Texts leave this machine, and no search works without it."),
                ),
            ),
            "",
        ),
        SettingRow(
            NAMED[FOLDER], "Model folder", FolderInput("/srv/models/bge-small"),
            "With model.onnx, tokenizer.json and config.json.", only=(EMBEDDER_KIND, FOLDER),
        ),
        SettingRow(
            NAMED[HUB], "Model name", TextField("BAAI/bge-small-en-v1.5"),
            "One that fastembed knows.", only=(EMBEDDER_KIND, HUB),
        ),
        SettingRow(
            NAMED[SERVER], "Server address", TextField("http://10.0.0.7:8000/v1"),
            "OpenAI-compatible, such as vLLM’s /v1/embeddings.", only=_SERVED,
        ),
        SettingRow(
            "knowledge.embedder_model", "Model name", TextField("BAAI/bge-m3"),
            "As the server calls it.", optional=True, only=_SERVED,
        ),
        SettingRow(
            "knowledge.embedder_max_tokens", "It reads", NumberInput("tokens", 128, 32768, 1, 0),
            "The longest text that it takes whole.", only=_SERVED,
        ),
        SettingRow(
            EMBEDDER_KEY, "Key", SecretField("empty: as it is"),
            "Kept among the secrets of this machine.", only=_SERVED,
        ),
        SettingRow(
            "knowledge.chunk_tokens", "Tokens a chunk", NumberInput("", 32, 8192, 10, 0),
            "Of articles published from then on. A sweep in Articles names the best.",
        ),
        SettingRow(
            "knowledge.chunk_overlap", "Overlap", NumberInput("tokens", 0, 8191, 5, 0),
            "What a chunk repeats of the one before.",
        ),
        SettingRow(
            "knowledge.threshold", "Threshold", NumberInput("", 0, 1, 0.01, 2),
            "Passages below this score are not given to the model.",
        ),
        SettingRow(
            "knowledge.passages", "Passages", NumberInput("", 1, 20, 1, 0),
            "The most that one answer may use. More: a longer prompt and TTFT.",
        ),
    ),
)  # fmt: skip
