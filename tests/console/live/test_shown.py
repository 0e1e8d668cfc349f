from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC
from typing import Any

import numpy as np
import pytest

from console.live.charts_shown import derive_batch, derive_gaps, derive_kv, derive_marks, derive_tokens, lines_of
from console.live.latency_shown import LEAST_TURNS, derive_latency
from console.live.ledger import NO_LEDGER, LedgerRows, TurnFact, ledger_rows
from console.live.reading import LiveRead
from console.live.tiles_shown import TenantRow, derive_labels, derive_pill, derive_rows, derive_tiles
from console.live.tracks import EngineHistory
from console.live.view import View, edge_words
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.slots import SlotLines
from storage.records import EngineEvent, TurnOutcome
from tests.console.live.house import ANNAPURNA, KAMALA, READY
from tests.console.live.scrapes import START, T0, buckets, gap, sample

VIEW = View(window_s=60.0, span_s=60.0)
FULL = {
    "running": 32.0,
    "waiting": 2.0,
    "kv_usage": 0.72,
    "kv_blocks": 364,
    "block_size": 128,
    "preemptions": 0.0,
}


def reading(*scrapes: Any, now: float | None = None, ledger: LedgerRows = NO_LEDGER, seqs: int | None = 32) -> LiveRead:
    history = EngineHistory()
    for scrape in scrapes:
        history.add(scrape)
    samples = [one for one in scrapes if isinstance(one, MetricSample)]
    newest = samples[-1] if samples else None
    moment = now if now is not None else newest.at.timestamp() if newest else T0
    return LiveRead(moment, READY, history.rows(), newest, seqs, ledger, (KAMALA, ANNAPURNA))


def turns(count: int, *, ended: float = 30.0, tenant: str = "kamala", ttft: float = 0.4) -> tuple[TurnFact, ...]:
    return tuple(
        TurnFact(
            f"{tenant}{n}",
            tenant,
            T0,
            T0 + ended,
            TurnOutcome.ANSWERED,
            700,
            512,
            30,
            ttft + n / 100,
            0.05,
            decode_s=3.0,
        )
        for n in range(count)
    )


def numbers(read: LiveRead, key: str, view: View = VIEW) -> tuple[list[str], str, bool]:
    tile = derive_tiles(read, view)[key]
    return [f"{figure.number} {figure.unit}".strip() for figure in tile.figures], tile.caption, tile.alert


# Tiles


@pytest.mark.parametrize(
    ("figures", "seqs", "shown", "caption"),
    [
        ({"running": 32.0, "waiting": 2.0}, 32, ["32 of 32", "2 waiting"], "the batch is full"),
        ({"running": 8.0, "waiting": 1.0}, 32, ["8 of 32", "1 waiting"], "room in the batch: KV may be short"),
        ({"running": 8.0, "waiting": 1.0}, None, ["8 running", "1 waiting"], "waiting for a place"),
        ({"running": 1.0, "waiting": 0.0}, 32, ["1 of 32", "0 waiting"], "no request waits"),
        ({"running": 0.0, "waiting": 0.0}, 32, ["0 of 32", "0 waiting"], "no request is under way"),
        ({}, 32, ["– of 32", "– waiting"], "not published by this engine"),
        (
            {"running": 0.0, "waiting": 0.0, "sleep": "weights_offloaded"},
            None,
            ["0 running", "0 waiting"],
            "the engine sleeps: weights offloaded",
        ),
        (
            {"running": 0.0, "waiting": 1.0, "waiting_reasons": (("capacity", 0.0), ("deferred", 1.0))},
            32,
            ["0 of 32", "1 waiting"],
            "held back by the engine, not for want of room",
        ),
    ],
)
def test_that_the_batch_says_why_requests_wait(
    figures: dict[str, Any], seqs: int | None, shown: list[str], caption: str
) -> None:
    assert numbers(reading(sample(0, **figures), seqs=seqs), "batch") == (shown, caption, False)


@pytest.mark.parametrize(
    ("figures", "shown", "caption"),
    [
        (FULL, ["72.0 %"], "262 of 364 blocks"),
        (FULL | {"kv_tokens": 46592}, ["72.0 %"], "262 of 364 blocks, room for 46,592 tokens"),
        ({"kv_usage": 0.5}, ["50.0 %"], "the number of blocks is not published"),
        ({}, ["– %"], "not published by this engine"),
    ],
)
def test_that_kv_blocks_are_told_as_far_as_they_are_known(
    figures: dict[str, Any], shown: list[str], caption: str
) -> None:
    assert numbers(reading(sample(0, **figures)), "kv") == (shown, caption, False)


