"""What the set-up page says, from the state of the run and the facts of the machine. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.setup.lines import bytes_text
from console.setup.run import StepState, StepStatus

if TYPE_CHECKING:
    from console.setup.machine import Machine
    from console.setup.run import SetupState

Mark = Literal["number", "now", "ok", "error", "stop"]
Tone = Literal["ok", "info", "warn", "error"]
_MARKS: Final[dict[StepStatus, Mark]] = {
    StepStatus.WAITING: "number",
    StepStatus.BLOCKED: "number",
    StepStatus.RUNNING: "now",
    StepStatus.DONE: "ok",
    StepStatus.FAILED: "error",
    StepStatus.CANCELLED: "stop",
}
_UNITS: Final = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
_SIZE: Final = re.compile(r"([\d.]+) (kB|MB|GB)")
WORTH_TELLING: Final = 1e8
"""Bytes under which a need of disk space says nothing."""
DEVANAGARI: Final = "Noto Sans Devanagari"


@dataclass(frozen=True, slots=True)
class StepShown:
    """`fraction` None with `running` = nobody knows how far. `figures` are amount, rate and time left."""

    number: int
    title: str
    mark: Mark
    text: str
    is_fault: bool
    right: str
    running: bool
    fraction: float | None
    figures: tuple[str, ...]
    remark: str
    ways_around: bool
    """Whether another Python or another engine can be named instead of this step."""


def derive_steps(state: SetupState) -> tuple[StepShown, ...]:
    return tuple(_step(number, one) for number, one in enumerate(state.steps, 1))


def _step(number: int, one: StepState) -> StepShown:
    running = one.status is StepStatus.RUNNING
    return StepShown(
        number=number,
        title=one.step.title,
        mark=_MARKS[one.status],
        text=_text(one),
        is_fault=one.status is StepStatus.FAILED,
        right=_right(one),
        running=running,
        fraction=one.fraction,
        figures=derive_figures(one) if running else (),
        remark=one.report.text if running else "",
        ways_around=one.step.key == "runtime" and one.status is not StepStatus.DONE,
    )


def _text(one: StepState) -> str:
    if one.status is StepStatus.CANCELLED:
        return "Stopped. What was fetched is kept; Go on continues from here."
    told = one.status in (StepStatus.FAILED, StepStatus.BLOCKED) or (one.status is StepStatus.DONE and one.told)
    return one.told if told else f"{one.step.what}."


def _right(one: StepState) -> str:
    match one.status:
        case StepStatus.DONE:
            return "already there" if one.was_there else seconds_text(one.seconds)
        case StepStatus.RUNNING:
            return f"running {seconds_text(one.seconds)}"
        case StepStatus.FAILED:
            return "failed"
        case _:
            return one.step.size_hint


def derive_figures(one: StepState) -> tuple[str, ...]:
    """`0.74 GB of 1.12 GB`, `14.2 MB/s`, `27 s left`; what is not known is left out."""
    done, total, is_bytes = one.report.done, one.report.total, one.report.unit == "bytes"
    if done is None:
        return ()
    shown = bytes_text if is_bytes else "{:.0f}".format
    amount = shown(done) + (f" of {shown(total)}" if total else "")
    rate = f"{bytes_text(one.rate)}/s" if one.rate is not None and is_bytes else ""
    left = f"{seconds_text(one.left_s)} left" if one.left_s is not None else ""
    return tuple(part for part in (amount, rate, left) if part)


def seconds_text(seconds: float) -> str:
    """`52 s`, `2 min 05 s`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02} s"


def derive_heading(state: SetupState) -> str:
    """The line under the title: how many steps, and where they stand."""
    counts = {status: sum(one.status is status for one in state.steps) for status in StepStatus}
    parts = [f"{counts[StepStatus.DONE]} done"]
    parts += [
        f"{counts[status]} {status.value}" for status in (StepStatus.RUNNING, StepStatus.FAILED) if counts[status]
    ]
    return f"{len(state.steps)} steps. {', '.join(parts)}."


def running_step(state: SetupState) -> tuple[int, StepState] | None:
    """Its number, from 1, and its state."""
    return next(((n, one) for n, one in enumerate(state.steps, 1) if one.status is StepStatus.RUNNING), None)


@dataclass(frozen=True, slots=True)
class MachineFact:
    name: str
    fact: str
    tone: Tone = "ok"


def derive_machine(machine: Machine, state: SetupState, families: frozenset[str]) -> tuple[MachineFact, ...]:
    """`families` are the fonts that Qt has loaded."""
    processor, needed = machine.processor, needed_bytes(state)
    features = {True: ", AVX2", False: ", no AVX2", None: ""}[processor.avx2]
    disk = f"{bytes_text(machine.disk_free)} free" + (
        f", {bytes_text(needed)} needed" if needed >= WORTH_TELLING else ""
    )
    index = machine.index
    return (
        MachineFact(
            "Processor",
            f"{processor.cores} cores, {processor.arch}{features}",
            "warn" if processor.avx2 is False else "ok",
        ),
        MachineFact("Memory", f"{bytes_text(machine.memory_free)} of {bytes_text(machine.memory_total)} free"),
        MachineFact("Disk", disk, "warn" if machine.disk_free < needed else "ok"),
        MachineFact("GPU", machine.gpu_text, "ok" if machine.gpus else "info"),
        MachineFact(
            "Network",
            "package index answers" if index.reachable else f"no package index: {index.reason}",
            "ok" if index.reachable else "warn",
        ),
        MachineFact(
            "Ports",
            "a free one on this machine" if machine.loopback else "none can be opened on 127.0.0.1",
            "ok" if machine.loopback else "error",
        ),
        MachineFact(
            "Fonts",
            "Devanagari is shipped: डब्बा" if DEVANAGARI in families else "Devanagari is missing",
            "ok" if DEVANAGARI in families else "warn",
        ),
    )


def needed_bytes(state: SetupState) -> float:
    """What the steps that are not done will put on the disk, by their own hints."""
    return sum(hint_bytes(one.step.size_hint) for one in state.steps if one.status is not StepStatus.DONE)


def hint_bytes(hint: str) -> float:
    found = _SIZE.search(hint)
    return float(found[1]) * _UNITS[found[2]] if found else 0.0
