"""What the page says about an engine: its row in the list, its head, what can be done, why it failed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.widgets.engine_kinds import ENGINE_KINDS
from console.widgets.list_rows import ListRow
from console.widgets.pill import PillKind, PillMark
from engine_host.engine.options import options_by_key
from engine_host.engine.options_values import value_text
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from console.theme.tokens import ColorToken
    from console.widgets.buttons import ButtonKind
    from engine_host.engine.state import Change

ActionKey = Literal["start", "steps", "cancel", "stop", "detach"]
FixKey = Literal["start", "change", "errors", "detach"]
DOTS: Final[dict[EngineStatus, ColorToken]] = {
    EngineStatus.NONE: "text-3",
    EngineStatus.STARTING: "accent",
    EngineStatus.READY: "ok",
    EngineStatus.BUSY: "ok",
    EngineStatus.STALLED: "warn",
    EngineStatus.SLEEPING: "text-3",
    EngineStatus.DRAINING: "info",
    EngineStatus.STOPPING: "info",
    EngineStatus.STOPPED: "text-3",
    EngineStatus.FAILED: "error",
    EngineStatus.LOST: "error",
}
WORDS: Final[dict[EngineStatus, str]] = {EngineStatus.NONE: "not started"}
INKS: Final[dict[EngineStatus, ColorToken]] = {EngineStatus.STARTING: "accent-ink"}


def status_word(status: EngineStatus) -> str:
    return WORDS.get(status, status.value)


def is_attached(state: EngineState) -> bool:
    return bool(state.url) and not state.hosted


def bare_address(url: str) -> str:
    """`http://127.0.0.1:8021` -> `127.0.0.1:8021`."""
    return url.split("://", 1)[-1].rstrip("/")


def derive_engine_rows(engines: Sequence[tuple[int, EngineState]], profile: str, now: datetime) -> tuple[ListRow, ...]:
    """Every engine of the pool by its number."""
    return tuple(_row(number, state, profile, now) for number, state in engines)


def engine_name(number: int, state: EngineState, profile: str) -> str:
    """One that never started goes by the profile that it would start with."""
    return state.name or (profile if number == 1 else f"{profile} {number}")


def _row(number: int, state: EngineState, profile: str, now: datetime) -> ListRow:
    dot = DOTS[state.status]
    return ListRow(
        key=str(number),
        title=engine_name(number, state, profile),
        time=state_words(state, now),
        time_color=INKS.get(state.status, dot),
        second=_where(state),
        dot=dot,
    )


def state_words(state: EngineState, now: datetime) -> str:
    """The state in a word or two; a restart with its count and the seconds until it."""
    if state.status is EngineStatus.FAILED and state.restart is not None:
        left = restart_left_s(state, now)
        return f"restart {state.restart.number} of {state.restart.of} in {left:.0f} s"
    return status_word(state.status)


def restart_left_s(state: EngineState, now: datetime) -> float:
    """Seconds until the start that follows a death; 0 when there is none."""
    if state.restart is None or state.since is None:
        return 0.0
    return max(state.restart.pause_s - (now - state.since).total_seconds(), 0.0)


def _where(state: EngineState) -> str:
    if is_attached(state):
        return f"attached, {_what_else(state)}"
    running = state.url and state.status not in (EngineStatus.STOPPED, EngineStatus.FAILED)
    return f"hosted, {bare_address(state.url)}" if running else "hosted, no process"


def _what_else(state: EngineState) -> str:
    """Of an attached engine: its address, or its model when the address is its name already."""
    address = bare_address(state.url)
    return state.model if state.model and state.name == address else address


def derive_origin(state: EngineState) -> str:
    """The words beside the engine's name."""
    if is_attached(state):
        return f"attached, {_what_else(state)}"
    at_rest = state.status in (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED)
    return "hosted, started before this console" if state.adopted and not at_rest else "hosted by this console"


def derive_attached(state: EngineState) -> str:
    """What stands in the place of a log: what the attached server is, and what it lacks, line by line."""
    found = state.found
    lines = [found.sentence, *found.missing] if found else []
    lines += [] if found and not found.metrics else ["Its figures are on the Live page."]
    return "\n".join([*lines, "It writes its log where it runs."])


@dataclass(frozen=True, slots=True)
class ActionShown:
    """The one button of the head. `key` None = nothing can be done now, the button only says what happens."""

    key: ActionKey | None
    text: str
    kind: ButtonKind
    icon: str