def test_that_the_ttft_of_the_engine_comes_with_the_edges_of_its_bucket() -> None:
    read = reading(sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(1, ttft=buckets(0, 0, 0, 10, 0)))
    assert numbers(read, "ttft") == (["2.42 s"], "SLO 0.80 s, engine 1.0 to 2.5 s", True)


def test_that_the_ttft_of_enough_own_turns_is_exact() -> None:
    scrapes = (sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(40, ttft=buckets(20, 0, 0, 0, 0)))
    read = reading(*scrapes, ledger=ledger_rows(turns(LEAST_TURNS), T0 + 40))
    assert numbers(read, "ttft") == (["0.58 s, own turns"], "SLO 0.80 s, engine 0.0 to 0.1 s", False)
    few = reading(*scrapes, ledger=ledger_rows(turns(LEAST_TURNS - 1), T0 + 40))
    assert numbers(few, "ttft")[0] == ["0.10 s"]


def test_that_a_window_without_requests_has_no_ttft() -> None:
    read = reading(sample(0, ttft=buckets(3, 0, 0, 0, 0)), sample(1, ttft=buckets(3, 0, 0, 0, 0)))
    assert numbers(read, "ttft") == (["– s"], "SLO 0.80 s, no request in the window", False)


def test_that_an_engine_without_histograms_is_not_an_idle_one() -> None:
    read = reading(sample(0), sample(1))
    assert numbers(read, "ttft")[1] == "SLO 0.80 s, engine does not say"
    assert numbers(read, "inter_token")[1] == "SLO 200 ms, engine does not say"


def test_that_inter_token_times_are_in_milliseconds() -> None:
    read = reading(sample(0, inter_token=buckets(0, 0, 0, 0, 0)), sample(1, inter_token=buckets(0, 100, 0, 0, 0)))
    assert numbers(read, "inter_token") == (["480 ms"], "SLO 200 ms, engine 100 to 500 ms", True)


def test_that_token_rates_are_over_the_last_seconds() -> None:
    read = reading(
        sample(0, output_tokens=0.0, prompt_tokens=0.0),
        sample(10, output_tokens=500.0, prompt_tokens=2000.0, running=5.0),
    )
    assert numbers(read, "tokens") == (["50 tok/s"], "10.0 a stream, in 200 tok/s", False)
    assert numbers(reading(sample(0), sample(1)), "tokens") == (["– tok/s"], "not published by this engine", False)


@pytest.mark.parametrize(
    ("queries", "hits", "shown", "caption"),
    [
        (3520.0, 2746.0, ["78.0 %"], "2,746 of 3,520 tokens cached"),
        (0.0, 0.0, ["– %"], "no prompt in the window"),
        (None, None, ["– %"], "not published by this engine"),
    ],
)
def test_that_the_prefix_hit_is_a_share_of_the_windows_prompts(
    queries: float | None, hits: float | None, shown: list[str], caption: str
) -> None:
    first = {"prefix_queries": 0.0, "prefix_hits": 0.0} if queries is not None else {}
    read = reading(sample(0, **first), sample(1, running=1.0, prefix_queries=queries, prefix_hits=hits))
    assert numbers(read, "prefix") == (shown, caption, False)


def test_that_old_samples_are_not_shown_as_now() -> None:
    for key in derive_labels(VIEW):
        assert numbers(reading(sample(0, **FULL), now=T0 + 45), key) == (["–"], "no sample for 45 s", False)
        assert numbers(reading(), key) == (["–"], "no data yet", False)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1.0, 2.5, "1.0 to 2.5 s"),
        (0.0, 0.001, "0.0 to 0.001 s"),
        (80.0, math.inf, "over 80 s"),
        (0.25, 0.5, "0.25 to 0.5 s"),
    ],
)
def test_that_bucket_edges_are_read_as_the_engine_has_them(low: float, high: float, words: str) -> None:
    assert edge_words(low, high) == words


@pytest.mark.parametrize(
    ("state", "text", "kind"),
    [
        (READY, "cpu-demo", "ok"),
        (replace(READY, status=EngineStatus.LOST), "cpu-demo", "error"),
        (EngineState(), "No engine", "neutral"),
    ],
)
def test_that_the_pill_names_the_engine(state: EngineState, text: str, kind: str) -> None:
    pill = derive_pill(state)
    assert (pill.text, pill.kind) == (text, kind)


