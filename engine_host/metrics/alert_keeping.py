"""Keeps alerts in the database. What cannot be kept now waits, in its order, and is tried again at the next look."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from storage.errors import StorageError
from storage.queries import alerts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from engine_host.metrics.alert_book import Standing
    from storage.alert_records import AlertEpisode, AlertMute
    from storage.database import Database

KEPT_FOR: Final = timedelta(days=90)
WORDS_EVERY: Final = 15
"""Looks between two writings of how an alert stands: a crash loses no more than that of its worst value."""


@dataclass(frozen=True, slots=True)
class Kept:
    firing: tuple[AlertEpisode, ...]
    cleared: tuple[AlertEpisode, ...]
    mutes: tuple[AlertMute, ...]


class AlertKeeper:
    """`fault` is a sentence while the database does not take what fired."""

    def __init__(self, database: Database) -> None:
        self.fault = ""
        self._database = database
        self._waiting: deque[AlertEpisode] = deque()
        self._ids: dict[str, str] = {}
        self._words: dict[str, tuple[float | None, str]] = {}
        self._looks = 0

    async def read(self, now: datetime, since: datetime, limit: int) -> Kept:
        """What is over for KEPT_FOR is forgotten. Raises StorageError."""

        def read(session: Session) -> Kept:
            alerts.forget_before(session, now - KEPT_FOR)
            return Kept(
                alerts.firing_alerts(session),
                alerts.cleared_alerts(session, limit, since),
                alerts.mutes(session, now),
            )

        kept = await self._database.run(read)
        self.fault = ""
        return kept

    def fired(self, episode: AlertEpisode) -> None:
        self._waiting.append(episode)

    def cleared(self, episode: AlertEpisode) -> None:
        self._waiting.append(episode)

    async def keep(self, standing: Sequence[Standing], *, all_words: bool = False) -> None:
        """Write what waits, and now and then how what fires stands."""
        self._looks += 1
        words = self._changed(standing) if all_words or self._looks % WORDS_EVERY == 0 else {}
        waiting = tuple(self._waiting)
        if not waiting and not words:
            return
        try:
            ids = await self._database.run(lambda session: self._write(session, waiting, words))
        except StorageError as error:
            self.fault = f"Alerts are not kept: {error}"
            return
        self.fault = ""
        self._ids |= ids
        self._words |= words
        for _ in waiting:
            self._waiting.popleft()

    async def acknowledge(self, alert_id: str, at: datetime) -> AlertEpisode:
        """Raises StorageError."""
        await self.keep(())
        kept = self._ids.get(alert_id, alert_id)
        return await self._database.run(lambda session: alerts.acknowledge(session, kept, at))

    async def mute(self, wanted: AlertMute, now: datetime) -> tuple[AlertMute, ...]:
        """All mutes that hold then. Raises StorageError."""

        def change(session: Session) -> tuple[AlertMute, ...]:
            alerts.mute(session, wanted)
            session.flush()
            return alerts.mutes(session, now)

        return await self._database.run(change)

    async def unmute(self, rule: str, subject: str, now: datetime) -> tuple[AlertMute, ...]:
        """All mutes that hold then. Raises StorageError."""

        def change(session: Session) -> tuple[AlertMute, ...]:
            alerts.unmute(session, rule, subject)
            return alerts.mutes(session, now)

        return await self._database.run(change)

    async def history(self) -> tuple[AlertEpisode, ...]:
        """Raises StorageError."""
        return await self._database.run(alerts.cleared_alerts)

    def _changed(self, standing: Sequence[Standing]) -> dict[str, tuple[float | None, str]]:
        """Worst value and words of what fires, by alert id, where they are not those that were written last."""
        now = {one.alert_id: (one.state.worst, one.said) for one in standing if one.firing}
        return {alert_id: told for alert_id, told in now.items() if self._words.get(alert_id) != told}

    def _write(
        self, session: Session, waiting: Sequence[AlertEpisode], words: dict[str, tuple[float | None, str]]
    ) -> dict[str, str]:
        """Another console may have kept the same alert first: then ours goes by its name. Gives ids by ours."""
        ids = dict(self._ids)
        for episode in waiting:
            if episode.cleared_at is None:
                ids[episode.alert_id] = alerts.keep_fired(session, episode).alert_id
            else:
                kept = ids.get(episode.alert_id, episode.alert_id)
                alerts.tell_of(session, kept, episode.worst, episode.said)
                alerts.clear(session, kept, episode.cleared_at, episode.said)
        for alert_id, (worst, said) in words.items():
            alerts.tell_of(session, ids.get(alert_id, alert_id), worst, said)
        return ids
