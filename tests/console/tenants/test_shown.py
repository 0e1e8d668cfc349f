from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from console.tenants.amounts import amount_text
from console.tenants.bars_shown import derive_bars, derive_limit, derive_quota_words
from console.tenants.export import HEADS, ExportFailed, derive_csv, write_csv
from console.tenants.ledger_shown import CounterRow, derive_ledger
from console.tenants.period import days_of, truth_of
from console.tenants.reading import Checked, EngineCheck, UsageRead
from console.tenants.usage_shown import (
    UsageRow,
    derive_rows,
    derive_total,
    quota_color,
    quota_text,
    share_text,
)
from engine_host.answering.reconcile import Comparison
from storage.records import EngineRunTotals, TokenUse, UsageDay
from tests.console.tenants.house import KAMALA, MERIDIAN
from tests.console.tenants.made import NOW, TODAY, ZONE, day, usage

if TYPE_CHECKING:
    from pathlib import Path


def row(used: int, quota: int) -> UsageRow:
    return UsageRow("kamala", "Kamala", "", 1, 0, 0, 0, 0, 0, 0, 0, used, quota)


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("today", TODAY, TODAY),
        ("yesterday", date(2026, 11, 29), date(2026, 11, 29)),
        ("7", date(2026, 11, 24), TODAY),
        ("30", date(2026, 11, 1), TODAY),
    ],
)
def test_that_a_period_is_its_days(period: str, first: date, last: date) -> None:
    assert days_of(period, TODAY) == (first, last)


@pytest.mark.parametrize(
    ("period", "words"),
    [
        ("today", "Monday 30 November 2026, 00:00 to 12:44 IST"),
        ("yesterday", "Sunday 29 November 2026"),
        ("14", "17 to 30 November 2026, until 12:44 IST"),
    ],
)
def test_that_the_header_says_of_when_the_figures_are(period: str, words: str) -> None:
    assert truth_of(period, NOW, ZONE) == words


def test_that_a_period_over_two_months_names_both() -> None:
    early = datetime(2026, 11, 6, 7, 14, tzinfo=UTC)
    assert truth_of("14", early, ZONE) == "24 October to 6 November 2026, until 12:44 IST"


def test_that_tokens_in_are_parted_into_computed_and_cached() -> None:
    kamala, meridian = derive_rows(usage(day("kamala", 0, 1000, 700, 50)), "today")
    assert (kamala.computed, kamala.cached, kamala.output, kamala.used_today) == (300, 700, 50, 1050)
    assert (kamala.refused, kamala.failed, kamala.cancelled) == (1, 2, 3)
    assert (meridian.requests, meridian.used_today, meridian.quota) == (0, 0, 8_000_000)


def test_that_the_quota_is_that_of_today_whatever_the_period() -> None:
    read = usage(day("kamala", 0, 10), day("kamala", 1, 500), day("kamala", 9, 7000))
    assert derive_rows(read, "7")[0].computed == 510
    assert {derive_rows(read, period)[0].used_today for period in ("today", "yesterday", "7")} == {10}


def test_that_a_tenants_day_is_its_own() -> None:
    auckland = UsageDay("kiwi", date(2026, 12, 1), 1, tokens=TokenUse(90, 0, 0))
    kiwi = KAMALA.__class__("kiwi", "Kiwi", "", 2, "Pacific/Auckland", "KW", KAMALA.quota, "")
    late = UsageRead(datetime(2026, 11, 30, 12, 0, tzinfo=UTC), (kiwi,), (auckland,))
    assert derive_rows(late, "today")[0].used_today == 90


def test_that_totals_are_the_sums_of_the_rows() -> None:
    total = derive_total(derive_rows(usage(day("kamala", 0, 1000, 700, 50), day("meridian", 0, 100, 0, 5)), "today"))
    assert (total.name, total.requests, total.computed, total.cached, total.output) == ("All tenants", 2, 400, 700, 55)
    assert (total.used_today, total.quota, total.failed) == (1155, 28_000_000, 4)


@pytest.mark.parametrize(
    ("amount", "words"), [(0, "0"), (99_999, "99,999"), (100_000, "0.10 M"), (8_330_000, "8.33 M")]
)
def test_that_amounts_are_exact_until_they_are_large(amount: int, words: str) -> None:
    assert amount_text(amount) == words


@pytest.mark.parametrize(
    ("used", "quota", "words", "share", "color"),
    [
        (8_330_000, 20_000_000, "8.33 of 20 M", "41.6 %", "seg-a"),
        (9_431, 20_000_000, "9,431 of 20 M", "< 0.1 %", "seg-a"),
        (0, 20_000_000, "0 of 20 M", "0.0 %", "seg-a"),
        (6_100_000, 8_000_000, "6.10 of 8 M", "76.2 %", "warn"),
        (8_000_000, 8_000_000, "8.00 of 8 M", "100.0 %", "error"),
        (150_000, 400_000, "150,000 of 400,000", "37.5 %", "seg-a"),
        (0, 0, "0 of 0", "–", "error"),
    ],
)
def test_that_a_quota_says_how_much_of_how_much(used: int, quota: int, words: str, share: str, color: str) -> None:
    one = row(used, quota)
    assert (quota_text(one), share_text(one), quota_color(one.share)) == (words, share, color)


