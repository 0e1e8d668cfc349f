"""Puts tool calls together from the pieces in which a stream brings them. Pure; what it keeps is bounded."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from engine_host.client.types import ChatToolCall
from storage.text import storable

MOST_CALLS = 40
LONGEST_NAME = 200
LONGEST_ARGUMENTS = 4000
"""Longer arguments are cut here: nobody reads calls as long as that."""

_LEGACY = "function_call"


@dataclass(slots=True)
class _Open:
    index: int | str | None
    call_id: str
    first_at: float
    last_at: float
    name: str = ""
    arguments: str = ""

    def add(self, name: object, arguments: object, at: float) -> None:
        """A name comes in pieces, or again whole with every piece."""
        self.last_at = at
        if isinstance(name, str) and name != self.name:
            self.name = (self.name + name)[:LONGEST_NAME]
        if room := LONGEST_ARGUMENTS - len(self.arguments):
            self.arguments += _as_text(arguments, room)

    def whole(self) -> ChatToolCall:
        return ChatToolCall(storable(self.name), storable(self.arguments), self.first_at, self.last_at)


@dataclass(slots=True)
class CallCollector:
    """Fed with each delta; `finish` gives the calls, at most 40, when the stream is over."""

    _calls: list[_Open] = field(default_factory=list[_Open])

    def feed(self, delta: dict[str, Any], at: float) -> None:
        """`tool_calls` is a list of pieces, or of whole calls; `function_call` is the older way to make one call."""
        pieces: Any = delta.get("tool_calls")
        for piece in cast("list[Any]", pieces) if isinstance(pieces, list) else []:
            if isinstance(piece, dict):
                self._take(cast("dict[str, Any]", piece), at)
        if isinstance(delta.get(_LEGACY), dict):
            self._take({"index": _LEGACY, "function": delta[_LEGACY]}, at)

    def finish(self) -> list[ChatToolCall]:
        calls, self._calls = self._calls, []
        return [call.whole() for call in calls]

    def _take(self, piece: dict[str, Any], at: float) -> None:
        said: Any = piece.get("function")
        function = cast("dict[str, Any]", said) if isinstance(said, dict) else piece
        given_id: Any = piece.get("id")
        call_id = given_id[:LONGEST_NAME] if isinstance(given_id, str) else ""
        given_index: Any = piece.get("index")
        index = given_index if isinstance(given_index, int | str) else None
        call = self._open_call(index, call_id, names=bool(function.get("name")))
        if call is None:
            if len(self._calls) == MOST_CALLS:
                return
            call = _Open(index, call_id, at, at)
            self._calls.append(call)
        call.add(function.get("name"), function.get("arguments"), at)

    def _open_call(self, index: int | str | None, call_id: str, *, names: bool) -> _Open | None:
        """The call that a piece belongs to; None when it begins one.

        Some servers leave the index out, others give every call the index 0: then a new id with a name begins a call.
        """
        same = [call for call in self._calls if call.index == index]
        if index is None and (names or not self._calls):
            return next((call for call in same if call_id and call.call_id == call_id), None)
        if index is None:
            return self._calls[-1]
        if same and names and call_id and same[-1].call_id and same[-1].call_id != call_id:
            return None
        return same[-1] if same else None


def _as_text(arguments: object, room: int) -> str:
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments[:room]
    try:
        return json.dumps(arguments, ensure_ascii=False)[:room]
    except RecursionError:
        return "(nested too deep)"
