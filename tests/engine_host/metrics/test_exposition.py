"""Our own page of metrics, read back by Prometheus' own parser."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from engine_host.http import loopback_client
from engine_host.metrics.exposition import exposition
from engine_host.metrics.ledger_figures import LedgerCounts
from engine_host.metrics.ledger_page import LedgerPage
from engine_host.metrics.serving import MetricsPortTaken, MetricsServer
from storage.database import Database
from storage.paths import Home
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome
from tests.engine_host.metrics.ledger import NOW, SECRET, TIMES, day_of_work, furnish, turn

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from prometheus_client.metrics_core import Metric

DASHBOARD = Path(__file__).parents[3] / "docs" / "grafana" / "dabba-usage.json"
PAGE = Path(__file__).parents[3] / "docs" / "prometheus.md"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(Home(tmp_path / "home").make())
    yield database
    await database.close()


async def page_of(database: Database, after: timedelta = timedelta()) -> str:
    return exposition(await LedgerCounts(database, lambda: NOW + after).read(), "1.2.3")


def families(page: str) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(page)}


def values(page: str, sample: str, *labels: str) -> dict[tuple[str, ...], float]:
    """What is not 0, by the values of `labels`."""
    found = [one for family in families(page).values() for one in family.samples if one.name == sample]
    return {tuple(one.labels[label] for label in labels): one.value for one in found if one.value}


async def test_that_every_figure_is_named_explained_and_typed(database: Database) -> None:
    await database.run(day_of_work)
    found = families(await page_of(database))
    assert {name: family.type for name, family in found.items()} == {
        "dabba_build_info": "gauge",
        "dabba_tenant_info": "gauge",
        "dabba_quota_tokens": "gauge",
        "dabba_quota_used_tokens": "gauge",
        "dabba_requests": "counter",
        "dabba_tokens": "counter",
        "dabba_unknown": "counter",
        "dabba_withheld_sentences": "counter",
        "dabba_kv_token_seconds": "counter",
        "dabba_order_lookup_seconds": "histogram",
        "dabba_time_to_first_token_seconds": "histogram",
    }
    assert all(family.documentation for family in found.values())


async def test_that_requests_tokens_reasons_and_withheld_sentences_stand_under_their_labels(database: Database) -> None:
    await database.run(day_of_work)
    page = await page_of(database)
    assert values(page, "dabba_requests_total", "tenant", "engine", "outcome") == {
        ("kamala", "cpu-demo", "answered"): 2,
        ("kamala", "cpu-demo", "does_not_know"): 1,
        ("kamala", "none", "refused"): 1,
        ("kamala", "10.0.0.5:8000", "answered"): 1,
        ("meridian", "10.0.0.5:8000", "answered"): 1,
    }
    assert values(page, "dabba_tokens_total", "tenant", "engine", "kind") == {
        ("kamala", "cpu-demo", "computed"): 40 + 40 + 10 + 40,
        ("kamala", "cpu-demo", "cached"): 120,
        ("kamala", "cpu-demo", "output"): 20 + 20 + 1 + 12,
        ("kamala", "10.0.0.5:8000", "computed"): 60,
        ("kamala", "10.0.0.5:8000", "output"): 18,
        ("meridian", "10.0.0.5:8000", "computed"): 40,
        ("meridian", "10.0.0.5:8000", "cached"): 60,
        ("meridian", "10.0.0.5:8000", "output"): 20,
    }
    assert values(page, "dabba_unknown_total", "engine", "reason") == {("cpu-demo", "no_passage"): 1}
    assert values(page, "dabba_withheld_sentences_total", "tenant") == {("kamala",): 2}
    assert values(page, "dabba_quota_used_tokens", "tenant") == {("kamala",): 120 + 11 + 130, ("meridian",): 120}
    assert values(page, "dabba_tenant_info", "name") == {('Kamala "Dabba"',): 1, ("Meridian",): 1}


async def test_that_durations_stand_in_rising_buckets_that_end_with_their_count(database: Database) -> None:
    await database.run(day_of_work)
    page = await page_of(database)
    name = "dabba_time_to_first_token_seconds"
    buckets = [one for one in families(page)[name].samples if one.name.endswith("_bucket")]
    kamala = [one.value for one in buckets if one.labels["tenant"] == "kamala" and one.labels["engine"] == "cpu-demo"]
    assert kamala == [0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3]
    assert values(page, f"{name}_count", "tenant", "engine")[("kamala", "cpu-demo")] == 3
    assert values(page, f"{name}_sum", "tenant", "engine")[("kamala", "cpu-demo")] == pytest.approx(2.1)
    assert ("meridian", "10.0.0.5:8000") not in values(page, "dabba_order_lookup_seconds_count", "tenant", "engine")


async def test_that_no_text_of_a_customer_is_on_the_page(database: Database) -> None:
    await database.run(day_of_work)
    assert SECRET not in await page_of(database)


async def test_that_counters_of_a_new_tenant_begin_at_zero(database: Database) -> None:
    await database.run(furnish)
    (requests,) = [family for name, family in families(await page_of(database)).items() if name == "dabba_requests"]
    begun = {(one.labels["tenant"], one.labels["engine"], one.labels["outcome"]) for one in requests.samples}
    assert ("meridian", "none", "refused") in begun
    assert {one.value for one in requests.samples} == {0}


async def test_that_no_counter_falls_while_days_go_by_and_turns_end(database: Database) -> None:
    await database.run(day_of_work)
    counts = LedgerCounts(database, lambda: NOW + after)
    page, before = "", dict[tuple[str, frozenset[tuple[str, str]]], float]()
    for day in range(9):
        after = timedelta(days=day)
        await database.run(lambda s, day=day: turn(s, f"t{day}", "r1", back=timedelta(days=-day)))
        page = exposition(await counts.read(), "1.2.3")
        assert page == await page_of(database, after)
        now = {
            (one.name, frozenset(one.labels.items())): one.value
            for family in families(page).values()
            if family.type in ("counter", "histogram")
            for one in family.samples
        }
        assert all(now[key] >= value for key, value in before.items())
        before = now
    assert values(page, "dabba_requests_total", "engine", "outcome")[("cpu-demo", "answered")] == 2 + 9


async def test_that_a_turn_counts_once_it_has_ended(database: Database) -> None:
    await database.run(furnish)
    await database.run(lambda s: open_turn(s, NewTurn("x", "kamala", "kamala", None, "", "q", NOW, "r1")))
    assert values(await page_of(database), "dabba_requests_total", "engine") == {}
    ending = SettledTurn("x", TurnOutcome.ANSWERED, "en", "a", TokenUse(5, 0, 1), TIMES)
    await database.run(lambda s: settle_turn(s, ending))
    assert values(await page_of(database), "dabba_requests_total", "engine") == {("cpu-demo",): 1}


async def test_that_the_dashboard_asks_only_for_what_the_page_has(database: Database) -> None:
    await database.run(day_of_work)
    samples = [one for family in families(await page_of(database)).values() for one in family.samples]
    labels: dict[str, set[str]] = {}
    for one in samples:
        labels.setdefault(one.name, set()).update(one.labels)
    asked = list(_expressions(json.loads(DASHBOARD.read_text(encoding="utf-8"))))
    assert len(asked) > 10
    for expression in asked:
        names = re.findall(r"dabba_\w+", expression)
        assert names, expression
        for name in names:
            assert name in labels, f"{name} of {expression!r} is not on the page"
        known = set[str]().union(*(labels[name] for name in names))
        by = re.findall(r"by \(([^)]*)\)", expression)
        used = {label.strip() for group in by for label in group.split(",")} | set(
            re.findall(r"(\w+)=~?\"", expression)
        )
        assert used <= known, f"{used - known} of {expression!r} is no label of {names}"


def _expressions(node: Any) -> list[str]:
    """Queries of panels and variables, wherever they stand."""
    if isinstance(node, dict):
        own = [value for key, value in node.items() if key in ("expr", "query") and isinstance(value, str)]
        queries = [one for one in own if one != "prometheus"]
        return queries + [found for value in node.values() for found in _expressions(value)]
    return [found for value in node for found in _expressions(value)] if isinstance(node, list) else []


async def test_that_the_page_of_the_documentation_names_every_series(database: Database) -> None:
    await database.run(day_of_work)
    told = PAGE.read_text(encoding="utf-8")
    for name, family in families(await page_of(database)).items():
        assert f"`{name}{'_total' if family.type == 'counter' else ''}`" in told


async def test_that_the_page_is_offered_on_this_machine_until_it_is_closed(database: Database) -> None:
    await database.run(day_of_work)
    server = MetricsServer(LedgerPage(database, "1.2.3").read)
    address = await server.start(0)
    assert address.startswith("http://127.0.0.1:")
    async with loopback_client() as client:
        answer = await client.get(address)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
        assert "dabba_requests" in families(answer.text)
        assert (await client.get(address, headers={"host": "evil.example"})).status_code == 400
        assert (await client.get(address.replace("/metrics", "/"))).status_code == 404
        await server.close()
        with pytest.raises(httpx.ConnectError):
            await client.get(address)
    await server.close()


async def test_that_a_port_in_use_is_told_with_what_to_do(database: Database) -> None:
    first, second = (MetricsServer(LedgerPage(database, "1").read) for _ in range(2))
    port = int((await first.start(0)).rsplit(":", 1)[1].split("/")[0])
    with pytest.raises(MetricsPortTaken, match=r"port \d+ of this machine: .*Name another port in Settings"):
        await second.start(port)
    await first.close()
    await second.close()


async def test_that_a_database_that_fails_is_told_as_unavailable(tmp_path: Path) -> None:
    database = await Database.open(Home(tmp_path / "home").make())
    server = MetricsServer(LedgerPage(database, "1").read)
    address = await server.start(0)
    await database.close()
    async with loopback_client() as client:
        answer = await client.get(address)
    await server.close()
    assert answer.status_code == 503