# Charts


def test_that_the_batch_has_a_limit_only_when_it_is_known() -> None:
    assert derive_batch(reading(sample(0, **FULL)), VIEW).limit == (32, "max-num-seqs 32")
    assert derive_batch(reading(sample(0, **FULL), seqs=None), VIEW).limit is None


def test_that_preemptions_of_the_window_stand_beside_the_batch() -> None:
    read = reading(sample(0, running=1.0, preemptions=3.0), sample(1, running=1.0, preemptions=5.0))
    assert derive_batch(read, VIEW).note == "preempted 2 in 1 min"
    assert derive_batch(reading(sample(0, running=1.0), sample(1, running=1.0)), VIEW).note == ""


def test_that_requests_refused_at_the_door_stand_beside_the_batch() -> None:
    read = reading(sample(0, running=1.0, rejections=3.0), sample(1, running=1.0, rejections=5.0))
    assert derive_batch(read, VIEW).note == "refused 2 in 1 min"
    still = reading(sample(0, running=1.0, rejections=3.0), sample(1, running=1.0, rejections=3.0))
    assert derive_batch(still, VIEW).note == ""


def test_that_a_panel_says_which_series_is_missing() -> None:
    read = reading(sample(0), sample(1))
    assert derive_batch(read, VIEW).missing.startswith("This engine does not publish vllm:num_requests_running.")
    assert "vllm:kv_cache_usage_perc" in derive_kv(read, VIEW).missing
    assert "vllm:time_to_first_token_seconds" in derive_latency(read, VIEW, "ttft").missing
    assert "vllm:inter_token_latency_seconds" in derive_latency(read, VIEW, "inter_token").missing
    assert "vllm:generation_tokens_total" in derive_tokens(read, VIEW, str).missing


def test_that_kv_is_in_blocks_or_in_percent() -> None:
    shown = derive_kv(reading(sample(0, **FULL)), VIEW)
    assert shown.data["used"][1].tolist() == [262.0]
    assert (shown.limit, shown.unit) == ((364, "364 blocks exist"), "blocks of 128 tokens")
    percent = derive_kv(reading(sample(0, kv_usage=0.5)), VIEW)
    assert (percent.data["used"][1].tolist(), percent.unit, percent.limit) == ([50.0], "% of all", None)


def test_that_what_our_turns_fill_and_would_reserve_stands_beside_the_blocks() -> None:
    slots = SlotLines((T0, T0 + 1), (3.5, None), (12.0, 14.0))
    shown = derive_kv(replace(reading(sample(0, **FULL)), slots=slots), VIEW)
    assert shown.data["filled"][1][0] == 3.5
    assert np.isnan(shown.data["filled"][1][1])
    assert shown.data["reserved"][1].tolist() == [12.0, 14.0]
    assert "filled" not in derive_kv(replace(reading(sample(0, kv_usage=0.5)), slots=slots), VIEW).data


def test_that_turns_that_share_beginnings_fill_no_more_than_the_engine_uses() -> None:
    slots = SlotLines((T0,), (9_999.0,), (12_000.0,))
    shown = derive_kv(replace(reading(sample(0, **FULL)), slots=slots), VIEW)
    assert shown.data["filled"][1][0] == pytest.approx(shown.data["used"][1][0], abs=0.5)
    assert shown.data["reserved"][1][0] == 12_000


def test_that_percentiles_say_where_they_come_from() -> None:
    scrapes = (sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(40, ttft=buckets(20, 0, 0, 0, 0)))
    engine = derive_latency(reading(*scrapes), VIEW, "ttft")
    assert (engine.note, engine.unit, engine.scraped) == ("engine 0.0 to 0.1 s", "s, 1 min, by the engine", True)
    assert (engine.data["low"][1][-1], engine.data["high"][1][-1]) == (0.0, 0.1)
    assert engine.data["p95"][1][-1] == pytest.approx(0.095)
    own = derive_latency(reading(*scrapes, ledger=ledger_rows(turns(LEAST_TURNS), T0 + 40)), VIEW, "ttft")
    assert (own.unit, own.note, own.scraped) == ("s, 1 min, own turns", "engine 0.0 to 0.1 s", False)
    assert own.data["p95"][1][-1] == pytest.approx(0.58)
    assert np.isnan(own.data["p95"][1][0])


