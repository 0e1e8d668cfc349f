"""What every bench reports, in one form: figures, targets, and whether each holds."""

from __future__ import annotations

import json
import operator
import os
import platform
import tomllib
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COMPARE: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class BenchResult:
    """`figures` by name, None = could not be measured; `targets` such as "<= 16.7"; a target without a figure fails."""

    bench: str
    version: str
    machine: Mapping[str, object]
    figures: Mapping[str, float | None]
    targets: Mapping[str, str]
    holds: Mapping[str, bool]

    @property
    def ok(self) -> bool:
        return all(self.holds.values())


def judge(bench: str, figures: Mapping[str, float | None], targets: Mapping[str, str]) -> BenchResult:
    """Holds `figures` against `targets`. A target names a figure; ValueError for one that cannot be read."""
    held = {name: _holds(figures.get(name), target) for name, target in targets.items()}
    return BenchResult(bench, program_version(), machine_facts(), dict(figures), dict(targets), held)


def to_json(result: BenchResult) -> str:
    return json.dumps(asdict(result) | {"ok": result.ok}, indent=2, ensure_ascii=False)


def to_text(result: BenchResult) -> str:
    """One line a figure: name, value, target and whether it holds."""
    width = max((len(name) for name in result.figures), default=0)
    lines = [f"{result.bench}, version {result.version}"]
    for name, value in result.figures.items():
        shown = "not measured" if value is None else f"{value:g}"
        target = result.targets.get(name)
        verdict = "" if target is None else f"  target {target}  {'holds' if result.holds[name] else 'MISSED'}"
        lines.append(f"{name:<{width}}  {shown}{verdict}")
    lines.append("All targets hold." if result.ok else "Not all targets hold.")
    return "\n".join(lines)


def program_version() -> str:
    """Of the installed package, or of the checkout that this runs from."""
    try:
        return version("dabba-console")
    except PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def machine_facts() -> Mapping[str, object]:
    """What the figures were measured on; `load` is the 1-minute load average before the end of the run."""
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "load": round(psutil.getloadavg()[0], 2),
    }


def _holds(figure: float | None, target: str) -> bool:
    sign, _, limit = target.partition(" ")
    if sign not in COMPARE:
        raise ValueError(f"target {target!r} must begin with one of {', '.join(COMPARE)}")
    return figure is not None and COMPARE[sign](figure, float(limit))
