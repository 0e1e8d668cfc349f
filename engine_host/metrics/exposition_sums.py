"""The ledger's figures added up under the labels of our metrics: a tenant's id and an engine's name. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine_host.answering.unknown_reason import is_unknown
from storage.usage_records import Spread

if TYPE_CHECKING:
    from engine_host.metrics.ledger_figures import LedgerFigures
    from storage.records import TokenUse, TurnOutcome

NO_ENGINE: Final = "none"
"""Of turns for which there was no engine at all."""
UNNAMED: Final = "unnamed"
"""Of engine runs that were kept before their names were."""
NOT_KEPT: Final = "not_kept"
"""The reason of turns that were kept before reasons were."""

Place = tuple[str, str]
"""A tenant's id and an engine's name."""


def _counts() -> defaultdict[tuple[str, ...], float]:
    return defaultdict(float)


@dataclass
class Sums:
    """Counts by their labels, in the order tenant, engine, further one."""

    places: set[Place] = field(default_factory=set[Place])
    requests: defaultdict[tuple[str, ...], float] = field(default_factory=_counts)
    tokens: defaultdict[tuple[str, ...], float] = field(default_factory=_counts)
    unknown: defaultdict[tuple[str, ...], float] = field(default_factory=_counts)
    withheld: defaultdict[tuple[str, ...], float] = field(default_factory=_counts)
    kv: defaultdict[tuple[str, ...], float] = field(default_factory=_counts)
    lookup: dict[Place, Spread] = field(default_factory=dict[Place, Spread])
    ttft: dict[Place, Spread] = field(default_factory=dict[Place, Spread])


def add_up(figures: LedgerFigures) -> Sums:
    sums = Sums()
    engines = {NO_ENGINE, *figures.engines.values()}
    sums.places = {(tenant.tenant_id, engine) for tenant in figures.tenants for engine in engines}
    for one in figures.totals:
        place = (one.tenant_id, _name(figures, one.engine_run))
        sums.places.add(place)
        sums.requests[(*place, one.outcome.value)] += one.turns
        sums.withheld[place] += one.withheld
        sums.kv[place] += one.kv_token_seconds
        _add_tokens(sums, place, one.tokens, 1)
        if reason := _reason(one.outcome, one.unknown):
            sums.unknown[(*place, reason)] += one.turns
        sums.lookup[place] = sums.lookup[place] + one.lookup if place in sums.lookup else one.lookup
        sums.ttft[place] = sums.ttft[place] + one.ttft if place in sums.ttft else one.ttft
    for share in figures.shares:
        helper = (share.tenant_id, _name(figures, share.helper))
        sums.places.add(helper)
        _add_tokens(sums, (share.tenant_id, _name(figures, share.engine_run)), share.tokens, -1)
        _add_tokens(sums, helper, share.tokens, 1)
    return sums


def _name(figures: LedgerFigures, engine_run: str | None) -> str:
    return NO_ENGINE if engine_run is None else figures.engines.get(engine_run, UNNAMED)


def _reason(outcome: TurnOutcome, kept: str | None) -> str:
    """ "" for a turn that knew, or that broke off without a word."""
    if kept is None:
        return NOT_KEPT if is_unknown(outcome) else ""
    return kept


def _add_tokens(sums: Sums, place: Place, tokens: TokenUse, sign: int) -> None:
    for kind, count in (
        ("computed", tokens.prompt - tokens.cached), ("cached", tokens.cached), ("output", tokens.output),
    ):  # fmt: skip
        sums.tokens[(*place, kind)] += sign * count
