"""The history: which span is looked at, what its panels show, and what can be taken out of it."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from console.live.compare_choice import NOTHING, chosen_day, compare_choices, key_of
from console.live.export_csv import csv_of
from console.live.history_charts import BESIDE, derive_chart, derive_marks
from console.live.history_panels import PANELS
from console.live.history_reading import ALL, HistoryRead, read_history
from console.live.history_window import LENGTHS, MOST_SLOTS, Span, kept_words, span_words, step_words
from console.live.incident_reading import IncidentFacts
from console.live.incident_report import incident_html
from engine_host.metrics.history import DAY_S, keep_rows
from engine_host.metrics.history_rows import Before
from storage.alert_records import AlertEpisode
from storage.database import Database
from storage.paths import Home
from storage.queries.engine_events import add_event
from storage.queries.turn_counts import TurnCount
from storage.records import EngineEvent, TurnOutcome
from tests.engine_host.metrics.history_samples import NOON, T0, buckets, seconds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PUNE, BERLIN = ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/Berlin")
NOW = T0 + 900


def told(number: int) -> dict[str, Any]:
    return {
        "running": 4.0, "waiting": 1.0, "kv_usage": 0.5, "kv_blocks": 100, "output_tokens": 30.0 * number,
        "prompt_tokens": 300.0 * number, "prefix_queries": 300.0 * number, "prefix_hits": 240.0 * number,
        "ttft": buckets(0, number, 0, 0),
    }  # fmt: skip


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    home = Home(tmp_path / "home")
    home.make()
    database = await Database.open(home)
    yield database
    await database.close()


async def keep(db: Database, engine: str, start: int, count: int, marks: dict[int, int] | None = None) -> None:
    rows = seconds(count, told, marks, start)
    await db.run(lambda session: keep_rows(session, engine, rows))


async def read(db: Database, span: Span, engine: str = ALL) -> HistoryRead:
    return await read_history(db, span, engine, PUNE, NOW)


# The span


def test_that_a_span_until_now_moves_on_and_one_of_the_past_stays() -> None:
    assert Span(900).ends(NOW) == (T0, NOW)
    assert Span(900, T0).ends(NOW) == Span(900, T0).ends(NOW + 60) == (T0 - 900, T0)


def test_that_going_back_and_on_again_ends_at_now() -> None:
    back = Span(3600).moved(-2, NOW)
    assert back.ends(NOW) == (NOW - 3 * 3600, NOW - 2 * 3600)
    assert back.moved(+1, NOW).last == NOW - 3600
    assert back.moved(+2, NOW).last is None


def test_that_a_day_and_a_time_are_those_of_the_kitchens_clock() -> None:
    span = Span(3600).of_day(date(2026, 11, 29), time(12, 40), PUNE, NOW)
    assert span.ends(NOW)[0] == datetime(2026, 11, 29, 7, 10, tzinfo=UTC).timestamp()
    assert Span(3600).of_day(date(2026, 11, 30), time(17, 30), PUNE, NOW).last is None


@pytest.mark.parametrize("length", LENGTHS)
def test_that_every_length_has_few_enough_points_and_none_finer_than_what_is_kept(length: str) -> None:
    span = Span(int(length))
    slot = span.slot_s(NOW)
    assert int(length) / slot <= MOST_SLOTS
    assert replace(span, last=NOW - 2 * DAY_S).slot_s(NOW) >= 60
    assert span.slot_s(NOW, shift_s=7 * DAY_S) >= 60


def test_that_the_same_hour_of_another_day_is_the_same_on_the_clock_over_a_change_of_summer_time() -> None:
    now = datetime(2026, 10, 25, 13, 0, tzinfo=BERLIN).timestamp()
    span = Span(3600, now, against=date(2026, 10, 24))
    assert span.shift_s(BERLIN, now) == 25 * 3600
    assert Span(3600, now).shift_s(BERLIN, now) is None


def test_that_the_day_before_and_the_week_before_are_offered_first() -> None:
    choices = compare_choices(Span(3600), PUNE, NOW)
    assert [one.text for one in choices[:4]] == [
        "nothing", "the day before, Sun 29 Nov", "a week before, Mon 23 Nov", "Sat 28 Nov",
    ]  # fmt: skip
    assert choices[-1].key == "2026-10-31"
    assert (chosen_day(NOTHING), key_of(None)) == (None, NOTHING)
    assert key_of(chosen_day(choices[1].key)) == choices[1].key


def test_that_a_span_is_told_in_words() -> None:
    assert span_words(T0, T0 + 3600, PUNE) == "Mon 30 Nov 17:30 to 18:30"
    assert span_words(T0, T0 + 7 * 3600, PUNE) == "Mon 30 Nov 17:30 to Tue 1 Dec 00:30"
    assert [step_words(slot) for slot in (5, 60, 1800, 7200)] == ["5 s", "1 min", "30 min", "2 h"]
    assert kept_words(NOW - 60, NOW) == "kept every 1 s"
    assert kept_words(NOW - 40 * DAY_S, NOW) == "Samples are kept for 30 days."


# The reading


async def test_that_the_panels_show_what_was_kept(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 900)
    found = await read(db, Span(900))
    assert (found.engines, found.slot_s) == (("cpu-demo",), 5)
    middle = {key: {line: values[100] for line, values in panel.items()} for key, panel in found.panels.items()}
    assert middle["batch"] == {"running": 4.0, "highest": 4.0, "waiting": 1.0}
    assert middle["tokens"] == {"out": pytest.approx(30.0), "in": pytest.approx(300.0)}
    assert middle["kv"] == {"mean": 50.0, "highest": 50.0}
    assert middle["prefix"]["hit"] == pytest.approx(80.0)
    assert middle["ttft"]["p50"] == pytest.approx(0.3)
    assert all(np.isnan(values).all() for values in found.panels["inter_token"].values())


async def test_that_engines_are_added_up_or_looked_at_alone(db: Database) -> None:
    await keep(db, "one", 0, 900)
    await keep(db, "two", 300, 600)
    together, alone = await read(db, Span(900)), await read(db, Span(900), "one")
    assert together.panels["batch"]["running"][[20, 150]].tolist() == [4.0, 8.0]
    assert np.isnan(together.panels["batch"]["highest"]).all()
    assert together.panels["kv"]["mean"][150] == 50.0
    assert alone.panels["batch"]["running"][[20, 150]].tolist() == [4.0, 4.0]
    assert alone.engines == ("one", "two")


async def test_that_a_gap_of_one_engine_leaves_the_sum_unknown(db: Database) -> None:
    await keep(db, "one", 0, 900)
    await keep(db, "two", 0, 300)
    await keep(db, "two", 600, 300, {600: int(Before.GAP)})
    found = await read(db, Span(900))
    assert np.isnan(found.panels["batch"]["running"][[61, 90, 118]]).all()
    assert found.panels["batch"]["running"][[20, 150]].tolist() == [8.0, 8.0]
    assert [(first - T0, last - T0) for first, last in found.gaps] == [(299.0, 600.0)]


async def test_that_an_earlier_day_lies_beside_on_the_same_axis(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 900)
    await keep(db, "cpu-demo", -DAY_S, 900)
    found = await read(db, Span(900, against=date(2026, 11, 29)))
    assert found.beside is not None
    assert found.shift_s == DAY_S
    shown = derive_chart(next(panel for panel in PANELS if panel.key == "tokens"), found, PUNE)
    times, values = shown.data[BESIDE]
    assert shown.lines[-1].name == "out Sun 29 Nov"
    np.testing.assert_allclose(times, found.times)
    assert np.nanmedian(values) == pytest.approx(30.0)


async def test_that_nothing_kept_is_a_sentence_and_no_zero(db: Database) -> None:
    found = await read(db, Span(900, T0 - 5 * DAY_S))
    assert found.panels == {}
    sentences = {derive_chart(panel, found, PUNE).missing for panel in PANELS}
    assert sentences == {"No sample of this time is kept."}


async def test_that_a_series_that_the_engine_lacks_is_named(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 900)
    found = await read(db, Span(900))
    panel = next(panel for panel in PANELS if panel.key == "inter_token")
    assert derive_chart(panel, found, PUNE).missing == "No sample of this time has vllm:inter_token_latency_seconds."


async def test_that_events_of_the_span_are_marks_and_later_ones_are_not(db: Database) -> None:
    for minutes in (5, 30):
        at = NOON + timedelta(minutes=minutes)
        await db.run(lambda s, at=at: add_event(s, EngineEvent(at, "publish", "Refunds", "Refunds was published.")))
    marks = derive_marks(await read(db, Span(900)), PUNE, named=True)
    assert [(mark.text, mark.tip) for mark in marks] == [("publish", "17:35:00 Refunds was published.")]


# What is taken out


async def test_that_the_csv_has_units_in_its_head_and_nothing_in_a_gap(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 300)
    await keep(db, "cpu-demo", 600, 300, {600: int(Before.GAP)})
    rows = list(csv.DictReader(io.StringIO(csv_of(await read(db, Span(900))))))
    assert len(rows) == 180
    assert rows[20]["from (UTC)"] == "2026-11-30T12:01:40Z"
    assert float(rows[20]["Tokens: out (tok/s)"]) == pytest.approx(30.0)
    assert {rows[90][head] for head in rows[90] if head != "from (UTC)"} == {""}
    assert {row["End to end: p95 (s)"] for row in rows} == {""}


async def test_that_the_csv_of_a_comparison_has_both_times(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 900)
    rows = list(csv.DictReader(io.StringIO(csv_of(await read(db, Span(900, against=date(2026, 11, 29)))))))
    assert rows[5]["beside: from (UTC)"] == "2026-11-29T12:05:00Z"
    assert (rows[5]["Batch: running (sequences)"], rows[5]["beside: Batch: running (sequences)"]) == ("4", "")


async def report(db: Database, **facts: Any) -> str:
    await keep(db, "cpu-<demo>", 0, 300)
    await keep(db, "cpu-<demo>", 600, 300, {600: int(Before.GAP)})
    event = EngineEvent(NOON, "failed", "x", "cpu-demo failed with --api-key sk-verysecret1234567890 set.")
    await db.run(lambda s: add_event(s, event))
    return incident_html(IncidentFacts(await read(db, Span(900)), PUNE, NOON, **facts))


async def test_that_a_report_needs_nothing_from_outside_and_hides_secrets(db: Database) -> None:
    page = await report(db)
    assert not re.search(r"(src|href)=|url\(|@import|<script", page)
    assert "sk-verysecret" not in page
    assert "cpu-&lt;demo&gt;" in page
    assert "cpu-<demo>" not in page


async def test_that_each_panel_of_a_report_is_a_picture_or_a_sentence(db: Database) -> None:
    page = await report(db)
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) + page.count("class=missing") == len(PANELS)
    batch = ET.fromstring(pictures[0])
    lines = [path.attrib["d"] for path in batch.iter("path") if path.attrib.get("class") == "line"]
    assert [line.count("M") for line in lines] == [2, 2, 2]
    assert len([one for one in batch.iter("rect") if one.attrib.get("class") == "gap"]) == 1
    assert "nan" not in page.lower()


async def test_that_an_axis_of_shares_ends_at_a_hundred(db: Database) -> None:
    pictures = re.findall(r"<svg.*?</svg>", await report(db), re.DOTALL)
    shares = next(ET.fromstring(one) for one in pictures if "% of all" in one)
    assert "100" in [text.text for text in shares.iter("text")]
    assert "150" not in [text.text for text in shares.iter("text")]


async def test_that_a_report_tells_alerts_turns_profile_and_versions(db: Database) -> None:
    page = await report(
        db,
        alerts=(AlertEpisode("a", "ttft", "", "warning", "TTFT p95 over 0.80 s", NOON, NOON, 1.1, "Now 1.12 s."),),
        turns=(TurnCount("Kamala Dabba", TurnOutcome.DOES_NOT_KNOW, 3, 1, 2100, 1500, 90),),
        versions=(("Dabba Console", "0.1.0"),),
        profile=(("max_num_seqs", "32"),),
    )
    for words in ("still firing", "TTFT p95 over 0.80 s", "does not know", "2,100", "max_num_seqs", "0.1.0"):
        assert words in page


async def test_that_a_point_that_is_under_way_does_not_hide_the_last_finished_one(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 892)
    panel = next(panel for panel in PANELS if panel.key == "tokens")
    assert derive_chart(panel, await read(db, Span(900)), PUNE).data["out"][1][-1] == pytest.approx(30.0)


async def test_that_an_engine_that_tells_nothing_any_more_has_no_value_now(db: Database) -> None:
    await keep(db, "cpu-demo", 0, 600)
    panel = next(panel for panel in PANELS if panel.key == "tokens")
    assert np.isnan(derive_chart(panel, await read(db, Span(900)), PUNE).data["out"][1][-1])
