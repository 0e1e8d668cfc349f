"""The card of a start: each phase as a bar on one axis, beside the last start. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.widgets.time_bars import AxisTick, TimeBar
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase

if TYPE_CHECKING:
    from console.theme.tokens import ColorToken
    from engine_host.engine.start_times import StartTimes

PHASES: Final = tuple(StartPhase)
_TICK_STEPS: Final = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
_MOST_TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class StartShown:
    """`whole` is the seconds at the right end of the axis, `now` where the upright line stands while it starts."""

    title: str
    progress: str
    group: str
    bars: tuple[TimeBar, ...]
    ticks: tuple[AxisTick, ...]
    whole: float
    now: float | None
    note: str


def derive_start(state: EngineState, last: StartTimes | None, elapsed_s: float | None) -> StartShown | None:
    """None while there is nothing to show: no start was seen in this run of the program.

    `elapsed_s` counts from the start of the process, None when it is not starting.
    """
    starting = state.status is EngineStatus.STARTING
    phases = _with_running(state.phases, starting=starting)
    if not phases and last is None:
        return None
    now = (elapsed_s or 0.0) if starting else None
    longest = max((phase.ended_s or now or 0.0 for phase in phases), default=0.0)
    whole = max(longest, last.total_s if last else 0.0, 1.0) * 1.12
    return StartShown(
        title=f"Start of {state.name}" if phases else "The last start",
        progress=_progress(state, phases, last, now),
        group=f"group {state.process_group}" if state.process_group else "",
        bars=tuple(_bar(phase, phases, last, now, _broken_icon(state)) for phase in PHASES),
        ticks=time_ticks(whole),
        whole=whole,
        now=now,
        note=_note(phases, last, starting=starting),
    )


def _with_running(phases: tuple[PhaseTime, ...], *, starting: bool) -> tuple[PhaseTime, ...]:
    """Until the log names a phase, the environment is being made."""
    return phases or ((PhaseTime(StartPhase.ENVIRONMENT, 0.0, None),) if starting else ())


def _broken_icon(state: EngineState) -> tuple[str, ColorToken]:
    """The mark of a phase that did not end."""
    return ("error", "error") if state.status is EngineStatus.FAILED else ("stop", "text-3")


def _bar(
    phase: StartPhase, phases: tuple[PhaseTime, ...], last: StartTimes | None, now: float | None,
    broken: tuple[str, ColorToken],
) -> TimeBar:  # fmt: skip
    mine = next((one for one in phases if one.phase is phase), None)
    before = last.phase(phase) if last else None
    second = _figure(phase, before) if before else ""
    name = phase.value
    if mine is None:
        waiting: tuple[str, ColorToken] = ("waiting", "text-3")
        if before is None or (phases and now is None):
            return TimeBar(name, second=second, icon=waiting)
        return TimeBar(name, before.started_s, _length(before), "ghost", second=second, icon=waiting)
    if mine.ended_s is not None:
        figure = f"{_figure(phase, mine)} s"
        return TimeBar(name, mine.started_s, _length(mine), "neutral", figure, second, icon=("ok", "ok"))
    if now is None:
        return TimeBar(name, mine.started_s, figure="not ended", second=second, icon=broken)
    length = max(now - mine.started_s, 0.0)
    expected = _length(before) if before else None
    figure = f"{length:.1f} s"
    return TimeBar(name, mine.started_s, length, "hot", figure, second, expected=expected, icon=("play", "accent"))


def _length(phase: PhaseTime) -> float:
    return max((phase.ended_s or phase.started_s) - phase.started_s, 0.0)


def _figure(phase: StartPhase, times: PhaseTime) -> str:
    """READY has no length: its figure is when it came."""
    return f"{times.started_s if phase is StartPhase.READY else _length(times):.1f}"


def _progress(state: EngineState, phases: tuple[PhaseTime, ...], last: StartTimes | None, now: float | None) -> str:
    if now is not None:
        return f"{now:.0f} s of about {last.total_s:.0f} s" if last else f"{now:.0f} s"
    done = next((one for one in phases if one.phase is StartPhase.READY), None)
    if done:
        return f"ready after {done.started_s:.1f} s"
    return "not finished" if phases and state.status is not EngineStatus.STARTING else ""


def _note(phases: tuple[PhaseTime, ...], last: StartTimes | None, *, starting: bool) -> str:
    if not starting:
        return ""
    running = phases[-1].phase
    before = last.phase(running) if last else None
    if before is None:
        return "vLLM does not report progress here; no earlier start of this kind is known."
    return f"vLLM does not report progress here; the last {running.value} took {_length(before):.1f} s."


def time_ticks(whole: float) -> tuple[AxisTick, ...]:
    """At most five marks at round seconds, the first with its unit."""
    step = next((one for one in _TICK_STEPS if whole / one <= _MOST_TICKS), _TICK_STEPS[-1])
    return tuple(AxisTick(at, f"{at} s" if at == 0 else str(at)) for at in range(0, int(whole) + 1, step))
