"""A model on the hub, looked at before it is fetched: its config.json and the size of its weights."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, cast

import httpx

from engine_host.engine.fit_question import Weights
from engine_host.engine.model_config import ConfigUnreadable, ModelConfig, read_config
from engine_host.engine.model_files import CONFIG, INDEX, ModelFacts, counted_weights, index_size
from engine_host.http import client_for

if TYPE_CHECKING:
    from collections.abc import Mapping

HUB: Final = "https://huggingface.co"
_LIMIT_S: Final = 10.0
_MOST_HOPS: Final = 3


async def read_hub(
    repository: str, revision: str | None = None, environment: Mapping[str, str] = os.environ
) -> ModelFacts:
    """Asks the hub that HF_ENDPOINT names, with the token HF_TOKEN. Raises ConfigUnreadable with a sentence."""
    hub = (environment.get("HF_ENDPOINT") or HUB).rstrip("/")
    token = environment.get("HF_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else None
    branch = revision or "main"
    async with client_for(hub, timeout_s=_LIMIT_S, headers=headers) as http:
        config = read_config(await _needed(http, repository, f"/{repository}/resolve/{branch}/{CONFIG}", hub))
        weights = await _weights(http, repository, branch, config)
    return ModelFacts(repository, config, weights, f"the hub ({hub})")


async def _weights(http: httpx.AsyncClient, repository: str, branch: str, config: ModelConfig) -> Weights:
    """From the index of the weights, else from the hub's own count of parameters, else from the config."""
    answer = await _get(http, f"/{repository}/resolve/{branch}/{INDEX}")
    if answer is not None and answer.is_success and (size := index_size(answer.text)) is not None:
        return Weights(size, f"the index of its weights on the hub ({INDEX})")
    answer = await _get(http, f"/api/models/{repository}/revision/{branch}")
    parameters = _parameters(answer) if answer is not None and answer.is_success else None
    return counted_weights(config, parameters, "counted by the hub" if parameters else "")


def _parameters(answer: httpx.Response) -> int | None:
    try:
        told: Any = answer.json()
        total = cast("Mapping[str, Any]", told)["safetensors"]["total"]
    except (ValueError, KeyError, TypeError):
        return None
    return total if isinstance(total, int) and total > 0 else None


async def _needed(http: httpx.AsyncClient, repository: str, path: str, hub: str) -> bytes:
    answer = await _get(http, path)
    if answer is None:
        raise ConfigUnreadable(
            f"The memory of {repository} cannot be computed: the hub at {hub} does not answer, so its config.json "
            "cannot be read. Check the network, or name a folder that holds the model."
        )
    if answer.status_code in (401, 403):
        raise ConfigUnreadable(
            f"The memory of {repository} cannot be computed: the hub keeps its config.json behind a licence or a "
            "login. Accept the licence on the hub and set HF_TOKEN."
        )
    if not answer.is_success:
        raise ConfigUnreadable(
            f"The memory of {repository} cannot be computed: the hub has no config.json under that name "
            f"(HTTP {answer.status_code}). Check the name."
        )
    return answer.content


async def _get(http: httpx.AsyncClient, path: str) -> httpx.Response | None:
    """None when the hub does not answer. It may send us on to a file on another host; the token stays behind then."""
    request: httpx.Request | None = http.build_request("GET", path)
    try:
        for _ in range(_MOST_HOPS):
            answer = await http.send(request)
            request = answer.next_request
            if request is None:
                return answer
    except httpx.HTTPError:
        return None
    return None
