"""Where each alert stands: what goes on over a restart, what is counted, and the words for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count

from engine_host.metrics.alert_book import AlertBook, Cleared, Fired, Standing
from engine_host.metrics.alert_figures import forecast_words
from engine_host.metrics.alert_rules_file import ready_made
from engine_host.usage.forecast import Basis, Forecast, TooLittle
from storage.alert_records import AlertEpisode, TenantDay
from tests.fakes.alert_samples import MONO, NOON, Story

DISK = "disk_low"


def book_of(*keys: str) -> AlertBook:
    numbers = count(1)
    return AlertBook([rule for rule in ready_made() if rule.key in keys], lambda: f"a-{next(numbers)}")


def fed(book: AlertBook, story: Story) -> list[Fired | Cleared]:
    return [change for facts in story.facts for change in book.take(facts)]


def standing(book: AlertBook) -> Standing:
    (only,) = book.standing
    return only


def test_that_a_condition_is_pending_until_its_time_is_over() -> None:
    book = book_of(DISK)
    assert fed(book, Story().tell(8, disk_gib=1.0)) == []
    assert not standing(book).firing
    assert standing(book).state.began_at == NOON


def test_that_an_alert_says_how_it_is_now_and_how_it_was_at_worst() -> None:
    book = book_of("stuck")
    story = Story().tell(10, waiting=9, running=0).tell(2, waiting=4, running=0)
    (fired,) = fed(book, story)
    assert fired.standing is not None
    assert fired.standing.title == "Requests wait and none runs"
    assert standing(book).said == "4 waiting, none running, at most 9."


def test_that_the_title_names_limit_and_time() -> None:
    book = book_of("ttft_slow")
    fed(book, Story().tell(30, first_words=(1.5,) * 3))
    assert standing(book).title == "TTFT p95 over 0.80 s for 30 s"


def test_that_it_clears_only_by_the_margin_and_after_its_time() -> None:
    book = book_of(DISK)
    fed(book, Story().tell(20, disk_gib=1.0))
    fed(book, Story().tell(60, disk_gib=2.3))
    assert standing(book).firing
    (cleared,) = fed(book, Story().tell(60, disk_gib=2.6))
    assert isinstance(cleared, Cleared)
    assert cleared.episode.said == "At least 1 GiB was free."


def test_that_time_in_which_nobody_looked_is_not_counted() -> None:
    book = book_of(DISK)
    story = Story().tell(3, disk_gib=1.0)
    fed(book, story)
    book.take(replace(story.facts[-1], mono=MONO + 4000))
    assert not standing(book).firing


def test_that_time_which_is_not_known_is_not_counted() -> None:
    book = book_of(DISK)
    story = Story().tell(5, disk_gib=1.0).tell(20, disk_gib=None).tell(5, disk_gib=1.0)
    fed(book, story)
    assert not standing(book).firing
    assert standing(book).state.counted_s == 8


def test_that_a_firing_alert_of_which_nothing_is_known_says_so_and_stays() -> None:
    book = book_of(DISK)
    fed(book, Story().tell(20, disk_gib=1.0).tell(5, disk_gib=None))
    assert (standing(book).firing, standing(book).known) == (True, False)
    assert standing(book).said == "Not known at the moment; lowest so far 1 GiB."


def test_that_an_alert_goes_on_over_a_restart_and_is_not_told_twice() -> None:
    before = book_of(DISK)
    fed(before, Story().tell(20, disk_gib=1.0))
    kept = standing(before).episode
    after = book_of(DISK)
    assert after.resume([kept], NOON) == ()
    assert fed(after, Story().tell(30, disk_gib=1.4)) == []
    assert standing(after).episode == replace(kept, said="Now 1.4 GiB, lowest 1 GiB.")


def test_that_an_alert_switched_off_meanwhile_is_over() -> None:
    kept = AlertEpisode("a-1", "own", "", "warn", "Mine", NOON, NOON, 1.0, "Now 1.")
    later = NOON + timedelta(hours=1)
    (over,) = book_of(DISK).resume([kept], later)
    assert (over.episode.cleared_at, over.episode.said) == (
        later, "This alert was switched off while it was firing.",
    )  # fmt: skip


def test_that_an_alert_of_a_tenant_that_is_gone_is_over() -> None:
    book = book_of("quota_near")
    story = Story().tell(70, used=0.9)
    fed(book, story)
    gone = replace(story.facts[-1], house=replace(story.facts[-1].house, tenants=()))
    (cleared,) = book.take(gone)
    assert cleared.episode.said == "What it watched is no longer there."


def test_that_each_engine_has_an_alert_of_its_own() -> None:
    book = book_of("stuck")
    story = Story().tell(10, waiting=3, running=0)
    for facts in story.facts:
        one = facts.engines[0]
        book.take(replace(facts, engines=(one, replace(one, key="engine-2", name="cpu-demo 2"))))
    assert [one.subject.name for one in book.standing if one.firing] == ["cpu-demo", "cpu-demo 2"]


def tenant(used: int) -> TenantDay:
    return TenantDay("meridian", "Meridian Offices", "Asia/Kolkata", NOON.date(), 1000, used)


def test_that_a_forecast_tells_the_tenants_own_clock() -> None:
    ends = Forecast(Basis.PACE, (), ((NOON, 760.0),), NOON + timedelta(minutes=80))
    assert forecast_words(tenant(760), ends) == "forecast to end at 13:20"
    assert forecast_words(tenant(760), replace(ends, ends_at=None)) == "forecast to last the day"


def test_that_there_is_no_forecast_of_too_little() -> None:
    assert forecast_words(tenant(760), TooLittle(2, None)) == "too early for a forecast"
    assert forecast_words(tenant(760), None) == "too early for a forecast"


def test_that_nothing_is_forecast_of_a_day_that_is_used_up() -> None:
    assert forecast_words(tenant(1000), None) == "nothing left for today"
