"""Our own metrics in the text format of Prometheus, from what the ledger says. Pure.

No text of a customer is in it: labels are ids and names of tenants, names of engines, and words of ours. Counters begin
at 0 for every tenant and engine that is known, so that the first count is seen as a rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.registry import Collector

from engine_host.answering.unknown_reason import UnknownReason
from engine_host.metrics.exposition_sums import Sums, add_up
from engine_host.metrics.ledger_figures import EDGES_S
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prometheus_client.metrics_core import Metric

    from engine_host.metrics.exposition_sums import Place
    from engine_host.metrics.ledger_figures import LedgerFigures
    from storage.usage_records import Spread

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
OUTCOMES: Final = tuple(one.value for one in TurnOutcome if one is not TurnOutcome.OPEN)
REASONS: Final = tuple(one.name.lower() for one in UnknownReason)
KINDS: Final = ("computed", "cached", "output")


def exposition(figures: LedgerFigures, version: str) -> str:
    """The whole page. `version` is that of this program."""
    return generate_latest(_Page(figures, version)).decode()


class _Page(Collector):
    def __init__(self, figures: LedgerFigures, version: str) -> None:
        self._figures = figures
        self._version = version

    def collect(self) -> Iterable[Metric]:
        sums = add_up(self._figures)
        yield InfoMetricFamily("dabba_build", "This program.", value={"version": self._version})
        yield from _of_tenants(self._figures)
        yield from _counters(sums)
        yield _histogram(
            "dabba_order_lookup_seconds", "Time of the order look-ups of a turn, all together.", sums.lookup
        )
        yield _histogram(
            "dabba_time_to_first_token_seconds",
            "Time from asking the engine to its first token, as this program saw it.",
            sums.ttft,
        )


def _of_tenants(figures: LedgerFigures) -> Iterable[Metric]:
    names = InfoMetricFamily("dabba_tenant", "Names of the tenants.", labels=["tenant"])
    quota = GaugeMetricFamily(
        "dabba_quota_tokens", "Tokens a day, in and out, that a tenant may use.", labels=["tenant"]
    )
    used = GaugeMetricFamily(
        "dabba_quota_used_tokens", "Tokens, in and out, that a tenant used today by its own clock.", labels=["tenant"]
    )
    for tenant, today in zip(figures.tenants, figures.today, strict=True):
        names.add_metric([tenant.tenant_id], {"name": tenant.name})
        quota.add_metric([tenant.tenant_id], tenant.quota.daily_tokens)
        used.add_metric([tenant.tenant_id], today.tokens.prompt + today.tokens.output)
    return (names, quota, used)


def _counters(sums: Sums) -> Iterable[Metric]:
    places = sorted(sums.places)
    yield _counter(
        "dabba_requests", "Questions that ended, by how they ended.", sums.requests, places, "outcome", OUTCOMES
    )
    yield _counter(
        "dabba_tokens", "Tokens as the engine counted them: in computed, in cached, out.", sums.tokens, places,
        "kind", KINDS,
    )  # fmt: skip
    yield _counter("dabba_unknown", 'Answers "I do not know", by reason.', sums.unknown, places, "reason", REASONS)
    yield _counter("dabba_withheld_sentences", "Sentences of the model that were not released.", sums.withheld, places)
    yield _counter(
        "dabba_kv_token_seconds", "KV memory that turns held: tokens times the seconds of prefill and decode.",
        sums.kv, places,
    )  # fmt: skip


def _counter(
    name: str, text: str, counts: Mapping[tuple[str, ...], float], places: Iterable[Place], label: str = "",
    values: tuple[str, ...] = (),
) -> Metric:  # fmt: skip
    family = CounterMetricFamily(name, text, labels=["tenant", "engine", *([label] if label else [])])
    known = {(*place, *further) for place in places for further in ([(one,) for one in values] if label else [()])}
    for labels in sorted({*known, *counts}):
        family.add_metric(labels, counts.get(labels, 0.0))
    return family


def _histogram(name: str, text: str, spreads: Mapping[Place, Spread]) -> Metric:
    family = HistogramMetricFamily(name, text, labels=["tenant", "engine"])
    for place, spread in sorted(spreads.items()):
        if spread.count:
            edges = [str(edge) for edge in EDGES_S]
            buckets = [*zip(edges, map(float, spread.below), strict=True), ("+Inf", float(spread.count))]
            family.add_metric(place, buckets, spread.total)
    return family
