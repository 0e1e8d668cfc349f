"""What the page says about the engine itself: its row in the list, its head, what can be done, why it failed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.widgets.list_rows import Heading, ListRow
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from console.theme.tokens import ColorToken
    from console.widgets.buttons import ButtonKind

ActionKey = Literal["start", "cancel", "stop", "detach"]
FixKey = Literal["start", "context", "kv", "errors", "detach"]
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


def derive_list(state: EngineState, profile: str) -> tuple[Heading | ListRow, ...]:
    """The one engine of this home; before its first start under the name of the profile."""
    dot = DOTS[state.status]
    row = ListRow(
        key="engine",
        title=state.name or profile,
        time=status_word(state.status),
        time_color=INKS.get(state.status, dot),
        second=_where(state),
        dot=dot,
    )
    return (Heading("Engines"), row)


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


def derive_action(state: EngineState, *, cancelling: bool) -> ActionShown:
    draining = state.status is EngineStatus.DRAINING
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
            return ActionShown("stop", "Stop", "danger", "stop")
        case _:
            return ActionShown("start", "Start", "primary", "play")


@dataclass(frozen=True, slots=True)
class FailureShown:
    """`fix` is what a button can do about it, None when nothing on this page helps."""

    fact: str
    next_step: str
    fix: FixKey | None = None
    fix_text: str = ""


def derive_failure(state: EngineState, *, shorter_context: int, smaller_kv_gib: float) -> FailureShown | None:
    if state.status not in (EngineStatus.FAILED, EngineStatus.LOST, EngineStatus.STALLED):
        return None
    fix, text = _fix(state, shorter_context, smaller_kv_gib)
    return FailureShown(state.reason, state.next_step, fix, text)


def _fix(state: EngineState, context: int, kv_gib: float) -> tuple[FixKey | None, str]:
    step = state.next_step.casefold()
    if state.status is EngineStatus.LOST and is_attached(state):
        return "detach", "Detach"
    if state.restart is not None:
        return "start", "Start now"
    if "kv_space_gib" not in state.change and "shorter context" in step and "context" in state.reason.casefold():
        return "context", f"Set the context to {context:,}"
    if "kv_space_gib" in state.change or "smaller kv space" in step:
        return "kv", f"Set the KV space to {kv_gib:g} GiB"
    if "start it again" in step:
        return "start", "Start again"
    return ("errors", "Show its errors") if "log" in step else (None, "")
