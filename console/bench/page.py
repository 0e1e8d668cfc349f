"""docs/benchmarks.md: one section a bench, written by the bench itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from console.bench.report import BenchResult

HEAD: Final = "# Benchmarks\n\nEach section is written by the command that it names; nothing here is typed by hand.\n"


def write_section(path: Path, result: BenchResult, command: str, compared: str) -> None:
    """Put the bench's section into the page, in the place of an older one. `compared` says what was measured how."""
    page = path.read_text(encoding="utf-8") if path.exists() else HEAD
    section = to_markdown(result, command, compared)
    older = re.compile(rf"^## {re.escape(result.bench)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    page = older.sub("", page).rstrip() + "\n\n" + section
    path.write_text(page, encoding="utf-8")


def to_markdown(result: BenchResult, command: str, compared: str) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in result.machine.items())
    rows = [
        f"| {name} | {'not measured' if value is None else f'{value:g}'} | {result.targets.get(name, '')} "
        f"| {_verdict(result, name)} |"
        for name, value in result.figures.items()
    ]
    table = "\n".join(("| figure | value | target | |", "|---|---|---|---|", *rows))
    return f"## {result.bench}\n\n{compared}\n\n`{command}`, version {result.version}, {machine}.\n\n{table}\n"


def _verdict(result: BenchResult, name: str) -> str:
    return "" if name not in result.holds else "holds" if result.holds[name] else "missed"
