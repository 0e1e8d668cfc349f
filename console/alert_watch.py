"""Watches over the house: looks at every alert once a second, keeps what fires, and tells the webhook. No Qt."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from console.alert_reading import AlertReader
from engine_host.metrics.alert_board import AlertBoard, derive_active, mute_of
from engine_host.metrics.alert_book import AlertBook, Cleared
from engine_host.metrics.alert_figures import Scope
from engine_host.metrics.alert_keeping import AlertKeeper
from engine_host.metrics.alert_rules_file import AlertRulesRefused, ready_made, rules_of
from engine_host.metrics.alert_webhook import AlertWebhook, WebhookState, body_of
from engine_host.published import Published
from storage.alert_records import AlertEpisode, AlertMute
from storage.errors import StorageError

if TYPE_CHECKING:
    from console.alert_reading import Engines
    from engine_host.metrics.alert_facts import AlertFacts
    from engine_host.metrics.alert_rules import Rule
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import AlertSettings

EVERY_S: Final = 1.0
SHOWN_FOR: Final = timedelta(days=1)
MOST_SHOWN: Final = 12

log = logging.getLogger(__name__)


class AlertWatch:
    """All methods belong to the loop. `board` is what people see; it changes at most once a second."""

    def __init__(self, home: Home, settings: AlertSettings, database: Database, engines: Engines) -> None:
        self.board: Published[AlertBoard] = Published(AlertBoard())
        rules, self._rules_fault = _rules(home)
        self._book = AlertBook(rules, lambda: uuid.uuid4().hex)
        self._keeper = AlertKeeper(database)
        self._reader = AlertReader(home, database, engines, _turns_s(rules))
        self._webhook = AlertWebhook(settings.webhook_url) if settings.webhook_url else None
        self._cleared: deque[AlertEpisode] = deque(maxlen=MOST_SHOWN)
        self._mutes: tuple[AlertMute, ...] = ()
        self._acknowledged: dict[str, datetime] = {}
        self._resumed: frozenset[str] = frozenset()
        self._engines = 1
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """In the running loop; a second call changes nothing."""
        if self._watching is None:
            if self._webhook is not None:
                self._webhook.start()
            self._watching = asyncio.create_task(self._watch(), name="alert watch")
            self._watching.add_done_callback(self._stopped)

    async def close(self) -> None:
        """What fired is kept before this returns, if the database takes it."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await self._keeper.keep(self._book.standing, all_words=True)
        if self._webhook is not None:
            await self._webhook.close()

    async def open(self) -> None:
        """Go on with what fired when the program ended. Raises StorageError."""
        now = datetime.now(UTC)
        kept = await self._keeper.read(now, now - SHOWN_FOR, MOST_SHOWN)
        self._mutes, self._cleared = kept.mutes, deque(kept.cleared, maxlen=MOST_SHOWN)
        self._resumed = frozenset(one.alert_id for one in kept.firing)
        self._acknowledged = {one.alert_id: one.acknowledged_at for one in kept.firing if one.acknowledged_at}
        for over in self._book.resume(kept.firing, now):
            self._end(over)
        self._publish(now)

    async def look(self, facts: AlertFacts) -> None:
        """Look at every alert once; keep and tell what changed."""
        for change in self._book.take(facts):
            if isinstance(change, Cleared):
                self._end(change)
            else:
                log.info("Alert: %s", change.standing.title)
                self._keeper.fired(change.episode)
            if self._webhook is not None and not self._is_muted(change.episode, facts.at):
                self._webhook.send(body_of(change))
        self._engines = sum(bool(one.name) for one in facts.engines)
        await self._keeper.keep(self._book.standing)
        self._publish(facts.at)

    async def acknowledge(self, alert_id: str) -> None:
        """Somebody has seen it. Raises StorageError."""
        kept = await self._keeper.acknowledge(alert_id, datetime.now(UTC))
        if kept.acknowledged_at is not None:
            self._acknowledged[alert_id] = kept.acknowledged_at
        self._publish(datetime.now(UTC))

    async def mute(self, rule: str, subject: str, lasts: timedelta | None) -> None:
        """Tell nobody of this alert for so long, None = for good. It is still watched. Raises StorageError."""
        now = datetime.now(UTC)
        wanted = AlertMute(rule, subject, None if lasts is None else now + lasts)
        self._mutes = await self._keeper.mute(wanted, now)
        self._publish(now)

    async def unmute(self, rule: str, subject: str) -> None:
        """Raises StorageError."""
        now = datetime.now(UTC)
        self._mutes = await self._keeper.unmute(rule, subject, now)
        self._publish(now)

    async def history(self) -> tuple[AlertEpisode, ...]:
        """The alerts that cleared last, of whatever day. Raises StorageError."""
        return await self._keeper.history()

    async def _watch(self) -> None:
        await self._open_when_it_can()
        while True:
            await self.look(await self._reader.read())
            await asyncio.sleep(EVERY_S)

    async def _open_when_it_can(self) -> None:
        """Nothing is judged before it is known what fires already: else it would be told twice."""
        while True:
            try:
                await self.open()
            except StorageError as error:
                self._keeper.fault = f"What fired before can't be read: {error}"
                self._publish(datetime.now(UTC))
                await asyncio.sleep(EVERY_S)
            else:
                return

    def _stopped(self, watching: asyncio.Task[None]) -> None:
        """Alerts that nobody watches any more must not look as if nothing fired."""
        error = None if watching.cancelled() else watching.exception()
        if error is not None:
            self._keeper.fault = "Alerts are not watched any more: the program has a fault. Start the console again."
            self._publish(datetime.now(UTC))
            what = {"message": "alert watch", "exception": error, "task": watching}
            asyncio.get_running_loop().call_exception_handler(what)

    def _end(self, over: Cleared) -> None:
        log.info("Alert over: %s", over.episode.title)
        acknowledged_at = self._acknowledged.pop(over.episode.alert_id, None)
        self._cleared.appendleft(replace(over.episode, acknowledged_at=acknowledged_at))
        self._keeper.cleared(over.episode)

    def _is_muted(self, episode: AlertEpisode, now: datetime) -> bool:
        return mute_of(self._mutes, episode.rule, episode.subject, now) is not None

    def _publish(self, now: datetime) -> None:
        webhook = self._webhook.state.value if self._webhook is not None else WebhookState()
        faults = (self._rules_fault, self._keeper.fault, "" if webhook.trying else webhook.fault)
        board = AlertBoard(
            active=derive_active(self._book.standing, self._mutes, self._acknowledged, self._resumed, now),
            cleared=tuple(one for one in self._cleared if one.cleared_at and one.cleared_at >= now - SHOWN_FOR),
            rules=len(self._book.rules),
            engines=self._engines,
            muted=tuple(one for one in self._mutes if one.until is None or one.until > now),
            faults=tuple(fault for fault in faults if fault),
            trying=webhook.fault if webhook.trying else "",
        )
        self.board.publish(board)


def _rules(home: Home) -> tuple[tuple[Rule, ...], str]:
    """The alerts of the home, or, when its file is not right, the ready-made ones and a sentence that says so."""
    try:
        return rules_of(home), ""
    except AlertRulesRefused as error:
        return ready_made(), f"{error} Until then the ready-made alerts watch."


def _turns_s(rules: tuple[Rule, ...]) -> float:
    """How far back turns are needed."""
    return max(
        (one.window_s for rule in rules if rule.scope is not Scope.ENGINE for one in rule.when.values()), default=60.0
    )
