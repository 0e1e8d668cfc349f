"""Which model of the catalogue this machine is given when nobody chose one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from console.setup.machine import answers, read_gpus
from engine_host.engine.models import QWEN_7B, ModelSpec, default_model

if TYPE_CHECKING:
    from collections.abc import Sequence

HUB: Final = "https://huggingface.co"
SPARE_MIB: Final = 4000


async def best_model() -> ModelSpec:
    """The strongest that the GPU holds and the hub gives; the bundled one else. Takes up to 2 s where a GPU is."""
    gpus = await read_gpus()
    if not holds(gpus, QWEN_7B):
        return default_model(has_gpu=False, hub_reachable=False)
    return default_model(has_gpu=True, hub_reachable=await answers(HUB) is None)


def holds(gpus: Sequence[str], model: ModelSpec) -> bool:
    """Whether one GPU (a line of nvidia-smi: name, memory, driver) has room for the weights and some KV cache."""
    sizes = [int(found[1]) for gpu in gpus if (found := re.search(r", (\d+) MiB,", gpu))]
    return any(size >= model.weights_bytes / 2**20 + SPARE_MIB for size in sizes)
