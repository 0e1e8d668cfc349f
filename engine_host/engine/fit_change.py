"""The one change that would make it fit: each candidate is planned anew, and only one that fits is named. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from engine_host.engine.fit import plan
from engine_host.engine.fit_result import Fit, Shortage, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine_host.engine.fit_question import Device, FitQuestion, Holder
    from engine_host.engine.fit_reserve import Reserve

GIB = 2**30
_SPACE_STEP = GIB // 4
_FINE_STEP = GIB // 64
_CONTEXT_STEP = 256
_MOST_UTILIZATION = 0.95
_SMALL_STEP_TOKENS = 2048
_PARALLEL = (2, 4, 8)


class Knob(StrEnum):
    """What is changed: an option of the profile, the model, or a program that is to be ended."""

    KV_SPACE = "kv_space_gib"
    UTILIZATION = "gpu_memory_utilization"
    CONTEXT = "max_model_len"
    KV_DTYPE = "kv_cache_dtype"
    STEP = "max_num_batched_tokens"
    PARALLEL = "tensor_parallel_size"
    HOLDER = "program"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Change:
    """`value` as the option takes it: GiB, a share, tokens, a type, GPUs, a name. `then` is the plan with it.

    `frees` is the program that is to be ended, for HOLDER.
    """

    knob: Knob
    value: float | int | str
    then: Fit
    question: FitQuestion
    frees: Holder | None = None


def change_that_fits(
    question: FitQuestion,
    fit: Fit,
    reserve: Reserve | None = None,
    smaller: Sequence[FitQuestion] = (),
) -> Change | None:
    """The mildest that makes it fit, None when nothing here does. `smaller`: the same with other models, best first."""
    if fit.verdict is not Verdict.TOO_BIG:
        return None
    for knob, value, changed, holder in _candidates(question, fit, smaller):
        then = plan(changed, reserve)
        if then.verdict is Verdict.FITS:
            return Change(knob, value, then, changed, holder)
    return None


_Candidate: TypeAlias = "tuple[Knob, float | int | str, FitQuestion, Holder | None]"


def _candidates(question: FitQuestion, fit: Fit, smaller: Sequence[FitQuestion]) -> Iterable[_Candidate]:
    """From what costs nobody anything to what costs most."""
    wanted = max(question.conversation.long, _CONTEXT_STEP)
    yield from _spaces(question, fit)
    yield from _utilizations(question, fit)
    yield from _contexts(question, fit, at_least=wanted)
    yield from _dtypes(question)
    yield from _steps(question)
    yield from _parallels(question)
    yield from _contexts(question, fit, at_least=_CONTEXT_STEP)
    yield from _holders(question, fit)
    for other in smaller:
        yield (Knob.MODEL, other.model, other, None)


def _spaces(question: FitQuestion, fit: Fit) -> Iterable[_Candidate]:
    """More cache where memory is free; less where the cache is what is too big. In whole quarters where that fits."""
    if question.kv_space is None or fit.device is None:
        return
    if fit.shortage is Shortage.CACHE:
        needed = question.kv_space + fit.missing
        spaces = [_up(needed, step) for step in (_SPACE_STEP, _FINE_STEP)]
    else:
        left = question.kv_space - fit.missing
        spaces = [left // step * step for step in (_SPACE_STEP, _FINE_STEP)]
    for space in spaces:
        if space > 0:
            yield (Knob.KV_SPACE, space / GIB, replace(question, kv_space=space), None)


def _utilizations(question: FitQuestion, fit: Fit) -> Iterable[_Candidate]:
    if question.kv_space is not None or fit.device is None:
        return
    free = fit.device.free / fit.device.total
    if fit.shortage is Shortage.SHARE:
        shares = [int(free * 100) / 100]
    else:
        shares = [hundredth / 100 for hundredth in range(1, 101) if hundredth / 100 <= min(free, _MOST_UTILIZATION)]
    for share in shares:
        if share > 0:
            yield (Knob.UTILIZATION, share, replace(question, utilization=share), None)


def _contexts(question: FitQuestion, fit: Fit, at_least: int) -> Iterable[_Candidate]:
    if fit.cache is None:
        return
    longest = min(fit.cache.longest, question.context) // _CONTEXT_STEP * _CONTEXT_STEP
    if longest >= at_least:
        yield (Knob.CONTEXT, longest, replace(question, context=longest), None)


def _dtypes(question: FitQuestion) -> Iterable[_Candidate]:
    if question.fp8_cache and (question.kv_number_bytes or 0) > 1:
        yield (Knob.KV_DTYPE, "fp8", replace(question, kv_dtype="fp8"), None)


def _steps(question: FitQuestion) -> Iterable[_Candidate]:
    if question.max_num_batched_tokens > _SMALL_STEP_TOKENS:
        smaller = replace(question, max_num_batched_tokens=_SMALL_STEP_TOKENS)
        yield (Knob.STEP, _SMALL_STEP_TOKENS, smaller, None)


def _parallels(question: FitQuestion) -> Iterable[_Candidate]:
    """More GPUs, where the heads can be shared out evenly."""
    for size in _PARALLEL if question.on_gpu else ():
        there = size * question.pipeline_parallel * question.copies <= len(question.devices)
        if there and size > question.tensor_parallel and (question.config.heads or 1) % size == 0:
            yield (Knob.PARALLEL, size, replace(question, tensor_parallel=size), None)


def _holders(question: FitQuestion, fit: Fit) -> Iterable[_Candidate]:
    """The smallest program whose end is enough."""
    if fit.device is None:
        return
    for holder in sorted(fit.device.holders, key=lambda one: one.size):
        freed = tuple(_without(one, holder) if one == fit.device else one for one in question.devices)
        yield (Knob.HOLDER, holder.name, replace(question, devices=freed), holder)


def _without(device: Device, holder: Holder) -> Device:
    others = tuple(one for one in device.holders if one != holder)
    return replace(device, free=min(device.total, device.free + holder.size), holders=others)


def _up(size: int, step: int) -> int:
    return -(-size // step) * step
