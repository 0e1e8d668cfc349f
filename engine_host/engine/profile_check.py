"""What is wrong with a profile before anything is started: values, values against each other, and flags. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.engine.options import option_groups, option_named
from engine_host.engine.options_arguments import argument_faults, extra_faults
from engine_host.engine.options_values import option_argv, value_fault
from engine_host.engine.profile import TOOL_PARSER
from engine_host.engine.profile_places import placement_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.profile import EngineProfile

EXTRA: Final = "extra"
CPU_BLOCK: Final = 32
"""On a CPU a KV block is a multiple of this many tokens."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`key` is the option's, or EXTRA. `sentence` says what is wrong; its last sentence says what to do."""

    key: str
    sentence: str

    @property
    def fact(self) -> str:
        return f"{self.sentence.rpartition('. ')[0]}."

    @property
    def next_step(self) -> str:
        return self.sentence.rpartition(". ")[2]


def profile_faults(profile: EngineProfile, *, on_gpu: bool, table: FlagTable | None = None) -> tuple[Fault, ...]:
    """The first fault of each option. Without a table the installed vLLM's own flags are not checked."""
    faults = value_faults(profile)
    if not faults:
        found: dict[str, Fault] = {}
        for fault in (*_together(profile, on_gpu=on_gpu), *_flags(profile, table, on_gpu=on_gpu)):
            found.setdefault(fault.key, fault)
        faults = tuple(found.values())
    return (*faults, *(Fault(EXTRA, sentence) for sentence in extra_faults(profile.extra, table)))


def value_faults(profile: EngineProfile) -> tuple[Fault, ...]:
    """Values that no engine could have; while there is one, nothing else can be said of the profile."""
    said = ((key, value_fault(option_named(key), value)) for key, value in profile.values.items())
    return tuple(Fault(key, sentence) for key, sentence in said if sentence)


def _together(profile: EngineProfile, *, on_gpu: bool) -> Iterator[Fault]:
    context, step, seqs = profile.max_model_len, profile.max_num_batched_tokens, profile.max_num_seqs
    longest = profile.model.shape.context
    if context > longest:
        yield Fault(
            "max_model_len", f"{profile.model.name} reads {longest:,} tokens at most. Choose a context of {longest:,}."
        )
    if step < seqs:
        yield Fault(
            "max_num_batched_tokens",
            f"A step of {step:,} tokens has no room for {seqs:,} sequences. Choose {seqs:,} or more.",
        )
    elif profile.value("chunked_prefill") is False and step < context:
        yield Fault(
            "max_num_batched_tokens",
            f"Without chunked prefill a step must hold the whole context. Choose {context:,} or more.",
        )
    piece = profile.value("long_prefill_token_threshold")
    if isinstance(piece, int) and piece > context:
        yield Fault("long_prefill_token_threshold", f"No prompt is that long. Choose {context:,} or less.")
    block = str(profile.value("block_size"))
    if not on_gpu and block.isdecimal() and int(block) % CPU_BLOCK:
        yield Fault("block_size", f"On a CPU a KV block is a multiple of {CPU_BLOCK} tokens. Choose {CPU_BLOCK}.")
    if fault := placement_fault(profile):
        yield Fault(*fault)


def _flags(profile: EngineProfile, table: FlagTable | None, *, on_gpu: bool) -> Iterator[Fault]:
    if table is None:
        return
    values = profile.all_values()
    values.pop(TOOL_PARSER, None)
    if profile.tool_parser:
        values[TOOL_PARSER] = profile.tool_parser
    for option in (option for group in option_groups() for option in group.options):
        if not option.counts(on_gpu=on_gpu) or (option.dispensable and option.flag not in table.names):
            continue
        for sentence in argument_faults(option_argv(option, values), table):
            yield Fault(option.key, f"{option.label}: {sentence}")
