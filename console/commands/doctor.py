"""`dabba doctor`: what is installed, what is kept, what runs, each with what to do about it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import print_json
from console.setup.lines import DONE, FAILED, step_line

if TYPE_CHECKING:
    from console.setup.doctor import Diagnosis


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Check everything that can be wrong here. Exit 0 when nothing is. Changes nothing."""
    from console.setup.doctor import examine
    from storage.paths import home_from_environment

    diagnosis = asyncio.run(examine(home_from_environment()))
    if as_json:
        print_json(as_object(diagnosis))
    else:
        print("\n".join(lines(diagnosis)))
    if not diagnosis.ok:
        raise typer.Exit(1)


def as_object(diagnosis: Diagnosis) -> dict[str, object]:
    """What `--json` prints."""
    checks = [asdict(check) for check in diagnosis.checks]
    return {"ok": diagnosis.ok, "machine": asdict(diagnosis.machine), "checks": checks}


def lines(diagnosis: Diagnosis) -> list[str]:
    """The same for people."""
    from console.setup.doctor import machine_lines

    told = [step_line(" ", name, (fact,)) for name, fact in machine_lines(diagnosis.machine)]
    for check in diagnosis.checks:
        told.append(step_line(DONE if check.ok else FAILED, check.name, (check.fact,)))
        if check.next_step:
            told.append(step_line(" ", "", (check.next_step,)))
    failed = sum(not check.ok for check in diagnosis.checks)
    told.append(f"{failed} of {len(diagnosis.checks)} checks need something." if failed else "All is well.")
    return told
