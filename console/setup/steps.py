"""The steps of the first use: what each is, whether it is done, and how it is done. Each may be interrupted and run
again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

StepKey = Literal["packages", "runtime", "model", "embedding", "kitchen"]


class SetupRefused(Exception):
    """A step can't be done; `str(e)` is a finished sentence with the next step."""


@dataclass(frozen=True, slots=True)
class SetupStep:
    """`what` is one line for people, `size_hint` what it takes. `needs` are the steps that must be done before."""

    key: StepKey
    title: str
    what: str
    size_hint: str
    needs: tuple[StepKey, ...] = ()


@dataclass(frozen=True, slots=True)
class StepReport:
    """How far a running step is. `done` of `total` count what `unit` says; None = not known."""

    text: str
    done: float | None = None
    total: float | None = None
    unit: Literal["bytes", "items"] = "bytes"


class StepWork(Protocol):
    """One step as it is done on this home. Called in the loop; cancelling `run` leaves nothing that is half done."""

    @property
    def step(self) -> SetupStep: ...

    async def is_done(self) -> bool:
        """Cheap (a marker and its key files) and true."""
        ...

    async def run(self, report: Callable[[StepReport], None]) -> str:
        """Do it and say what is there now, in a few words. Raises an error with a sentence."""
        ...


PACKAGES: Final = SetupStep("packages", "Console packages", "Python packages of this program, in .venv", "0.7 GB")
RUNTIME: Final = SetupStep(
    "runtime", "Engine runtime", "vLLM in a Python environment of its own, so that its packages never meet ours", "4 GB"
)
MODEL: Final = SetupStep(
    "model", "Engine model", "The language model that writes answers, checked by its sha256", "0.4 GB", ("runtime",)
)
EMBEDDING: Final = SetupStep(
    "embedding", "Embedding model", "Finds the passages of the help articles, checked by its sha256", "0.1 GB"
)
KITCHEN: Final = SetupStep(
    "kitchen", "Sample kitchen", "Three tenants and their help articles, added once", "1 MB", ("embedding",)
)
STEPS: Final = (PACKAGES, RUNTIME, MODEL, EMBEDDING, KITCHEN)
