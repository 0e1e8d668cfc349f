"""An engine with something around it: a bench hears or changes what goes through, and all else stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.answering.help_way import Writer


@dataclass(frozen=True, slots=True)
class AroundWriter:
    """What a Writer is, of the one inside; its stream is for those who stand around it."""

    writer: Writer

    @property
    def model(self) -> str:
        return self.writer.model

    @property
    def languages(self) -> tuple[str, ...]:
        return self.writer.languages

    @property
    def context_tokens(self) -> int:
        return self.writer.context_tokens

    @property
    def tools(self) -> bool:
        return self.writer.tools
