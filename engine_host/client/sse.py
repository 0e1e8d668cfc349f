"""Server-sent events, decoded from bytes however the network split them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

_LONGEST_EVENT = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its data lines joined by newlines, and its type when the server names one."""

    data: str
    kind: str = "message"


class EventTooLong(ValueError):
    """The server sent more than 8 MiB without ending an event."""


@dataclass(slots=True)
class EventDecoder:
    """Fed with bytes, gives the events that they complete.

    Follows the WHATWG rules: lines end with LF, CR or CRLF, comments (`: keep-alive`) are dropped, an event ends with
    an empty line. What the stream leaves unfinished is never given out.
    """

    _rest: bytearray = field(default_factory=bytearray)
    _data: list[str] = field(default_factory=list[str])
    _kind: str = ""
    _first: bool = True
    _size: int = 0

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The events that end in `piece`. Raises EventTooLong."""
        self._rest += piece
        events: list[ServerEvent] = []
        while (line := self._next_line()) is not None:
            if event := self._take(line):
                events.append(event)
        if len(self._rest) + self._size > _LONGEST_EVENT:
            raise EventTooLong("The stream sent more than 8 MiB without ending an event.")
        return events

    def _next_line(self) -> str | None:
        lf, cr = self._rest.find(b"\n"), self._rest.find(b"\r")
        if cr == -1 or -1 < lf < cr:
            return None if lf == -1 else self._cut(lf, lf + 1)
        if cr + 1 == len(self._rest):
            return None  # a LF that belongs to this CR may still come
        return self._cut(cr, cr + 2 if lf == cr + 1 else cr + 1)

    def _cut(self, end: int, after: int) -> str:
        line = self._rest[:end].decode("utf-8", errors="replace")
        del self._rest[:after]
        if self._first:
            self._first = False
            line = line.removeprefix("\ufeff")
        return line

    def _take(self, line: str) -> ServerEvent | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._size += len(value)
        elif name == "event":
            self._kind = value
        return None

    def _dispatch(self) -> ServerEvent | None:
        data, kind, had_data = "\n".join(self._data), self._kind or "message", bool(self._data)
        self._data.clear()
        self._kind, self._size = "", 0
        return ServerEvent(data, kind) if had_data else None
