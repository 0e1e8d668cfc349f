"""Where a profile's engine runs: one machine, several with Ray, copies over machines, or pods behind a router. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile


STARTER = "distributed_executor_backend"


class Way(StrEnum):
    """RAY: one model over several machines. DATA_PARALLEL: copies that share one address. ROUTER: engines apart."""

    HERE = "this machine"
    RAY = "ray"
    DATA_PARALLEL = "data parallel"
    ROUTER = "router"


@dataclass(frozen=True, slots=True)
class Placement:
    """`head` is the address of the first machine, empty when it was not named."""

    way: Way
    nodes: int
    gpus_per_node: int
    replicas: int
    head: str
    tensor: int
    pipeline: int
    data: int

    @property
    def gpus_of_a_copy(self) -> int:
        return self.tensor * self.pipeline

    @property
    def gpus_needed(self) -> int:
        return self.gpus_of_a_copy * self.data

    @property
    def gpus(self) -> int:
        return self.nodes * self.gpus_per_node


def placement_of(profile: EngineProfile) -> Placement:
    def whole(key: str) -> int:
        return int(cast("int", profile.value(key)))

    return Placement(
        way=Way(str(profile.value("way"))),
        nodes=whole("nodes"),
        gpus_per_node=whole("gpus_per_node"),
        replicas=whole("replicas"),
        head=str(profile.value("head_address") or ""),
        tensor=whole("tensor_parallel_size"),
        pipeline=whole("pipeline_parallel_size"),
        data=whole("data_parallel_size"),
    )


def placement_fault(profile: EngineProfile) -> tuple[str, str] | None:
    """The option that does not go with the others, and why; None when all machines and GPUs come out even."""
    place = placement_of(profile)
    match place.way:
        case Way.RAY if profile.value(STARTER) not in ("auto", "ray"):
            return STARTER, "Over several machines only Ray starts the workers. Choose ray or auto."
        case Way.RAY:
            return ("tensor_parallel_size", fault) if (fault := _ray_fault(place)) else None
        case Way.DATA_PARALLEL:
            return ("data_parallel_size", fault) if (fault := _data_fault(place)) else None
        case Way.ROUTER if profile.model.bundled:
            return (
                "way",
                "The bundled model lies on this machine only, where pods cannot read it. Choose one of the hub.",
            )
        case Way.HERE | Way.ROUTER:
            return None


def _ray_fault(place: Placement) -> str:
    if place.gpus_needed == place.gpus:
        return ""
    return (
        f"Tensor {place.tensor} x pipeline {place.pipeline} x data {place.data} needs {place.gpus_needed} GPUs, and "
        f"{place.nodes} machines of {place.gpus_per_node} have {place.gpus}. "
        f"Use tensor {place.gpus_per_node} and pipeline {place.nodes}, or correct the machines."
    )


def _data_fault(place: Placement) -> str:
    each = place.data // place.nodes
    if place.data % place.nodes:
        return (
            f"{place.data} copies do not divide evenly among {place.nodes} machines. "
            f"Choose {place.nodes * max(1, each)}."
        )
    needed = each * place.gpus_of_a_copy
    if needed <= place.gpus_per_node:
        return ""
    return (
        f"{each} copies of {place.gpus_of_a_copy} GPUs on each machine need {needed}, and it has "
        f"{place.gpus_per_node}. Use fewer copies, or more GPUs."
    )
