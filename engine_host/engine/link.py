"""What talks to one engine while it is in use."""

from __future__ import annotations

from dataclasses import dataclass

from engine_host.client.chat import EngineClient
from engine_host.engine.health import EngineProbe


@dataclass(frozen=True, slots=True)
class EngineLink:
    """`context` is the longest prompt and answer together, in tokens; None when the server does not say."""

    probe: EngineProbe
    client: EngineClient
    context: int | None

    @staticmethod
    def to(url: str, context: int | None, key: str | None = None) -> EngineLink:
        return EngineLink(EngineProbe(url, key), EngineClient(url, key), context)

    async def aclose(self) -> None:
        await self.probe.aclose()
        await self.client.aclose()
