"""The options of a profile as data: only those that reach vLLM's command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

FieldKey = Literal[
    "kv_space_gib", "max_num_seqs", "max_num_batched_tokens", "max_model_len", "max_queued", "prefix_caching",
    "enforce_eager",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NumberControl:
    """`digits` after the point; `unit` stands behind the field."""

    unit: str
    least: float
    most: float
    step: float = 1
    digits: int = 0


@dataclass(frozen=True, slots=True)
class SwitchControl:
    pass


@dataclass(frozen=True, slots=True)
class ChoiceControl:
    """Two words for a yes and a no of the settings."""

    when_true: str
    when_false: str


Control = NumberControl | SwitchControl | ChoiceControl


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One option. `effect` says what it does to TTFT, inter-token latency or memory; `cpu_only` = no flag on a GPU."""

    key: FieldKey
    label: str
    flag: str
    control: Control
    effect: str
    cpu_only: bool = False


@dataclass(frozen=True, slots=True)
class FieldSection:
    title: str
    rows: tuple[FieldRow, ...]


SECTIONS: Final = (
    FieldSection(
        "Memory",
        (
            FieldRow(
                "kv_space_gib", "KV space", "--kv-cache-memory-bytes", NumberControl("GiB", 0.1, 4096, 0.5, 1),
                "More conversations at once; no effect on the pace of one.", cpu_only=True,
            ),
        ),
    ),
    FieldSection(
        "Batching",
        (
            FieldRow(
                "max_num_seqs", "Sequences at once", "--max-num-seqs", NumberControl("seqs", 1, 4096),
                "More tokens a second in all, but a longer inter-token time for each.",
            ),
            FieldRow(
                "max_num_batched_tokens", "Tokens per step", "--max-num-batched-tokens",
                NumberControl("tok", 1, 1_048_576, 256),
                "Higher: shorter TTFT, rougher inter-token pace for others.",
            ),
        ),
    ),
    FieldSection(
        "Limits",
        (
            FieldRow(
                "max_model_len", "Context", "--max-model-len", NumberControl("tok", 256, 1_048_576, 256),
                "Prompt and answer together. Longer: fewer fit in memory.",
            ),
            FieldRow(
                "max_queued", "Waiting requests", "--max-num-queued-reqs", NumberControl("reqs", 1, 65_536),
                "What comes beyond them gets 503. More of them: longer TTFT.",
            ),
        ),
    ),
    FieldSection(
        "Caching and speed",
        (
            FieldRow(
                "prefix_caching", "Prefix caching", "--enable-prefix-caching", SwitchControl(),
                "Shared text is computed once: shorter TTFT, no more memory.",
            ),
            FieldRow(
                "enforce_eager", "Compile", "--enforce-eager", ChoiceControl("eager", "compiled"),
                "Compiled: shorter inter-token time, a longer first start.",
            ),
        ),
    ),
)  # fmt: skip
ALL_ROWS: Final = tuple(row for section in SECTIONS for row in section.rows)
