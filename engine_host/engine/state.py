"""What is known of an engine this moment, as published by engine/session.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine_host.engine.finding import Found
    from engine_host.engine.restarting import Restart

Change = float | str | None


class EngineStatus(StrEnum):
    """BUSY is READY with work in hand. DRAINING finishes its answers and takes no new ones. LOST: attached and gone."""

    NONE = "none"
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    STALLED = "stalled"
    SLEEPING = "sleeping"
    DRAINING = "draining"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    LOST = "lost"


CAN_ANSWER = (EngineStatus.READY, EngineStatus.BUSY, EngineStatus.STALLED)


class StartPhase(StrEnum):
    """Phases of a start, in order, as read from the engine's log."""

    ENVIRONMENT = "environment"
    WEIGHTS = "weights"
    COMPILE = "compile"
    KV = "KV"
    WARM_UP = "warm-up"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """`started_s` and `ended_s` are seconds since the start of the process; `ended_s` None = running now."""

    phase: StartPhase
    started_s: float
    ended_s: float | None


@dataclass(frozen=True, slots=True)
class EngineState:
    """`run` names this run of the engine (unique; the ledger names it).

    `reason` and `next_step` explain FAILED, LOST and STALLED. `change` is what would help: names and values of
    storage.settings.EngineSettings, empty when no setting helps. `restart`: it is started again by itself.
    `found` is what an attached server said of itself, None for a hosted one.
    `tools` = the model was trained for tools and the engine reads its calls.
    `hosted` = a process of this machine that we may stop, `adopted` = one that another start of this program began; not
    hosted = attached by URL.
    """

    status: EngineStatus = EngineStatus.NONE
    name: str = ""
    model: str = ""
    url: str = ""
    run: str | None = None
    tools: bool = False
    hosted: bool = False
    adopted: bool = False
    process_group: int | None = None
    since: datetime | None = None
    phases: tuple[PhaseTime, ...] = ()
    reason: str = ""
    next_step: str = ""
    change: Mapping[str, Change] = field(default_factory=dict[str, Change])
    restart: Restart | None = None
    found: Found | None = None

    @property
    def can_answer(self) -> bool:
        return self.status in CAN_ANSWER

    @property
    def is_well(self) -> bool:
        return self.status in (EngineStatus.READY, EngineStatus.BUSY)
