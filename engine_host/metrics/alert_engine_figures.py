"""Figures of one engine, out of its scrapes. Pure.

A gap is not known, and what an engine does not publish is not known either: no alert is made of it. That a window holds
no event is known: nothing in it was wrong.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine_host.metrics.alert_seen import NONE, NOT_KNOWN, Seen
from engine_host.metrics.samples import MetricSample, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED, began_again, histogram_growth, quantile

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.metrics.alert_facts import AlertFacts, EngineFacts
    from engine_host.metrics.alert_seen import Asked
    from engine_host.metrics.samples import Scrape

FRESH_S: Final = 5.0
"""A sample that is older says nothing of this moment."""


def ttft_p95(one: EngineFacts, facts: AlertFacts, asked: Asked) -> Seen:
    """Of the window that ends now; with fewer events than `least` it is not known."""
    newest = _newest(one, facts)
    scrapes = _recent(one.scrapes, facts.mono - asked.window_s)
    if newest is None or newest.ttft is None:
        return _without(one)
    grown = histogram_growth(scrapes, lambda sample: sample.ttft)
    if grown is not None and grown.count <= 0:
        return NONE
    if grown is None or grown.count < asked.least:
        return NOT_KNOWN
    return Seen(quantile(grown, 0.95).value)


def waiting(one: EngineFacts, facts: AlertFacts, _asked: Asked) -> Seen:
    return _gauge(one, facts, lambda sample: sample.waiting)


def running(one: EngineFacts, facts: AlertFacts, _asked: Asked) -> Seen:
    return _gauge(one, facts, lambda sample: sample.running)


def kv_usage(one: EngineFacts, facts: AlertFacts, _asked: Asked) -> Seen:
    return _gauge(one, facts, lambda sample: sample.kv_usage)


def preemptions(one: EngineFacts, facts: AlertFacts, asked: Asked) -> Seen:
    """How many were preempted in the window, across a restart of the engine too."""
    if _newest(one, facts) is None:
        return _without(one)
    recent = [one for one in _recent(one.scrapes, facts.mono - asked.window_s) if isinstance(one, MetricSample)]
    steps = [_grown(before, after) for before, after in pairwise(recent)]
    known = [step for step in steps if step is not None]
    return Seen(sum(known)) if known else NOT_KNOWN


def silent_s(one: EngineFacts, facts: AlertFacts, asked: Asked) -> Seen:
    """For how long requests have been running and not a token came; none running, or a token = no silence.

    A counter that stands still across a gap stood still in it too.
    """
    newest = _newest(one, facts)
    if newest is None or newest.running is None or newest.output_tokens is None:
        return _without(one)
    if newest.running < 1:
        return NONE
    since = newest.mono
    for scrape in reversed(_recent(one.scrapes, facts.mono - asked.window_s)):
        if isinstance(scrape, ScrapeGap):
            continue
        if scrape.output_tokens != newest.output_tokens or not scrape.running:
            break
        since = scrape.mono
    return Seen(newest.mono - since)


def scrape_age_s(one: EngineFacts, facts: AlertFacts, _asked: Asked) -> Seen:
    """How old the last sample is, of an engine whose figures ought to come."""
    if not one.expected or one.asked is None:
        return NONE
    began = one.asked if one.heard is None else max(one.asked, one.heard)
    last = one.scrapes[-1] if one.scrapes else None
    reason = last.reason if isinstance(last, ScrapeGap) and last.reason != ENGINE_CHANGED else ""
    return Seen(facts.mono - began, more={"reason": reason})


def _gauge(one: EngineFacts, facts: AlertFacts, pick: Callable[[MetricSample], float | None]) -> Seen:
    newest = _newest(one, facts)
    value = pick(newest) if newest is not None else None
    return _without(one) if value is None else Seen(value)


def _newest(one: EngineFacts, facts: AlertFacts) -> MetricSample | None:
    """The last scrape, if it brought something and is of this moment."""
    last = one.scrapes[-1] if one.scrapes else None
    return last if isinstance(last, MetricSample) and facts.mono - last.mono <= FRESH_S else None


def _without(one: EngineFacts) -> Seen:
    """No figure: not known, unless there is no engine that could have one."""
    return NOT_KNOWN if one.expected else NONE


def _recent(scrapes: tuple[Scrape, ...], since: float) -> list[Scrape]:
    """The scrapes from `since` on of the engine that is read now, oldest first. Looked for from the end: there may be
    an hour of them."""
    found: list[Scrape] = []
    for scrape in reversed(scrapes):
        if scrape.mono < since or (isinstance(scrape, ScrapeGap) and scrape.reason == ENGINE_CHANGED):
            break
        found.append(scrape)
    return found[::-1]


def _grown(before: MetricSample, after: MetricSample) -> float | None:
    first, last = before.preemptions, after.preemptions
    if first is None or last is None:
        return None
    return last if last < first or began_again(before, after) else last - first
