"""Does it fit? Before a start: every term in bytes, the KV cache in tokens, conversations at once. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.fit_cache import CacheRules, CacheShape, cache_shape
from engine_host.engine.fit_reserve import Reserve, reserve_for
from engine_host.engine.fit_result import CachePlan, Fit, Part, Shortage, Term, Verdict
from engine_host.engine.model_attention import Attention, Unknown, attention_of

if TYPE_CHECKING:
    from engine_host.engine.fit_question import Device, FitQuestion

_HIDDEN_COPIES = 4
_MLP_COPIES = 3
_LOGIT_BYTES = 8


def plan(question: FitQuestion, reserve: Reserve | None = None) -> Fit:
    """`reserve` None = that of the question's kind of machine."""
    if reason := _out_of_sight(question):
        return Fit(Verdict.UNKNOWN, None, (), reason=reason)
    reserve = reserve or reserve_for(on_gpu=question.on_gpu)
    wanted = question.gpus * question.copies
    used = question.devices[:wanted]
    if len(used) < wanted:
        return Fit(Verdict.TOO_BIG, None, (), shortage=Shortage.DEVICES, missing=wanted - len(used))
    device = min(used, key=lambda one: one.free)
    terms = _terms(question, reserve)
    space = _space(question, reserve, device, terms)
    shape = _shape(question, reserve)
    cache = None
    if space is not None:
        terms = (*terms, Term(Part.CACHE, space, _how_space(question, reserve)))
        if isinstance(shape, CacheShape) and space >= shape.block_bytes:
            cache = _cache(question, shape, space)
    fit = _against(question, _share(question, reserve, device), Fit(Verdict.FITS, device, terms, cache), device, shape)
    reason = _unknown(question, shape)
    if reason and fit.verdict is Verdict.FITS:
        return Fit(Verdict.UNKNOWN, device, terms, cache, reason=reason)
    return fit


def _against(question: FitQuestion, share: int, fit: Fit, device: Device, shape: CacheShape | Unknown) -> Fit:
    """The same, or what is missing. `share`: bytes of the device that the engine asks for when no cache size is set."""
    space = next((term.size for term in fit.terms if term.part is Part.CACHE), None)
    beside = fit.needed - (space or 0)
    if question.kv_space is None:
        if share > device.free:
            return _short(fit, Shortage.SHARE, share - device.free)
        if beside >= share:
            smallest = shape.space_for(1) if isinstance(shape, CacheShape) else 0
            return _short(fit, Shortage.MEMORY, beside + smallest - share)
    elif fit.needed > device.free:
        return _short(fit, Shortage.MEMORY, fit.needed - device.free)
    if isinstance(shape, CacheShape) and space is not None and space < shape.space_for(question.context):
        return _short(fit, Shortage.CACHE, shape.space_for(question.context) - space)
    return fit


def _short(fit: Fit, shortage: Shortage, missing: int) -> Fit:
    return Fit(Verdict.TOO_BIG, fit.device, fit.terms, fit.cache, shortage, missing)


def _terms(question: FitQuestion, reserve: Reserve) -> tuple[Term, ...]:
    weights = question.weights_in_memory
    graphs = 0 if question.eager else reserve.graphs
    measured = "what vLLM's processes take besides, measured with the bundled model"
    own = "CUDA and its buffers, estimated" if question.on_gpu else measured
    return (
        Term(Part.WEIGHTS, (weights or 0) // question.gpus, _how_weights(question)),
        Term(Part.PROCESSES, reserve.processes, own),
        _activations(question),
        Term(Part.GRAPHS, graphs, "CUDA graphs, estimated" if graphs else "none: nothing is captured"),
    )


def _how_weights(question: FitQuestion) -> str:
    if question.weights_in_memory != question.weights.size:
        return (
            f"{question.weights.source}, stored as {question.config.dtype} and served in {question.served_bytes} bytes"
        )
    return question.weights.source


def _activations(question: FitQuestion) -> Term:
    """One step of the largest batch, and the scores of every word for each request in it."""
    config, tokens = question.config, question.max_num_batched_tokens
    if config.hidden is None:
        return Term(Part.ACTIVATIONS, 0, "not computed: config.json does not say how wide a layer is")
    inner = (config.intermediate or 4 * config.hidden) // question.tensor_parallel
    numbers = tokens * (_HIDDEN_COPIES * config.hidden + _MLP_COPIES * inner)
    scores = question.max_num_seqs * (config.vocab or 0) * _LOGIT_BYTES
    how = f"a step of {tokens:,} tokens and the scores of {question.max_num_seqs} requests, estimated"
    return Term(Part.ACTIVATIONS, numbers * question.served_bytes + scores, how)


def _share(question: FitQuestion, reserve: Reserve, device: Device) -> int:
    return int(device.total * (reserve.utilization if question.utilization is None else question.utilization))


def _space(question: FitQuestion, reserve: Reserve, device: Device, terms: tuple[Term, ...]) -> int | None:
    """Bytes of KV cache; None when the weights that are to lie beside it are not known."""
    if question.kv_space is not None:
        return question.kv_space
    if question.weights.size is None:
        return None
    return max(0, _share(question, reserve, device) - sum(term.size for term in terms))


def _how_space(question: FitQuestion, reserve: Reserve) -> str:
    if question.kv_space is not None:
        return "as the profile says"
    share = reserve.utilization if question.utilization is None else question.utilization
    return f"what is left of {share:.0%} of the device"


def _shape(question: FitQuestion, reserve: Reserve) -> CacheShape | Unknown:
    attention = attention_of(question.config)
    if isinstance(attention, Unknown):
        return attention
    kv_bytes = question.kv_number_bytes
    if kv_bytes is None:
        named = question.kv_dtype if question.kv_dtype != "auto" else "the type that its config.json asks for"
        return Unknown(f"KV in {named} is packed with scales, and their size is the engine's choice")
    return cache_shape(attention, _rules(question, reserve, attention, kv_bytes))


def _rules(question: FitQuestion, reserve: Reserve, attention: Attention, kv_bytes: int) -> CacheRules:
    usual = reserve.latent_block_size if attention.latent else reserve.block_size
    batches = reserve.batches_in_flight + question.pipeline_parallel - 1
    return CacheRules(
        block_size=question.block_size or usual,
        kv_bytes=kv_bytes,
        in_flight_tokens=batches * question.max_num_batched_tokens,
        held_back=reserve.held_back_blocks,
        tensor_parallel=question.tensor_parallel,
        pipeline_parallel=question.pipeline_parallel,
    )


def _cache(question: FitQuestion, shape: CacheShape, space: int) -> CachePlan:
    said = question.conversation
    return CachePlan(
        shape=shape,
        space=space,
        blocks=shape.blocks_in(space),
        tokens=shape.tokens_in(space, question.context),
        longest=shape.longest_in(space, question.config.context or question.context),
        request_space=shape.space_for(question.context),
        usual=shape.requests_in(space, min(said.usual, question.context)),
        long=shape.requests_in(space, min(said.long, question.context)),
        allowed=question.max_num_seqs,
    )


def _out_of_sight(question: FitQuestion) -> str:
    """Why nothing can be planned here; empty when it can."""
    if question.elsewhere:
        return "it runs on other machines too, and what they hold is not known here"
    if not question.on_gpu and question.gpus * question.copies > 1:
        return "its parallel processes share the memory of this machine, and what each takes is not known here"
    return ""


def _unknown(question: FitQuestion, shape: CacheShape | Unknown) -> str:
    if isinstance(shape, Unknown):
        return shape.reason
    return question.weights.source if question.weights.size is None else ""
