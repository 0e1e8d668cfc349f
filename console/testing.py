"""`./dabba test`: every check of this repository, one named stage after the other, and at the end what failed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.setup.lines import DONE, FAILED, duration_text, step_line

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

ROOT: Final = Path(__file__).parent.parent
NOT_A_STAGE: Final = 2


@dataclass(frozen=True, slots=True)
class Stage:
    """`command` is what follows `python -m`."""

    name: str
    what: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    stage: Stage
    code: int
    seconds: float


AT_ONCE: Final = ("-n", "logical", "--maxprocesses=4", "--dist=loadfile")
"""A process for each core; the tests of one file stay in one of them."""

ANSWERING: Final = "tests/engine_host/answering"
"""Apart from the others: to watch what is covered makes a test half as slow again."""
SHORT: Final = "--cov-report=term-missing:skip-covered"

TYPES: Final = Stage("types", "pyright, strict for the product", ("pyright",))
JOURNEYS: Final = Stage(
    "journeys", "the real program, engine, model, Qdrant and HTTP", ("pytest", "-m", "journey", "--durations=0")
)

STAGES: Final = (
    Stage("lint", "ruff's rules", ("ruff", "check", ".")),
    Stage("format", "ruff's formatting", ("ruff", "format", "--check", ".")),
    TYPES,
    Stage(
        "tests",
        "everything but the answering core and the journeys",
        ("pytest", "-q", "-m", "not journey", f"--ignore={ANSWERING}", *AT_ONCE, "--durations=5"),
    ),
    Stage(
        "answering",
        "the answering core, of which they cover 95 %",
        ("pytest", "-q", ANSWERING, *AT_ONCE, "--cov=engine_host.answering", "--cov-fail-under=95", SHORT),
    ),
    JOURNEYS,
)


def main(arguments: Sequence[str]) -> int:
    """Run the stages named in `arguments`, or all; 0 when every one passed, 2 for a name that is no stage."""
    known = [stage.name for stage in STAGES]
    if unknown := [name for name in arguments if name not in known]:
        print(f"There is no test stage {unknown[0]}: there are {', '.join(known)}. Name some of them, or none for all.")
        return NOT_A_STAGE
    chosen = [stage for stage in STAGES if not arguments or stage.name in arguments]
    begun = time.monotonic()
    outcomes = run_around_journeys(chosen) if len(chosen) > 1 and chosen[-1] is JOURNEYS else run_stages(chosen)
    print(summary(outcomes, time.monotonic() - begun), flush=True)
    return 1 if any(outcome.code for outcome in outcomes) else 0


def journeys_home() -> Path:
    """Where the journeys keep an engine runtime and models from run to run: DABBA_TEST_HOME, else .dabba-test here."""
    return Path(os.environ.get("DABBA_TEST_HOME") or ROOT / ".dabba-test")


def run_stages(stages: Sequence[Stage]) -> list[Outcome]:
    return [run_stage(stage, run_command) for stage in stages]


def run_around_journeys(stages: Sequence[Stage]) -> list[Outcome]:
    """No core rests: the journeys' home is set up beside the stages before them, and types are checked beside them."""
    with set_up_journeys_home() as process:
        outcomes = run_stages([stage for stage in stages if stage not in (TYPES, JOURNEYS)])
        process.wait()
    with ThreadPoolExecutor() as pool:
        beside = [pool.submit(run_held, TYPES)] if TYPES in stages else []
        outcomes += run_stages([JOURNEYS])
    return [*outcomes, *(tell_held(*one.result()) for one in beside)]


@contextlib.contextmanager
def set_up_journeys_home() -> Generator[subprocess.Popen[bytes]]:
    """`dabba setup`, without a word: the journeys run it again, and what stands against it fails them."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "console", "setup"],
        cwd=ROOT,
        env=os.environ | {"DABBA_HOME": str(journeys_home())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def run_stage(stage: Stage, run: Callable[[Sequence[str]], int]) -> Outcome:
    """Run one stage between two lines that say its name and its time. A stage that fails does not end the others."""
    print(f"\n── {stage.name}: {stage.what}", flush=True)
    begun = time.monotonic()
    outcome = Outcome(stage, run(stage.command), time.monotonic() - begun)
    print(outcome_line(outcome), flush=True)
    return outcome


def run_held(stage: Stage) -> tuple[Outcome, str]:
    """Run one stage beside another; what it printed is told afterwards."""
    begun = time.monotonic()
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-P", "-m", *stage.command],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Outcome(stage, ran.returncode, time.monotonic() - begun), ran.stdout


def tell_held(outcome: Outcome, said: str) -> Outcome:
    print(f"\n── {outcome.stage.name}: {outcome.stage.what}\n{said.rstrip()}\n{outcome_line(outcome)}", flush=True)
    return outcome


def run_command(command: Sequence[str]) -> int:
    environment = os.environ | {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    asked = [sys.executable, "-P", "-m", *command]
    return subprocess.run(asked, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False).returncode  # noqa: S603


def outcome_line(outcome: Outcome) -> str:
    verdict = f"failed with exit {outcome.code}" if outcome.code else "passed"
    return step_line(FAILED if outcome.code else DONE, outcome.stage.name, (verdict, duration_text(outcome.seconds)))


def summary(outcomes: Sequence[Outcome], seconds: float) -> str:
    """All stages with their times, then what failed, how to run only that, and what it took by the clock."""
    failed = [outcome.stage.name for outcome in outcomes if outcome.code]
    last = f"What failed: {', '.join(failed)}. Only that: ./dabba test {' '.join(failed)}" if failed else "All passed"
    return "\n".join(["", *(outcome_line(outcome) for outcome in outcomes), f"{last} · {duration_text(seconds)}"])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
