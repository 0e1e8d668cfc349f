"""What the status strip says: only what is true this moment, computed from what is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.widgets.pill import PillMark
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from console.widgets.pill import PillKind
    from engine_host.metrics.samples import MetricSample

LATE_S: Final = 3.0
STALE_S: Final = 10.0
UNKNOWN: Final = "–"
NO_DATA: Final = "no data yet"

CellTone = Literal["", "warn", "error"]


@dataclass(frozen=True, slots=True)
class StripCell:
    """`before strong after`, the middle one in the stronger ink. `key` names what a click opens."""

    key: str
    before: str = ""
    strong: str = ""
    after: str = ""
    tone: CellTone = ""

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.before, self.strong, self.after) if part)


@dataclass(frozen=True, slots=True)
class StripState:
    pill: PillMark
    left: tuple[StripCell, ...] = ()
    right: tuple[StripCell, ...] = ()

    @property
    def text(self) -> str:
        """All of it as words, for screen readers and logs."""
        return ", ".join([self.pill.text, *(cell.text for cell in (*self.left, *self.right))])


_WORDS: Final[Mapping[EngineStatus, tuple[str, PillKind]]] = {
    EngineStatus.NONE: ("No engine", "neutral"),
    EngineStatus.STARTING: ("Starting", "info"),
    EngineStatus.READY: ("Ready", "ok"),
    EngineStatus.BUSY: ("Busy", "ok"),
    EngineStatus.STALLED: ("Stalled", "warn"),
    EngineStatus.SLEEPING: ("Sleeping", "neutral"),
    EngineStatus.DRAINING: ("Draining", "info"),
    EngineStatus.STOPPING: ("Stopping", "info"),
    EngineStatus.STOPPED: ("Stopped", "neutral"),
    EngineStatus.FAILED: ("Failed", "error"),
    EngineStatus.LOST: ("Lost", "error"),
}


@dataclass(frozen=True, slots=True)
class StripFacts:
    """What is known now. None = not known.

    `sample` is the last scrape that brought numbers and `age_s` how old it is by the monotonic clock. `ttft_p95_s` and
    `ttft_limit_s` are in seconds (the limit is a promise, None = none was made), `output_rate` in tokens a second.
    `gateway` is its address, "" = off, None = this program has none. `setup` is set while the first use is set up.
    `engines` are the states of all when there are several: `engine` is then the worst of them and the figures are sums.
    """

    engine: EngineState
    now: datetime
    zone: ZoneInfo
    sample: MetricSample | None = None
    age_s: float | None = None
    ttft_p95_s: float | None = None
    ttft_limit_s: float | None = None
    output_rate: float | None = None
    errors_last_hour: int | None = None
    gateway: str | None = None
    setup: str = ""
    engines: tuple[EngineState, ...] = ()


def derive_strip(facts: StripFacts) -> StripState:
    return StripState(derive_pill(facts), (*_engine_cells(facts), _errors(facts)), _right_cells(facts))


def is_stale(facts: StripFacts) -> bool:
    return facts.age_s is not None and facts.age_s > STALE_S


def derive_pill(facts: StripFacts) -> PillMark:
    word, kind = _status_word(facts)
    alike = sum(one.status is facts.engine.status for one in facts.engines)
    if facts.engines and not facts.engine.is_well:
        word = f"{alike} of {len(facts.engines)} {word.lower()}"
    return PillMark(word, kind, dot=True)


def _status_word(facts: StripFacts) -> tuple[str, PillKind]:
    if facts.engine.is_well and is_stale(facts):
        return "Stalled", "warn"
    return _WORDS[facts.engine.status]


def _engine_cells(facts: StripFacts) -> tuple[StripCell, ...]:
    engine = facts.engine
    cells: list[StripCell] = []
    if facts.engines:
        cells.append(StripCell("engine", strong=f"{len(facts.engines)}", after="engines"))
    elif engine.name:
        cells.append(StripCell("engine", strong=engine.name))
    models = {one.model for one in facts.engines or (engine,) if one.model}
    if len(models) == 1:
        cells.append(StripCell("model", before=models.pop()))
    if facts.setup:
        return (*cells, StripCell("setup", before=facts.setup))
    if _all_in(facts, EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED):
        return tuple(cells)
    if _all_in(facts, EngineStatus.STARTING) or (
        facts.sample is None and not facts.engines and engine.status is not EngineStatus.LOST
    ):
        return (*cells, StripCell("figures", before=NO_DATA))
    return (*cells, *_figures(facts))


def _all_in(facts: StripFacts, *states: EngineStatus) -> bool:
    """Whether no engine is in another state: the figures of several go on while one of them lives."""
    return all(one.status in states for one in facts.engines or (facts.engine,))


def _figures(facts: StripFacts) -> tuple[StripCell, ...]:
    lost = _all_in(facts, EngineStatus.LOST) or is_stale(facts)
    sample = None if lost else facts.sample
    kv_usage = None if sample is None or sample.kv_usage is None else sample.kv_usage * 100
    ttft = None if lost else facts.ttft_p95_s
    broken = ttft is not None and facts.ttft_limit_s is not None and ttft > facts.ttft_limit_s
    return (
        StripCell("running", strong=_whole(sample.running if sample else None), after="running"),
        StripCell("waiting", strong=_whole(sample.waiting if sample else None), after="waiting"),
        StripCell("kv", before="KV", strong=_with_unit(_whole(kv_usage), "%")),
        StripCell("ttft", "TTFT p95", _with_unit(_decimals(ttft), "s"), tone="error" if broken else ""),
        StripCell("tokens", strong=_whole(None if lost else facts.output_rate), after="tok/s out"),
    )


def _errors(facts: StripFacts) -> StripCell:
    count = facts.errors_last_hour
    word = "error in 1 h" if count == 1 else "errors in 1 h"
    return StripCell("errors", strong=_whole(count), after=word)


def _right_cells(facts: StripFacts) -> tuple[StripCell, ...]:
    local = facts.now.astimezone(facts.zone)
    clock = StripCell("clock", strong=f"{local:%H:%M:%S}", after=local.tzname() or "")
    if facts.gateway is None:
        return _scrape_age(facts), clock
    return StripCell("gateway", before="Gateway", strong=facts.gateway or "off"), _scrape_age(facts), clock


def _scrape_age(facts: StripFacts) -> StripCell:
    if _all_in(facts, EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED):
        return StripCell("age", before="Nothing to scrape")
    if facts.age_s is None:
        return StripCell("age", before="Not scraped yet")
    tone: CellTone = "warn" if facts.age_s > LATE_S else ""
    return StripCell("age", before=f"Scraped {age_words(facts.age_s)} ago", tone=tone)


def age_words(age_s: float) -> str:
    """0.4 s, 12 s, 3 min, 2 h."""
    if age_s < STALE_S:
        return f"{max(age_s, 0.0):.1f} s"
    if age_s < 120:
        return f"{age_s:.0f} s"
    return f"{age_s / 60:.0f} min" if age_s < 7200 else f"{age_s / 3600:.0f} h"


def _whole(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:,.0f}"


def _decimals(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:.2f}"


def _with_unit(number: str, unit: str) -> str:
    return number if number == UNKNOWN else f"{number} {unit}"
