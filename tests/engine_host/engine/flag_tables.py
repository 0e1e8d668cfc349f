"""A small vLLM's flags, for tests that need no vLLM."""

from __future__ import annotations

from engine_host.engine.options_parser import Flag, FlagTable

FLAGS = (
    Flag(("--seed",), "integer", "one"),
    Flag(("--max-num-seqs",), "integer", "one"),
    Flag(("--max-model-len",), "size", "one"),
    Flag(("--watermark",), "number", "one"),
    Flag(("--model",), "text", "one"),
    Flag(("--tensor-parallel-size", "-tp"), "integer", "one"),
    Flag(("--optimization-level",), "text", "one"),
    Flag(("--compilation-config", "-cc"), "json", "one"),
    Flag(("--enable-lora", "--no-enable-lora"), "switch", "none"),
    Flag(("--lora-modules",), "text", "several"),
    Flag(("--load-threads",), "integer", "one", optional=True),
    Flag(("--uvicorn-log-level",), "text", "one", ("debug", "info")),
    Flag(("--tool-call-parser",), "text", "one", (*(f"parser_{n}" for n in range(9)), "hermes")),
)
TABLE = FlagTable("0.9.9", "/venv/bin/python", FLAGS)
