"""The figures that an alert can watch, each read from the facts of one moment. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from engine_host.metrics.alert_engine_figures import (
    kv_usage,
    preemptions,
    running,
    scrape_age_s,
    silent_s,
    ttft_p95,
    waiting,
)
from engine_host.metrics.alert_seen import NONE, NOT_KNOWN, Asked, Seen
from engine_host.usage.forecast import Forecast
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from engine_host.metrics.alert_facts import AlertFacts, EngineFacts, HouseFacts
    from engine_host.usage.forecast import Outlook
    from storage.alert_records import EndedTurn, TenantDay

HOUSE: Final = ""
GIB: Final = 2**30


class Scope(StrEnum):
    """Whose figure it is: an alert of engines or tenants stands for each of them by itself."""

    ENGINE = "engine"
    TENANT = "tenant"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Subject:
    """`key` stays the same over restarts; `name` is for people."""

    key: str
    name: str


Read = Callable[["AlertFacts", Asked], "Mapping[Subject, Seen] | None"]
"""Every subject with what is seen of it; None = nobody knows which there are."""


@dataclass(frozen=True, slots=True)
class Figure:
    """`words` writes a value with its unit; `more` names what it says besides."""

    scope: Scope
    words: Callable[[float], str]
    read: Read
    more: tuple[str, ...] = field(default=())


def _of_engines(read: Callable[[EngineFacts, AlertFacts, Asked], Seen]) -> Read:
    def read_all(facts: AlertFacts, asked: Asked) -> Mapping[Subject, Seen]:
        return {Subject(one.key, one.name): read(one, facts, asked) for one in facts.engines}

    return read_all


def _of_turns(read: Callable[[tuple[EndedTurn, ...], Asked], Seen]) -> Read:
    def read_house(facts: AlertFacts, asked: Asked) -> Mapping[Subject, Seen]:
        house = facts.house
        if house.turns is None:
            return {Subject(HOUSE, HOUSE): NOT_KNOWN}
        since = house.at - timedelta(seconds=asked.window_s)
        return {Subject(HOUSE, HOUSE): read(tuple(one for one in house.turns if one.ended_at >= since), asked)}

    return read_house


def _error_rate(turns: tuple[EndedTurn, ...], asked: Asked) -> Seen:
    """A turn that was refused or cancelled is no error. Of too few turns a share says nothing, unless none failed."""
    failed = _failed(turns)
    if failed and len(turns) < asked.least:
        return NOT_KNOWN
    return Seen(failed / len(turns), more={"turns": f"{len(turns):,}"}) if turns else NONE


def _failed_turns(turns: tuple[EndedTurn, ...], _asked: Asked) -> Seen:
    return Seen(_failed(turns))


def _failed(turns: tuple[EndedTurn, ...]) -> int:
    return sum(turn.outcome is TurnOutcome.FAILED for turn in turns)


def _lookup_s(turns: tuple[EndedTurn, ...], _asked: Asked) -> Seen:
    times = [turn.lookup_ms / 1000 for turn in turns if turn.lookup_ms is not None]
    return Seen(max(times)) if times else NONE


def _drift(one: EngineFacts, _facts: AlertFacts, _asked: Asked) -> Seen:
    return NOT_KNOWN if one.drift is None else Seen(one.drift.tokens)


def _quota_used(facts: AlertFacts, _asked: Asked) -> Mapping[Subject, Seen] | None:
    house = facts.house
    if house.tenants is None:
        return None
    return {Subject(one.tenant_id, one.name): _used(one, house.outlooks.get(one.tenant_id)) for one in house.tenants}


def _used(tenant: TenantDay, outlook: Outlook | None) -> Seen:
    if tenant.daily_tokens <= 0:
        return NONE
    return Seen(tenant.used / tenant.daily_tokens, more={"forecast": forecast_words(tenant, outlook)})


def _ttft_of_target(facts: AlertFacts, asked: Asked) -> Mapping[Subject, Seen] | None:
    """Of tenants with a target of their own: the others have the one that is watched at the engines."""
    house = facts.house
    if house.tenants is None:
        return None
    return {Subject(one.tenant_id, one.name): _against_target(one, house, asked) for one in house.tenants}


def _against_target(tenant: TenantDay, house: HouseFacts, asked: Asked) -> Seen:
    """Exact times of its own turns; of fewer than `least` a percentile says nothing."""
    if tenant.ttft_target_ms is None:
        return NONE
    if house.turns is None:
        return NOT_KNOWN
    since = house.at - timedelta(seconds=asked.window_s)
    own = (turn for turn in house.turns if turn.tenant_id == tenant.tenant_id and turn.ended_at >= since)
    times = sorted(turn.ttft_ms for turn in own if turn.ttft_ms is not None)
    if len(times) < asked.least:
        return NOT_KNOWN if times else NONE
    p95 = times[math.ceil(0.95 * len(times)) - 1]
    told = {"ttft": _seconds(p95 / 1000), "target": _seconds(tenant.ttft_target_ms / 1000)}
    return Seen(p95 / tenant.ttft_target_ms, more=told)


def forecast_words(tenant: TenantDay, outlook: Outlook | None) -> str:
    """When the tokens of the day will end, as half a sentence."""
    if tenant.used >= tenant.daily_tokens:
        return "nothing left for today"
    if not isinstance(outlook, Forecast):
        return "too early for a forecast"
    if outlook.ends_at is None:
        return "forecast to last the day"
    return f"forecast to end at {outlook.ends_at.astimezone(ZoneInfo(tenant.timezone)):%H:%M}"


def _disk_free(facts: AlertFacts, _asked: Asked) -> Mapping[Subject, Seen]:
    free = facts.house.disk_free
    return {Subject(HOUSE, HOUSE): NOT_KNOWN if free is None else Seen(free / GIB)}


def _seconds(value: float) -> str:
    return f"{value:.2f} s"


def _plain_seconds(value: float) -> str:
    return f"{value:.0f} s" if value >= 10 else f"{value:.2g} s"


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _gib(value: float) -> str:
    return f"{value:.3g} GiB"


FIGURES: Final[Mapping[str, Figure]] = {
    "ttft_p95": Figure(Scope.ENGINE, _seconds, _of_engines(ttft_p95)),
    "waiting": Figure(Scope.ENGINE, _count, _of_engines(waiting)),
    "running": Figure(Scope.ENGINE, _count, _of_engines(running)),
    "kv_usage": Figure(Scope.ENGINE, _share, _of_engines(kv_usage)),
    "preemptions": Figure(Scope.ENGINE, _count, _of_engines(preemptions)),
    "silent_s": Figure(Scope.ENGINE, _plain_seconds, _of_engines(silent_s)),
    "scrape_age_s": Figure(Scope.ENGINE, _plain_seconds, _of_engines(scrape_age_s), ("reason",)),
    "drift_tokens": Figure(Scope.ENGINE, _count, _of_engines(_drift)),
    "error_rate": Figure(Scope.HOUSE, _share, _of_turns(_error_rate), ("turns",)),
    "failed_turns": Figure(Scope.HOUSE, _count, _of_turns(_failed_turns)),
    "lookup_s": Figure(Scope.HOUSE, _plain_seconds, _of_turns(_lookup_s)),
    "quota_used": Figure(Scope.TENANT, _share, _quota_used, ("forecast",)),
    "ttft_of_target": Figure(Scope.TENANT, _share, _ttft_of_target, ("ttft", "target")),
    "disk_free_gib": Figure(Scope.HOUSE, _gib, _disk_free),
}
