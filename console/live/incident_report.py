"""An incident report: one HTML file with everything in it, which any browser shows without a network. Pure."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.compare_choice import day_words
from console.live.history_charts import BESIDE, derive_chart, derive_marks
from console.live.history_panels import PANELS
from console.live.history_window import span_words, step_words
from console.live.incident_style import STYLE
from console.live.incident_svg import ink, svg_of
from console.promises import INTER_TOKEN_PROMISE_S, TTFT_PROMISE_S
from engine_host.engine.without_secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime, tzinfo

    from console.live.history_charts import HistoryShown
    from console.live.history_panels import HistoryPanel
    from console.live.incident_reading import IncidentFacts
    from console.widgets.chart_data import Line
    from storage.alert_records import AlertEpisode
    from storage.queries.turn_counts import TurnCount

PROMISES: Final = {"ttft": TTFT_PROMISE_S, "inter_token": INTER_TOKEN_PROMISE_S * 1000}
NOTHING: Final = "\u2013"


def incident_html(facts: IncidentFacts) -> str:
    """Window, panels, alerts, events, turns as numbers, engines, profile and versions."""
    facts = _without_secrets(facts)
    read, zone = facts.read, facts.zone
    window = span_words(read.first, read.last, zone)
    body = (
        f"<h1>Incident report</h1><p class=lead>{escape(window)}, {escape(_whose(facts))}</p>",
        f"<p class=small>{escape(_made(facts))}</p>",
        f"<div class=panels>{''.join(_panels(facts))}</div>",
        _section("Alerts", ("since", "until", "severity", "alert", "said"), _alerts(facts.alerts, zone)),
        _section("Events", ("at", "kind", "what happened"), _events(facts)),
        _section("Turns asked", ("tenant", "outcome", "turns", "withheld", "in", "cached", "out"), _turns(facts.turns)),
        _section("Engines when this was made", ("engine", "state"), facts.engines),
        _section("Profile of a start when this was made", ("option", "value"), facts.profile),
        _section("Versions", ("what", "version"), facts.versions),
    )
    head = f"<meta charset=utf-8><title>Incident report, {escape(window)}</title><style>{STYLE}</style>"
    return f"<!doctype html>\n<html lang=en><head>{head}</head>\n<body>{''.join(body)}</body></html>\n"


def _without_secrets(facts: IncidentFacts) -> IncidentFacts:
    """The events tell what programs said: they stand in the table and at the marks of every panel."""
    events = tuple(replace(event, text=without_secrets(event.text)) for event in facts.read.events)
    return replace(facts, read=replace(facts.read, events=events))


def _whose(facts: IncidentFacts) -> str:
    if facts.read.engine:
        return facts.read.engine
    names = facts.read.engines
    return f"all engines together: {', '.join(names)}" if names else "no engine"


def _made(facts: IncidentFacts) -> str:
    read, zone = facts.read, facts.zone
    told = [f"Made {facts.made_at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}. A point each {step_words(read.slot_s)}."]
    told.append("A hatched span is one that nobody knows; a hole in a line is a figure that nobody told.")
    told.append(f"Dashed red: the SLO, {TTFT_PROMISE_S:.2f} s and {INTER_TOKEN_PROMISE_S * 1000:.0f} ms.")
    if read.beside is not None:
        told.append(f"Dashed grey: {span_words(read.beside.first, read.beside.last, zone)}.")
    return " ".join(told)


def _panels(facts: IncidentFacts) -> Iterator[str]:
    read = facts.read
    marks = derive_marks(read, facts.zone, named=False)
    for panel in PANELS:
        shown = derive_chart(panel, read, facts.zone)
        head = f"<h2>{escape(panel.title)} <span>{escape(panel.unit)}</span></h2>"
        if shown.missing:
            yield f"<figure>{head}<p class=missing>{escape(shown.missing)}</p></figure>"
            continue
        title, promise = f"{panel.title}, {panel.unit}", PROMISES.get(panel.key)
        picture = svg_of(title, shown, (read.first, read.last), read.gaps, marks, facts.zone, promise, panel.top)
        yield f"<figure>{head}{_legend(panel, shown)}{picture}</figure>"


def _legend(panel: HistoryPanel, shown: HistoryShown) -> str:
    entries = (_entry(line, shown) for line in shown.lines if line.key in shown.data)
    return f"<figcaption>{''.join(entries)}<span class=names>{escape(panel.names)}</span></figcaption>"


def _entry(line: Line, shown: HistoryShown) -> str:
    values = shown.data[line.key][1]
    known = values[~np.isnan(values)]
    told = f"mean {known.mean():,.{line.digits}f}, highest {known.max():,.{line.digits}f}" if len(known) else NOTHING
    look = "dashed" if line.key == BESIDE else "plain"
    return f'<span><i class={look} style="border-color:{ink(line)}"></i>{escape(line.name)} <b>{told}</b></span>'


def _alerts(alerts: Iterable[AlertEpisode], zone: tzinfo) -> Iterator[tuple[str, ...]]:
    for one in alerts:
        until = _clock(one.cleared_at, zone) if one.cleared_at else "still firing"
        yield _clock(one.fired_at, zone), until, one.severity, one.title, one.said


def _events(facts: IncidentFacts) -> Iterator[tuple[str, ...]]:
    for event in facts.read.events:
        yield _clock(event.at, facts.zone), event.kind, event.text


def _turns(turns: Iterable[TurnCount]) -> Iterator[tuple[str, ...]]:
    for one in turns:
        numbers = (one.turns, one.withheld, one.prompt, one.cached, one.output)
        yield one.tenant, one.outcome.value.replace("_", " "), *(f"{number:,}" for number in numbers)


def _section(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    if not cells:
        return f"<h2>{escape(title)}</h2><p class=small>None in this time.</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    lines = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<h2>{escape(title)}</h2><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _clock(moment: datetime, zone: tzinfo) -> str:
    local = moment.astimezone(zone)
    return f"{day_words(local.date())} {local:%H:%M:%S}"
