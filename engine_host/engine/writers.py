"""The engine of a session as the answering room sees it: something that can write, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.models import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.client.chat import EngineClient
    from engine_host.client.types import ChatEvent, ChatRequest
    from engine_host.engine.session import EngineSession

ALL_LANGUAGES = ("en", "hi", "mr", "hi-Latn")
CONTEXT_WHEN_UNTOLD = 2048


@dataclass(frozen=True, slots=True)
class EngineWriter:
    """One running engine. `languages` are those that its model writes, `context_tokens` bounds prompt and answer.

    `tools`: its model was trained for tools and it reads the calls. Hosted: what the catalogue says; attached: tried.
    """

    model: str
    languages: tuple[str, ...]
    context_tokens: int
    tools: bool
    client: EngineClient

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        return self.client.stream(request)


class SessionWriters:
    """Gives the session's engine while it can answer."""

    def __init__(self, session: EngineSession) -> None:
        self.session = session

    @property
    def run(self) -> str | None:
        return self.session.state.value.run

    async def writer(self) -> EngineWriter | None:
        state, client = self.session.state.value, self.session.client
        if client is None or not state.can_answer:
            return None
        context = self.session.context_tokens or CONTEXT_WHEN_UNTOLD
        return EngineWriter(state.model, languages_of(state.model), context, state.tools, client)


def languages_of(model: str) -> tuple[str, ...]:
    """What the catalogue says; a model that is not in it (attached) is taken to write all that the kitchen answers."""
    return next((spec.languages for spec in CATALOGUE if spec.name == model), ALL_LANGUAGES)
