"""All alerts and where each of them stands. Fed with facts; says what fired and what cleared. No I/O."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine_host.metrics.alert_figures import Subject
from engine_host.metrics.alert_judging import QUIET, AlertState, Phase, Verdict, judge, look, step
from engine_host.metrics.alert_words import (
    GONE,
    SWITCHED_OFF,
    cleared_words,
    firing_words,
    title_of,
    unknown_words,
)
from storage.alert_records import AlertEpisode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from engine_host.metrics.alert_facts import AlertFacts
    from engine_host.metrics.alert_rules import Rule
    from engine_host.metrics.alert_seen import Seen

Key = tuple[str, str]
"""Rule and subject."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An alert that is pending or firing. `alert_id` and `fired_at` are there from when it fires."""

    rule: Rule
    subject: Subject
    title: str
    state: AlertState
    said: str
    known: bool = True
    alert_id: str = ""
    fired_at: datetime | None = None

    @property
    def firing(self) -> bool:
        return self.state.phase is Phase.FIRING

    @property
    def episode(self) -> AlertEpisode:
        """As it is kept. Only of one that fires."""
        if self.state.began_at is None or self.fired_at is None:
            raise ValueError("an alert that does not fire is not kept")
        return AlertEpisode(
            alert_id=self.alert_id,
            rule=self.rule.key,
            subject=self.subject.key,
            severity=self.rule.severity,
            title=self.title,
            began_at=self.state.began_at,
            fired_at=self.fired_at,
            worst=self.state.worst,
            said=self.said,
        )


@dataclass(frozen=True, slots=True)
class Fired:
    standing: Standing

    @property
    def episode(self) -> AlertEpisode:
        return self.standing.episode


@dataclass(frozen=True, slots=True)
class Cleared:
    """`episode` as it ended. `standing` is the last of it, None when its rule is gone."""

    episode: AlertEpisode
    standing: Standing | None


Change = Fired | Cleared


class AlertBook:
    """`new_id` names an alert that fires."""

    def __init__(self, rules: Sequence[Rule], new_id: Callable[[], str]) -> None:
        self.rules = tuple(rule for rule in rules if rule.on)
        self._new_id = new_id
        self._standing: dict[Key, Standing] = {}

    @property
    def standing(self) -> tuple[Standing, ...]:
        """In the order in which they began."""
        return tuple(self._standing.values())

    def resume(self, episodes: Iterable[AlertEpisode], at: datetime) -> tuple[Cleared, ...]:
        """Go on with what fired when the program ended. Gives back what is over, its rule being gone or off."""
        rules, over = {rule.key: rule for rule in self.rules}, list[Cleared]()
        for episode in episodes:
            rule = rules.get(episode.rule)
            if rule is None:
                over.append(Cleared(replace(episode, cleared_at=at, said=SWITCHED_OFF), None))
                continue
            state = AlertState(Phase.FIRING, episode.began_at, episode.worst)
            # Its own name is known as soon as its figures come.
            subject = Subject(episode.subject, "")
            self._standing[rule.key, episode.subject] = Standing(
                rule, subject, episode.title, state, episode.said, alert_id=episode.alert_id, fired_at=episode.fired_at
            )
        return tuple(over)

    def take(self, facts: AlertFacts) -> tuple[Change, ...]:
        """One more look at everything; what changed by it, in order."""
        changes: list[Change] = []
        for rule in self.rules:
            told = look(rule, facts)
            seen = {} if told is None else {subject.key: (subject, figures) for subject, figures in told.items()}
            changes += self._take_rule(rule, seen, facts, sure=told is not None)
        return tuple(changes)

    def _take_rule(
        self, rule: Rule, seen: Mapping[str, tuple[Subject, Mapping[str, Seen]]], facts: AlertFacts, *, sure: bool
    ) -> list[Change]:
        changes: list[Change] = []
        known = [key for owner, key in self._standing if owner == rule.key]
        for key in (*seen, *(one for one in known if one not in seen)):
            old = self._standing.get((rule.key, key))
            if key in seen:
                subject, figures = seen[key]
                change = self._one(rule, subject, figures, old, facts)
            elif old is not None:
                change = self._without_figures(old, facts, gone=sure)
            else:
                continue
            changes += [change] if change is not None else []
        return changes

    def _one(
        self, rule: Rule, subject: Subject, figures: Mapping[str, Seen], old: Standing | None, facts: AlertFacts
    ) -> Change | None:
        state = old.state if old else QUIET
        verdict = judge(rule, figures, firing=state.phase is Phase.FIRING)
        value = figures[rule.first].value
        new = step(rule, state, verdict, value, facts)
        if new.phase is Phase.INACTIVE:
            words = cleared_words(rule, subject.name, figures, state.worst)
            return self._end(old, facts.at, words) if old else None
        said = firing_words(rule, subject.name, figures, new.worst)
        if verdict is Verdict.UNKNOWN:
            said = unknown_words(rule, new.worst)
        title = old.title if old and old.firing else title_of(rule, subject.name)
        made = Standing(rule, subject, title, new, said, verdict is not Verdict.UNKNOWN)
        if old is not None and old.firing:
            self._standing[rule.key, subject.key] = replace(made, alert_id=old.alert_id, fired_at=old.fired_at)
            return None
        if made.firing:
            made = replace(made, alert_id=self._new_id(), fired_at=facts.at)
        self._standing[rule.key, subject.key] = made
        return Fired(made) if made.firing else None

    def _without_figures(self, old: Standing, facts: AlertFacts, *, gone: bool) -> Change | None:
        """Its subject is gone, or nobody knows which subjects there are: then it stays as it is."""
        if gone:
            return self._end(old, facts.at, GONE)
        state = step(old.rule, old.state, Verdict.UNKNOWN, None, facts)
        said = unknown_words(old.rule, state.worst)
        self._standing[old.rule.key, old.subject.key] = replace(old, state=state, said=said, known=False)
        return None

    def _end(self, old: Standing, at: datetime, words: str) -> Cleared | None:
        del self._standing[old.rule.key, old.subject.key]
        return Cleared(replace(old.episode, cleared_at=at, said=words), old) if old.firing else None
