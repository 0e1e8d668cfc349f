"""What else can be done with an engine, and what is said before it is removed from the pool. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.engine.engine_shown import is_attached
from console.widgets.menu import MenuEntry
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.engine.engine_shown import SleepShown
    from engine_host.engine.state import EngineState

STAYS = "The first engine stays: it is the house's own. Stop it, or detach it."
_AT_REST = (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED)


def derive_more(
    stops: Sequence[MenuEntry], sleep: SleepShown | None = None, *, removable: bool
) -> tuple[MenuEntry, ...]:
    """The menu beside the engine's button; empty when there is nothing but the button. `stops` are other limits."""
    groups = (
        tuple(stops),
        (_sleep_entry(sleep),) if sleep else (),
        (MenuEntry("remove", "Remove this engine…", "trash", "Del"),) if removable else (),
    )
    entries: list[MenuEntry] = []
    for group in filter(None, groups):
        entries += [MenuEntry("line"), *group] if entries else group
    return tuple(entries)


def _sleep_entry(sleep: SleepShown) -> MenuEntry:
    words = f"{sleep.text}: {sleep.why}" if sleep.why else sleep.text
    return MenuEntry(sleep.key or "sleep", words, enabled=sleep.key is not None)


def derive_stops(drain_s: float) -> tuple[MenuEntry, ...]:
    """The limits within which answers may be finished; the settings' own first. Keys are `stop SECONDS`."""
    limits = dict.fromkeys((drain_s, 60.0, 300.0))
    timed = (MenuEntry(f"stop {one:g}", f"Finish answers within {one:g} s, then stop") for one in limits if one)
    return (*timed, MenuEntry("stop 0", "Stop at once; answers break off"))


@dataclass(frozen=True, slots=True)
class RemovalShown:
    title: str
    words: str


def derive_removal(state: EngineState, name: str, drain_s: float) -> RemovalShown:
    """`name` is what its row says, also before its first start; `drain_s` as the settings have it."""
    return RemovalShown(f"Remove {name}?", f"{_what_happens(state, name, drain_s)} {_what_is_forgotten(state)}")


def _what_happens(state: EngineState, name: str, drain_s: float) -> str:
    if is_attached(state):
        answers = _answers(name, drain_s) if state.can_answer else ""
        return f"{answers}The server itself runs on."
    if state.status in _AT_REST:
        return f"{name} has no process now."
    if state.status is EngineStatus.STARTING:
        return f"The start of {name} is given up."
    return f"{_answers(name, drain_s)}Then its processes end and its memory is free again."


def _answers(name: str, drain_s: float) -> str:
    within = f"has {drain_s:g} s to end" if drain_s else "breaks off"
    return (
        f"{name} gets nothing new, and what it writes {within}. A cut answer goes on at another engine of the same "
        "model, or fails. "
    )


def _what_is_forgotten(state: EngineState) -> str:
    key = ", and so is the key that was kept for its address" if is_attached(state) else ""
    return f"It is taken out of the settings{key}: the next start of the console does not bring it back."
