"""Who is told when an alert fires: once, not again after a restart, and not of what is muted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from console.alert_notice import AlertNotices
from engine_host.metrics.alert_board import ActiveAlert, AlertBoard
from storage.alert_records import AlertMute
from tests.fakes.alert_samples import NOON

if TYPE_CHECKING:
    from console.widgets.notices import Notice

SLOW = ActiveAlert(
    "ttft_slow", "1", "cpu-demo", "error", "TTFT p95 over 0.80 s for 30 s", "Now 1.12 s, highest 1.22 s.",
    "Look at the waiting requests first.", "engine", NOON, firing=True, of_engine=True, alert_id="a-1",
)  # fmt: skip
MUTED = replace(SLOW, mute=AlertMute("ttft_slow", "1", None))


class Desktop:
    def __init__(self) -> None:
        self.told: list[tuple[str, bool]] = []

    def tell(self, title: str, text: str, *, severe: bool) -> None:
        assert text
        self.told.append((title, severe))


class People:
    def __init__(self) -> None:
        self.shown: list[Notice] = []
        self.gone: list[str] = []
        self.desktop = Desktop()
        self.dots: list[bool] = []
        self.notices = AlertNotices(self.shown.append, self.gone.append, self.desktop)
        self.notices.calls_changed.connect(self.dots.append)

    def see(self, *active: ActiveAlert, engines: int = 1, faults: tuple[str, ...] = ()) -> None:
        self.notices.board_changed(AlertBoard(active, (), 10, engines, faults=faults))


@pytest.fixture
def people(qapp: object) -> People:
    return People()


def test_that_an_alert_is_told_once_here_and_on_the_desktop(people: People) -> None:
    people.see(SLOW)
    people.see(replace(SLOW, said="Now 1.30 s, highest 1.30 s."))
    (notice,) = people.shown
    assert notice.fact == "TTFT p95 over 0.80 s for 30 s. Now 1.12 s, highest 1.22 s."
    assert (notice.level, notice.detail) == ("error", "Look at the waiting requests first.")
    assert [link.text for link in notice.links] == ["Open Live"]
    assert people.desktop.told == [(notice.fact, True)]


def test_that_a_pending_alert_is_not_told(people: People) -> None:
    people.see(replace(SLOW, firing=False, alert_id=""))
    assert (people.shown, people.dots) == ([], [])


def test_that_an_alert_from_before_the_start_is_not_told_again_but_marked(people: People) -> None:
    people.see(replace(SLOW, resumed=True))
    assert people.shown == []
    assert people.dots == [True]


def test_that_a_muted_alert_is_neither_told_nor_marked(people: People) -> None:
    people.see(MUTED)
    people.see(SLOW)
    assert (people.shown, people.desktop.told) == ([], [])
    assert people.dots == [True]


def test_that_the_mark_goes_when_it_is_muted_or_clears(people: People) -> None:
    people.see(SLOW)
    people.see(MUTED)
    people.see(SLOW)
    people.see()
    assert people.dots == [True, False, True, False]


@pytest.mark.parametrize(
    "after", [(), (replace(SLOW, acknowledged_at=NOON),), (MUTED,)], ids=["cleared", "acknowledged", "muted"]
)
def test_that_its_notice_leaves_when_it_is_over_or_was_seen(people: People, after: tuple[ActiveAlert, ...]) -> None:
    people.see(SLOW)
    people.see(*after)
    people.see(*after)
    assert people.gone == [people.shown[0].key]


def test_that_it_is_told_again_when_it_fires_again(people: People) -> None:
    people.see(SLOW)
    people.see()
    people.see(replace(SLOW, alert_id="a-2"))
    assert len(people.shown) == 2


def test_that_of_several_engines_the_notice_names_its_own(people: People) -> None:
    people.see(SLOW, engines=2)
    assert people.shown[0].fact.startswith("cpu-demo: TTFT p95")


def test_that_a_fault_of_the_alerts_is_told_once_and_leaves_with_it(people: People) -> None:
    for _ in range(2):
        people.see(faults=("alerts.toml is not right.",))
    people.see()
    assert [notice.fact for notice in people.shown] == ["alerts.toml is not right."]
    assert people.gone == ["alerts fault"]


def test_that_the_page_that_shows_it_needs_no_notice(people: People) -> None:
    people.see(SLOW)
    people.notices.page_shown("live")
    assert people.gone == ["alert a-1"]
    people.see(SLOW, replace(SLOW, alert_id="a-2", subject="2"))
    assert len(people.shown) == 1
    assert len(people.desktop.told) == 2
    people.notices.page_shown("chat")
    people.see(replace(SLOW, alert_id="a-3", subject="3"))
    assert [notice.key for notice in people.shown] == ["alert a-1", "alert a-3"]
