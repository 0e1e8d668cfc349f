"""What people see of the alerts this moment. Frozen; made from the book, what is kept, and what is muted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.metrics.alert_figures import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine_host.metrics.alert_book import Standing
    from engine_host.metrics.alert_rules import Page, Severity
    from storage.alert_records import AlertEpisode, AlertMute


@dataclass(frozen=True, slots=True)
class ActiveAlert:
    """One that is pending or firing. `since`: its condition holds from then on. `alert_id` is "" while it is pending.

    `of_engine`: `name` is that of an engine. `known` False: its figures do not come, and it stays as it is.
    `resumed`: it fired before this program started.
    """

    rule: str
    subject: str
    name: str
    severity: Severity
    title: str
    said: str
    do: str
    opens: Page
    since: datetime
    firing: bool
    of_engine: bool = False
    known: bool = True
    alert_id: str = ""
    acknowledged_at: datetime | None = None
    mute: AlertMute | None = None
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class AlertBoard:
    """`active`: firing ones first, errors before warnings, the newest first. `cleared`: those of the last day, the
    newest first. `rules` watch `engines`. `muted` holds for alerts that are not active too. `faults` are sentences;
    `trying` is one about something that failed and is tried again."""

    active: tuple[ActiveAlert, ...] = ()
    cleared: tuple[AlertEpisode, ...] = ()
    rules: int = 0
    engines: int = 1
    muted: tuple[AlertMute, ...] = ()
    faults: tuple[str, ...] = ()
    trying: str = ""

    @property
    def firing(self) -> tuple[ActiveAlert, ...]:
        return tuple(one for one in self.active if one.firing)

    @property
    def pending(self) -> tuple[ActiveAlert, ...]:
        return tuple(one for one in self.active if not one.firing)

    @property
    def calling(self) -> tuple[ActiveAlert, ...]:
        """What fires and nobody has muted."""
        return tuple(one for one in self.firing if one.mute is None)


def mute_of(mutes: Sequence[AlertMute], rule: str, subject: str, now: datetime) -> AlertMute | None:
    """The mute of this alert that holds now."""
    mine = (one for one in mutes if (one.rule, one.subject) == (rule, subject))
    return next((one for one in mine if one.until is None or one.until > now), None)


def derive_active(
    standing: Sequence[Standing],
    mutes: Sequence[AlertMute],
    acknowledged: Mapping[str, datetime],
    resumed: frozenset[str],
    now: datetime,
) -> tuple[ActiveAlert, ...]:
    """`acknowledged` by alert id; `resumed` are ids."""
    active = [
        ActiveAlert(
            rule=one.rule.key,
            subject=one.subject.key,
            name=one.subject.name,
            severity=one.rule.severity,
            title=one.title,
            said=one.said,
            do=one.rule.do,
            opens=one.rule.opens,
            since=one.state.began_at or now,
            firing=one.firing,
            of_engine=one.rule.scope is Scope.ENGINE,
            known=one.known,
            alert_id=one.alert_id,
            acknowledged_at=acknowledged.get(one.alert_id),
            mute=mute_of(mutes, one.rule.key, one.subject.key, now),
            resumed=one.alert_id in resumed,
        )
        for one in standing
    ]
    newest = sorted(active, key=lambda one: one.since, reverse=True)
    return tuple(sorted(newest, key=lambda one: (not one.firing, one.severity != "error")))
