"""What an attached server says of itself: an ordinary OpenAI-compatible one works, and what it lacks is named."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from engine_host.engine.errors import AttachFailed
from engine_host.engine.health import EngineProbe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.http import Tls


@dataclass(frozen=True, slots=True)
class Found:
    """`version` of vLLM, None = another server. `context` in tokens, None = it does not say. `metrics`, `tools` and
    `sleep`: it has vLLM's metrics, reads the model's tool calls, can be put to sleep. `verified`: its certificate is,
    or it needs none.
    """

    model: str
    version: str | None = None
    context: int | None = None
    metrics: bool = False
    tools: bool = False
    sleep: bool = False
    verified: bool = True

    @property
    def sentence(self) -> str:
        server = f"vLLM {self.version}" if self.version else "An OpenAI-compatible server, no vLLM"
        context = f"{self.context:,} tokens of context" if self.context else "a context that it does not tell"
        having = [f"{self.model} with {context}", _with(self.metrics, "metrics"), _with(self.tools, "tools")]
        return f"{server}: {', '.join((*having, _with(self.sleep, 'sleep')))}."

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence for each thing that is not there, and what that means here."""
        told = (
            (self.metrics, "It publishes no vLLM metrics: Live shows only what this console measures itself."),
            (self.context, "It does not say how long a prompt may be: a short one is assumed."),
            (self.tools, "It takes no tools: the model cannot call one."),
            (self.verified, "Its certificate is not verified: whoever stands between could read what is sent."),
        )
        return tuple(sentence for there, sentence in told if not there)


def _with(there: bool, name: str) -> str:
    return name if there else f"no {name}"


async def ask_server(url: str, key: str | None, tls: Tls) -> Found:
    """What answers at `url`. Raises AttachFailed with a sentence."""
    try:
        asking = EngineProbe(url, key, tls)
    except OSError as error:
        raise AttachFailed(
            f"No engine can be attached: the certificate file {tls.ca_file} cannot be used ({error}). Correct it.",
        ) from error
    try:
        return await find(asking, verified=tls.verify or not url.startswith("https://"))
    finally:
        await asking.aclose()


async def find(probe: EngineProbe, *, verified: bool = True) -> Found:
    """Ask the server what it is. Raises AttachFailed with a sentence when nothing there can answer."""
    served = await probe.served_model()
    version, pulse, sleeping = await asyncio.gather(
        probe.get_json("/version"), probe.pulse(), probe.get_json("/is_sleeping")
    )
    return Found(
        model=served.name,
        version=_text(version, "version"),
        context=served.context,
        metrics=pulse is not None,
        tools=served.tools,
        sleep=isinstance(sleeping, dict) and "is_sleeping" in sleeping,
        verified=verified,
    )


def _text(answer: Any, name: str) -> str | None:
    if not isinstance(answer, dict):
        return None
    value = cast("Mapping[str, object]", answer).get(name)
    return value if isinstance(value, str) else None