def test_that_bars_are_fourteen_days_with_today_last() -> None:
    days = derive_bars(usage(day("kamala", 0, 1000, 0, 50), day("meridian", 13, 70), day("kamala", 14, 9)), ZONE)
    assert len(days) == 14
    assert (days[0].name, days[0].second, days[0].amounts) == ("17", "Tue", (0.0, 70.0))
    assert (days[-1].name, days[-1].second, days[-1].strong, days[-1].amounts) == ("30", "today", True, (1050.0, 0.0))
    assert days[-1].tip.splitlines()[:2] == ["Monday 30 November 2026: 1,050 tokens", "Kamala Dabba 1,050"]


def test_that_the_quotas_line_is_drawn_when_bars_can_be_seen_beside_it() -> None:
    high = derive_bars(usage(day("kamala", 0, 2_000_000)), ZONE)
    assert derive_limit(high, (KAMALA, MERIDIAN)) == (28_000_000, "all quotas 28 M")
    assert derive_quota_words(high, (KAMALA, MERIDIAN)) == ""
    low = derive_bars(usage(day("kamala", 0, 2_000)), ZONE)
    assert derive_limit(low, (KAMALA, MERIDIAN)) is None
    assert derive_quota_words(low, (KAMALA, MERIDIAN)) == "all quotas 28 M a day"
    assert derive_limit((), ()) is None


# The ledger


def compared(prompt: int, output: int, open_turns: int = 0) -> Checked:
    ledger = EngineRunTotals("r1", 34, open_turns, TokenUse(700, 512, 90))
    return Checked(NOW, (EngineCheck("cpu-demo", Comparison(ledger, TokenUse(prompt, 0, output))),))


def test_that_an_agreeing_ledger_has_no_drift() -> None:
    shown = derive_ledger(compared(700, 90), ZONE)
    assert shown.rows == (CounterRow("tokens in", 700, 700), CounterRow("tokens out", 90, 90))
    assert (shown.agrees, shown.drift, shown.unit) == (True, "drift 0", "cpu-demo")
    assert shown.words.startswith("34 turns of this run, 0 under way; 512 tokens in were cached.")
    assert shown.words.endswith("Compared at 12:44:00.")


def test_that_drift_is_counted_whichever_way_it_goes() -> None:
    shown = derive_ledger(compared(710, 87, open_turns=1), ZONE)
    assert [one.drift for one in shown.rows] == [10, -3]
    assert (shown.agrees, shown.drift) == (False, "drift 13")
    assert "Turns are under way, or somebody else uses this engine." in shown.words


def test_that_nothing_to_compare_is_said() -> None:
    assert derive_ledger(None, ZONE).words == "Not compared yet."
    shown = derive_ledger(Checked(NOW, (EngineCheck("", None),)), ZONE)
    assert (shown.agrees, shown.rows, shown.drift) == (None, (), "")
    assert shown.words.startswith("There is nothing to compare: no engine that was started here is ready.")


def test_that_every_engine_of_the_pool_is_held_against_its_own_turns() -> None:
    (one,) = compared(700, 90).engines
    checked = Checked(
        NOW, (one, replace(compared(712, 90).engines[0], engine="cpu-demo 2"), EngineCheck("far:8000", None))
    )
    shown = derive_ledger(checked, ZONE)
    assert [(row.words, row.drift) for row in shown.rows] == [
        ("cpu-demo, in", 0), ("cpu-demo, out", 0), ("cpu-demo 2, in", 12), ("cpu-demo 2, out", 0),
    ]  # fmt: skip
    assert (shown.unit, shown.drift, shown.agrees) == ("2 engines", "drift 12", False)
    assert shown.words == (
        "68 turns, 0 under way. Somebody else uses an engine that differs. Not compared: far:8000. "
        "Compared at 12:44:00."
    )


# The export


def test_that_the_export_has_a_line_for_each_tenant_and_day() -> None:
    read = usage(day("kamala", 8, 5), day("kamala", 1, 1000, 700, 50), day("meridian", 0, 60), day("gone", 0, 9))
    text = derive_csv(read, "7")
    assert text.endswith("\r\n")
    lines = list(csv.reader(io.StringIO(text, newline="")))
    assert tuple(lines[0]) == HEADS
    assert lines[1] == [
        "2026-11-29", "kamala", "Kamala Dabba", "1", "300", "700", "50", "1", "3", "2", "", "", "", "20000000",
    ]  # fmt: skip
    assert [line[:2] for line in lines[1:]] == [["2026-11-29", "kamala"], ["2026-11-30", "meridian"]]


def test_that_names_with_commas_quotes_and_devanagari_survive_the_export() -> None:
    odd = KAMALA.__class__("kamala", 'डबा, "Pune"', "", 1, "Asia/Kolkata", "KD", KAMALA.quota, "")
    text = derive_csv(usage(day("kamala", 0, 1), tenants=(odd,)), "today")
    assert list(csv.reader(io.StringIO(text, newline="")))[1][2] == 'डबा, "Pune"'
    assert '"डबा, ""Pune"""' in text


async def test_that_the_file_is_utf8_without_a_mark(tmp_path: Path) -> None:
    path = await write_csv(tmp_path / "usage.csv", "डबा\r\n")
    assert path.read_bytes() == "डबा\r\n".encode()


async def test_that_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExportFailed, match=r"Usage was not exported: .*Choose another folder\."):
        await write_csv(tmp_path / "missing" / "usage.csv", "x")
