"""A profile and what is known of its model -> the question whether it fits. Only this room reads profiles for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from engine_host.engine.fit_question import FitQuestion, Weights
from engine_host.engine.model_config import ConfigUnreadable, config_from
from engine_host.engine.model_files import ModelFacts, hub_folder, read_folder
from engine_host.engine.model_hub import read_hub
from engine_host.engine.models import HubSource, ModelSpec
from engine_host.engine.profile_places import Way, placement_of

if TYPE_CHECKING:
    from engine_host.engine.fit_question import Device
    from engine_host.engine.fit_reserve import Conversation
    from engine_host.engine.profile import EngineProfile
    from storage.paths import Home

GIB = 2**30


def question_of(
    profile: EngineProfile,
    facts: ModelFacts,
    devices: tuple[Device, ...],
    conversation: Conversation,
    *,
    on_gpu: bool,
    fp8_cache: bool,
) -> FitQuestion:
    """What the engine would be started with."""
    value = profile.value
    space = value("gpu_kv_space_gib") if on_gpu else profile.kv_space_gib
    share = value("gpu_memory_utilization") if on_gpu else None
    block = str(value("block_size"))
    return FitQuestion(
        model=profile.model.name,
        config=facts.config,
        weights=_beside_main_memory(facts.weights, cast("float | None", value("cpu_offload_gib")) if on_gpu else None),
        on_gpu=on_gpu,
        devices=devices,
        conversation=conversation,
        context=profile.max_model_len,
        kv_space=None if space is None else int(cast("float", space) * GIB),
        utilization=None if share is None else float(cast("float", share)),
        kv_dtype=str(value("kv_cache_dtype")),
        dtype=str(value("dtype")),
        block_size=int(block) if block.isdecimal() else None,
        max_num_seqs=profile.max_num_seqs,
        max_num_batched_tokens=profile.max_num_batched_tokens,
        eager=profile.enforce_eager,
        tensor_parallel=int(cast("int", value("tensor_parallel_size"))),
        pipeline_parallel=int(cast("int", value("pipeline_parallel_size"))),
        copies=int(cast("int", value("data_parallel_size"))),
        fp8_cache=fp8_cache,
        uncounted=("the draft model of speculative decoding",) if value("speculative_config") else (),
        elsewhere=placement_of(profile).way is not Way.HERE,
    )


async def facts_of(home: Home, spec: ModelSpec) -> ModelFacts:
    """From this machine, else from the hub; else from the catalogue, and says why."""
    source = spec.source
    try:
        if isinstance(source, HubSource):
            return _in_hub_cache(source) or await read_hub(source.repository)
        return read_folder(home.models / spec.name)
    except ConfigUnreadable as error:
        return facts_from_catalogue(spec, str(error))


def facts_here(home: Home, spec: ModelSpec) -> ModelFacts:
    """As `facts_of`, but nobody else is asked."""
    source = spec.source
    try:
        found = _in_hub_cache(source) if isinstance(source, HubSource) else read_folder(home.models / spec.name)
    except ConfigUnreadable:
        found = None
    return found or facts_from_catalogue(spec, "")


def _in_hub_cache(source: HubSource) -> ModelFacts | None:
    copy = hub_folder(source.repository)
    return read_folder(copy) if copy else None


def facts_from_catalogue(spec: ModelSpec, why: str) -> ModelFacts:
    """What this program knows of its own models. It says nothing of how wide a layer is."""
    shape = spec.shape
    config = config_from({
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_size,
        "max_position_embeddings": shape.context,
        "dtype": "bfloat16",
    })  # fmt: skip
    weights = Weights(spec.weights_bytes, "the catalogue of this program")
    return ModelFacts(spec.name, config, weights, f"the catalogue of this program. {why}".rstrip())


def _beside_main_memory(weights: Weights, offloaded_gib: float | None) -> Weights:
    if weights.size is None or not offloaded_gib:
        return weights
    left = max(0, weights.size - int(offloaded_gib * GIB))
    return replace(weights, size=left, source=f"{weights.source}, less {offloaded_gib:g} GiB kept in main memory")
