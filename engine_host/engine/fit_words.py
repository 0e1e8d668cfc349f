"""What a plan says, in sentences. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.fit_change import Knob
from engine_host.engine.fit_result import Part, Shortage, Verdict

if TYPE_CHECKING:
    from engine_host.engine.fit_change import Change
    from engine_host.engine.fit_question import Device, FitQuestion
    from engine_host.engine.fit_reserve import Conversation
    from engine_host.engine.fit_result import CachePlan, Fit

GIB = 2**30
_MOST_HOLDERS = 3


def verdict_sentence(question: FitQuestion, fit: Fit, change: Change | None = None) -> str:
    """Whether it fits, why not, and the one change that makes it."""
    model = question.model
    if fit.verdict is Verdict.UNKNOWN:
        return f"Whether {model} fits cannot be told: {fit.reason}. Start it and see what the engine reports."
    if fit.verdict is Verdict.TOO_BIG:
        return f"{model} does not fit: {_why_not(question, fit)}. {_next_step(question, fit, change)}"
    return f"{model} fits: it takes {gib(fit.needed)} of the {gib(_device(fit).free)} that are free in {_place(fit)}."


def cache_sentences(question: FitQuestion, cache: CachePlan) -> tuple[str, ...]:
    """Tokens and conversations."""
    shape, talk = cache.shape, question.conversation
    each = " on each GPU" if question.gpus > 1 else ""
    held = (
        f"The KV cache of {gib(cache.space)}{each} holds {cache.tokens:,} tokens in {cache.blocks:,} blocks of "
        f"{shape.rules.block_size} ({shape.bytes_per_token:,} bytes a token)."
    )
    many = (
        f"That is {cache.usual:,} conversations of {talk.usual:,} tokens or {cache.long:,} of {talk.long:,}, "
        f"{_whose(talk)}; max-num-seqs lets {cache.allowed:,} run at once."
    )
    return held, many


def holders_sentence(device: Device) -> str:
    """Which programs hold memory now; empty when none holds much."""
    told = [f"{one.name} {gib(one.size)} (process {one.pid})" for one in device.holders[:_MOST_HOLDERS]]
    return f"Other programs hold memory there: {', '.join(told)}." if told else ""


def uncounted_sentence(question: FitQuestion) -> str:
    return f"Not counted: {', '.join(question.uncounted)}." if question.uncounted else ""


def gib(size: int) -> str:
    """GiB with two places; MiB below one."""
    return f"{size / GIB:,.2f} GiB" if size >= GIB else f"{size / 2**20:,.1f} MiB"


def change_words(question: FitQuestion, change: Change) -> str:
    """The change as an order: 'set max-model-len to 9,216'."""
    value = change.value
    match change.knob:
        case Knob.KV_SPACE:
            return f"set the KV space to {value:g} GiB"
        case Knob.UTILIZATION:
            return f"set gpu-memory-utilization to {value:g}"
        case Knob.CONTEXT:
            return f"set max-model-len to {value:,}"
        case Knob.KV_DTYPE:
            return f"set kv-cache-dtype to {value}"
        case Knob.STEP:
            return f"set max-num-batched-tokens to {value:,}"
        case Knob.PARALLEL:
            return f"set tensor-parallel-size to {value}"
        case Knob.HOLDER:
            held = change.frees
            return f"end {value} (process {held.pid}), which holds {gib(held.size)}" if held else f"end {value}"
        case Knob.MODEL:
            return f"choose the model {value} in the place of {question.model}"


def _next_step(question: FitQuestion, fit: Fit, change: Change | None) -> str:
    if change is not None:
        words = change_words(question, change)
        return f"{words[0].upper()}{words[1:]}: then it fits."
    if fit.shortage is Shortage.DEVICES:
        return "Choose a smaller model, or a machine with more GPUs."
    return "No single change makes it fit here: choose a smaller model, or a machine with more memory."


def _why_not(question: FitQuestion, fit: Fit) -> str:
    if fit.shortage is Shortage.DEVICES:
        wanted = question.gpus * question.copies
        there = wanted - fit.missing
        return f"it wants {_gpus(wanted)}, and this machine has {there or 'none'}"
    free = gib(_device(fit).free)
    if fit.shortage is Shortage.CACHE:
        got = sum(term.size for term in fit.terms if term.part is Part.CACHE)
        needed = gib(got + fit.missing)
        return f"one request of {question.context:,} tokens needs {needed} of KV cache, and it gets {gib(got)}"
    if fit.shortage is Shortage.SHARE:
        wanted = gib(_device(fit).free + fit.missing)
        return f"the engine would take {wanted} of {_place(fit)}, and only {free} of it is free"
    if question.kv_space is None:
        return f"{gib(fit.missing)} of {_place(fit)} is missing for its weights and the smallest cache"
    return f"it needs {gib(fit.needed)}, and {free} is free in {_place(fit)}: {gib(fit.missing)} is missing"


def _whose(talk: Conversation) -> str:
    if talk.turns:
        return f"half and 95 of 100 of the last {talk.turns:,} turns here are no longer"
    return "lengths taken for granted until this kitchen has had 20 turns"


def _device(fit: Fit) -> Device:
    if fit.device is None:
        raise ValueError("a plan without a device has no memory to speak of")
    return fit.device


def _place(fit: Fit) -> str:
    return _device(fit).name


def _gpus(count: int) -> str:
    return f"{count} GPUs" if count > 1 else "a GPU"