def test_that_own_turns_are_shown_of_an_engine_that_publishes_no_histogram() -> None:
    read = reading(sample(0), sample(40), ledger=ledger_rows(turns(LEAST_TURNS), T0 + 40))
    assert derive_latency(read, VIEW, "ttft").unit == "s, 1 min, own turns"
    assert derive_latency(read, VIEW, "inter_token").data["p50"][1][-1] == pytest.approx(50.0)


def test_that_tenants_tokens_add_up_to_what_their_turns_wrote() -> None:
    facts = (*turns(2), *turns(1, tenant="annapurna"))
    read = reading(sample(0, output_tokens=0.0), sample(40, output_tokens=90.0), ledger=ledger_rows(facts, T0 + 40))
    shown = derive_tokens(read, VIEW, str)
    assert shown.data["kamala"][1].sum() == pytest.approx(60.0, abs=1.0)
    assert shown.data["annapurna"][1].sum() == pytest.approx(30.0, abs=1.0)
    assert (shown.unit, shown.data["kamala"][0][-1]) == ("tok/s by tenant, settled", T0 + 40)


def test_that_the_stack_ends_where_turns_are_under_way() -> None:
    under_way = TurnFact("open", "kamala", T0 + 20, None, TurnOutcome.OPEN)
    read = reading(sample(40, output_tokens=1.0), ledger=ledger_rows((*turns(1, ended=10), under_way), T0 + 40))
    shown = derive_tokens(read, VIEW, lambda moment: f"+{moment - T0:.0f}")
    assert shown.unit == "tok/s by tenant, settled to +20"
    assert shown.data["kamala"][0][-1] == T0 + 20
    assert shown.data["engine"][0][-1] == T0 + 40


def test_that_lines_are_the_engine_and_then_the_tenants() -> None:
    lines = lines_of((KAMALA, ANNAPURNA))
    assert [(line.key, line.name, line.series) for line in lines] == [
        ("engine", "engine", 0),
        ("kamala", "Kamala", 1),
        ("annapurna", "Annapurna", 2),
    ]


def test_that_gaps_are_where_no_sample_is_and_after_the_last() -> None:
    rows = reading(sample(0, running=1.0), gap(3), sample(6, running=1.0), sample(7, running=1.0)).rows
    assert derive_gaps(rows.times, T0 + 8) == ((T0, T0 + 6),)
    assert derive_gaps(rows.times, T0 + 20) == ((T0, T0 + 6), (T0 + 7, T0 + 20))


def test_that_marks_have_labels_only_where_there_is_room() -> None:
    events = [EngineEvent(START.replace(second=s), "ready", "cpu-demo", "cpu-demo is ready.") for s in (0, 5, 40)]
    marks = derive_marks(events, UTC, named=True, label_s=20.0)
    assert [mark.text for mark in marks] == ["ready", "", "ready"]
    assert marks[1].tip == "07:00:05 cpu-demo is ready."
    assert {mark.text for mark in derive_marks(events, UTC, named=False)} == {""}


# Table


def test_that_every_tenant_has_a_row_with_the_turns_that_ended_in_the_window() -> None:
    facts = (*turns(2), *turns(3, tenant="annapurna", ended=-100.0))
    read = reading(sample(40), ledger=ledger_rows(facts, T0 + 40))
    assert derive_rows(read, VIEW) == (
        TenantRow("kamala", "Kamala Dabba", 1, 2, 1400, 1024, 60, ttft_s=0.4 + 1 / 100),
        TenantRow("annapurna", "Annapurna Rasoi", 2),
    )


def test_that_each_tenants_p95_is_held_against_its_own_slo() -> None:
    facts = (*turns(20, ttft=1.0), *turns(20, tenant="annapurna", ttft=1.0))
    read = reading(sample(40), ledger=ledger_rows(facts, T0 + 40))
    patient = replace(read, tenants=(replace(KAMALA, ttft_target_ms=2000), ANNAPURNA))
    assert [(row.ttft_s, row.slo_s, row.is_late) for row in derive_rows(patient, VIEW)] == [
        (1.18, 2.0, False),
        (1.18, 0.8, True),
    ]


def test_that_a_tenant_of_whom_no_token_was_written_has_no_p95_and_is_not_late() -> None:
    facts = tuple(replace(fact, ttft_s=None) for fact in turns(3))
    (row, _) = derive_rows(reading(sample(40), ledger=ledger_rows(facts, T0 + 40)), VIEW)
    assert (row.requests, row.ttft_s, row.is_late) == (3, None, False)
