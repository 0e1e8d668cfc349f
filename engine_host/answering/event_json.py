"""Turn events as plain JSON values and back: what the ledger keeps and `--json` prints."""

from __future__ import annotations

from functools import cache
from typing import Any, cast, get_args

from pydantic import TypeAdapter

from engine_host.answering.events import TurnEvent

_KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(TurnEvent)}


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def event_to_json(event: TurnEvent) -> dict[str, object]:
    """`{"event": "Stated", …fields}`; times as ISO 8601 strings."""
    fields: dict[str, object] = _adapter(type(event)).dump_python(event, mode="json")
    return {"event": type(event).__name__, **fields}


def event_from_json(data: dict[str, object]) -> TurnEvent:
    """The event that `event_to_json` wrote. Raises ValueError when it is not one."""
    fields = dict(data)
    kind = _KINDS.get(str(fields.pop("event", "")))
    if kind is None:
        raise ValueError(f"{data.get('event')!r} is not an event of a turn.")
    return cast("TurnEvent", _adapter(kind).validate_python(fields))