def derive_action(
    state: EngineState, *, cancelling: bool, elsewhere: bool = False, removing: bool = False
) -> ActionShown:
    """`elsewhere`: the profile is for more than this machine, so it shows what to type where."""
    draining = state.status is EngineStatus.DRAINING
    if removing and not draining:
        return ActionShown(None, "Removing…", "danger", "trash")
    if (cancelling and not draining) or state.status is EngineStatus.STOPPING:
        return ActionShown(None, "Stopping…", "danger", "stop")
    if is_attached(state) and state.status is not EngineStatus.NONE:
        return ActionShown("detach", "Detach", "plain", "")
    match state.status:
        case EngineStatus.STARTING:
            return ActionShown("cancel", "Cancel start", "danger", "stop")
        case EngineStatus.DRAINING:
            return ActionShown("stop", "Stop now", "danger", "stop")
        case EngineStatus.READY | EngineStatus.BUSY | EngineStatus.STALLED | EngineStatus.SLEEPING | EngineStatus.LOST:
            return ActionShown("stop", stop_text(state), "danger", "stop")
        case _ if elsewhere:
            return ActionShown("steps", "Show steps", "primary", "copy")
        case _:
            return ActionShown("start", "Start", "primary", "play")


def stop_text(state: EngineState) -> str:
    """With work in hand a stop waits for it, within the limit of the settings."""
    return "Drain and stop" if state.status in (EngineStatus.BUSY, EngineStatus.STALLED) else "Stop"


@dataclass(frozen=True, slots=True)
class SleepShown:
    """`key` None = it cannot be done now, and `why` says the reason."""

    key: Literal["sleep", "wake"] | None
    text: str
    why: str = ""


def derive_sleep(state: EngineState, *, sleep_mode: bool, on_gpu: bool) -> SleepShown | None:
    """None where there is no engine that could sleep. `sleep_mode`: its profile asks for it."""
    if state.status is EngineStatus.SLEEPING:
        return SleepShown("wake", "Wake")
    if not state.can_answer:
        return None
    if is_attached(state):
        has, why = bool(state.found and state.found.sleep), "This server has no sleep mode."
    elif not on_gpu:
        has, why = False, "vLLM has no sleep mode on a CPU."
    else:
        has, why = sleep_mode, "Its profile does not turn sleep mode on. Turn it on and start it again."
    if not has:
        return SleepShown(None, "Sleep", why)
    if state.status is not EngineStatus.READY:
        return SleepShown(None, "Sleep", "It has work in hand. Wait until it is ready.")
    return SleepShown("sleep", "Sleep")


@dataclass(frozen=True, slots=True)
class FailureShown:
    """`fix` is what a button can do about it, None when nothing on this page helps. `lines` are the log's last."""

    fact: str
    next_step: str
    fix: FixKey | None = None
    fix_text: str = ""
    lines: tuple[str, ...] = ()


def derive_failure(state: EngineState, last_lines: Sequence[str] = ()) -> FailureShown | None:
    if state.status not in (EngineStatus.FAILED, EngineStatus.LOST, EngineStatus.STALLED):
        return None
    fix, text = _fix(state)
    lines = tuple(last_lines) if state.status is EngineStatus.FAILED else ()
    return FailureShown(state.reason, state.next_step, fix, text, lines)


def _fix(state: EngineState) -> tuple[FixKey | None, str]:
    step = state.next_step.casefold()
    if state.status is EngineStatus.LOST and is_attached(state):
        return "detach", "Detach"
    if state.restart is not None:
        return "start", "Start now"
    if state.change:
        return "change", f"{change_text(state.change)} and start again"
    if "start it again" in step:
        return "start", "Start again"
    return ("errors", "Show its errors") if "log" in step else (None, "")


def change_text(change: Mapping[str, Change]) -> str:
    """As "Set the context to 4,608 tok"; None clears a setting."""
    words = " and ".join(_set_text(key, value) for key, value in change.items())
    return f"{words[:1].upper()}{words[1:]}"


def _set_text(key: str, value: Change) -> str:
    known = options_by_key()
    name = known[key].label if key in known else key.replace("_", " ")
    if value is None:
        return f"clear {name}"
    told = value_text(known[key], value) if key in known else str(value)
    return f"set {name} to {told}"


KINDS: Final[Mapping[EngineStatus, PillKind]] = {**ENGINE_KINDS, EngineStatus.STARTING: "accent"}
"""On this page a start is what everything is about."""


def derive_state_line(state: EngineState, now: datetime) -> PillMark:
    """The state beside the engine's name, in word and colour."""
    return PillMark(state_words(state, now), KINDS.get(state.status, "neutral"), dot=True)
