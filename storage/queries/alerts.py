"""Alerts as kept: what fires, what fired, what is muted. An alert that fires is kept once, whoever saw it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, select

from storage.alert_records import AlertEpisode, AlertMute
from storage.models import AlertMuteTable, AlertTable
from storage.queries.rows import existing

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def keep_fired(session: Session, new: AlertEpisode) -> AlertEpisode:
    """Keep an alert that fires; one that fires already, of the same rule and subject, goes on and is returned."""
    firing = select(AlertTable).where(
        AlertTable.rule == new.rule, AlertTable.subject == new.subject, AlertTable.cleared_at.is_(None)
    )
    row = session.scalars(firing.order_by(AlertTable.fired_at).limit(1)).first()
    if row is None:
        row = AlertTable(**{name: getattr(new, name) for name in AlertEpisode.__slots__})
        session.add(row)
        session.flush()
    return _episode(row)


def firing_alerts(session: Session) -> tuple[AlertEpisode, ...]:
    """Oldest first."""
    query = select(AlertTable).where(AlertTable.cleared_at.is_(None))
    return tuple(_episode(row) for row in session.scalars(query.order_by(AlertTable.fired_at, AlertTable.alert_id)))


def cleared_alerts(session: Session, limit: int = 200, since: datetime | None = None) -> tuple[AlertEpisode, ...]:
    """The `limit` that cleared last, at or after `since`, newest first."""
    query = select(AlertTable).where(AlertTable.cleared_at.is_not(None))
    if since is not None:
        query = query.where(AlertTable.cleared_at >= since)
    ordered = query.order_by(AlertTable.cleared_at.desc(), AlertTable.alert_id).limit(limit)
    return tuple(_episode(row) for row in session.scalars(ordered))


def alerts_between(session: Session, first: datetime, last: datetime, limit: int = 1000) -> tuple[AlertEpisode, ...]:
    """What was firing at some moment from `first` to `last`, oldest first."""
    query = select(AlertTable).where(
        AlertTable.fired_at <= last, or_(AlertTable.cleared_at.is_(None), AlertTable.cleared_at >= first)
    )
    ordered = query.order_by(AlertTable.fired_at, AlertTable.alert_id).limit(limit)
    return tuple(_episode(row) for row in session.scalars(ordered))


def tell_of(session: Session, alert_id: str, worst: float | None, said: str) -> None:
    """Keep the newest words about an alert. Raises NoSuchRecord."""
    row = existing(session, AlertTable, alert_id, "alert", lock=True)
    row.worst, row.said = worst, said


def acknowledge(session: Session, alert_id: str, at: datetime) -> AlertEpisode:
    """Somebody has seen it; the first time counts. Raises NoSuchRecord."""
    row = existing(session, AlertTable, alert_id, "alert", lock=True)
    row.acknowledged_at = row.acknowledged_at or at
    session.flush()
    return _episode(row)


def clear(session: Session, alert_id: str, at: datetime, said: str) -> AlertEpisode:
    """It fires no more; the first end counts. Raises NoSuchRecord."""
    row = existing(session, AlertTable, alert_id, "alert", lock=True)
    if row.cleared_at is None:
        row.cleared_at, row.said = at, said
        session.flush()
    return _episode(row)


def mute(session: Session, wanted: AlertMute) -> None:
    """Also changes until when."""
    row = session.get(AlertMuteTable, (wanted.rule, wanted.subject))
    if row is None:
        session.add(AlertMuteTable(rule=wanted.rule, subject=wanted.subject, until=wanted.until))
    else:
        row.until = wanted.until


def unmute(session: Session, rule: str, subject: str) -> None:
    """Of what is not muted: nothing happens."""
    mine = (AlertMuteTable.rule == rule, AlertMuteTable.subject == subject)
    session.execute(delete(AlertMuteTable).where(*mine))


def mutes(session: Session, now: datetime) -> tuple[AlertMute, ...]:
    """Those that hold at `now`."""
    query = select(AlertMuteTable).where(or_(AlertMuteTable.until.is_(None), AlertMuteTable.until > now))
    rows = session.scalars(query.order_by(AlertMuteTable.rule, AlertMuteTable.subject))
    return tuple(AlertMute(row.rule, row.subject, row.until) for row in rows)


def forget_before(session: Session, at: datetime) -> None:
    """Delete what cleared before `at`, and mutes that ended before it."""
    session.execute(delete(AlertTable).where(AlertTable.cleared_at < at))
    session.execute(delete(AlertMuteTable).where(AlertMuteTable.until < at))


def _episode(row: AlertTable) -> AlertEpisode:
    return AlertEpisode(
        alert_id=row.alert_id,
        rule=row.rule,
        subject=row.subject,
        severity=row.severity,
        title=row.title,
        began_at=row.began_at,
        fired_at=row.fired_at,
        worst=row.worst,
        said=row.said,
        acknowledged_at=row.acknowledged_at,
        cleared_at=row.cleared_at,
    )
