"""The Truth panel: what is read of a turn's events, and what is said of many turns."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from console.live.ledger import NO_LEDGER, TurnFact, fact_of, ledger_rows
from console.live.reading import LiveRead
from console.live.tracks import EngineHistory
from console.live.truth import Truth, truth_of
from console.live.truth_panel import HIGH_PX, LOW_PX, TruthPanel
from console.live.truth_shown import TruthShown, derive_truth, warning_of
from console.live.view import View
from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import Ended, Opened, Routed, Text, ToolCalled, TurnEvent, Withheld
from engine_host.answering.unknown_reason import UnknownReason
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.console.live.house import READY
from tests.console.live.scrapes import T0

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

VIEW = View(window_s=60.0)
NOW = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
ORDER = Routed(True, False, "where is my", "", (), 0.2)
DOWN = ToolCalled("GET /orders", None, (), 3000.0, "The order system gave no answer.")
UNMAPPED = ToolCalled("GET /orders", 200, (), 12.0, "", unmapped=("in_oven",))


def settled(*events: TurnEvent, outcome: TurnOutcome = TurnOutcome.ANSWERED, withheld: int = 0) -> SettledTurn:
    end = Ended(outcome, "We do not know.", "", TokenUse(), TurnTimes())
    kept = tuple(event_to_json(event) for event in (Opened("t", "c", NOW, None, "en"), *events, end))
    return SettledTurn("t", outcome, "en", "", TokenUse(), TurnTimes(lookup=118.0, total=500.0), kept, withheld)


def read_of(*truths: Truth, fault: str = "") -> LiveRead:
    facts = [TurnFact(f"t{n}", "kamala", T0, T0 + 1, TurnOutcome.ANSWERED, truth=one) for n, one in enumerate(truths)]
    ledger = NO_LEDGER if fault else ledger_rows(facts, T0 + 2)
    return LiveRead(T0 + 2, READY, EngineHistory().rows(), None, None, ledger, ledger_fault=fault)


# One turn


def test_that_a_turn_tells_its_sentences_its_look_up_and_why_it_does_not_know() -> None:
    truth = truth_of(settled(Text("A.", (1,)), Withheld("B.", "why"), withheld=1))
    assert truth == Truth(written=2, withheld=1, lookup_s=0.118)
    truth = truth_of(settled(ORDER, DOWN, outcome=TurnOutcome.DOES_NOT_KNOW))
    assert truth.unknown is UnknownReason.NOT_SIGNED_IN


def test_that_a_status_without_a_meaning_is_told_also_of_a_turn_that_stated_another_order() -> None:
    truth = truth_of(settled(ORDER, UNMAPPED, outcome=TurnOutcome.ORDER_STATED))
    assert (truth.unknown, truth.unmapped) == (None, ("in_oven",))


def test_that_events_of_another_version_leave_the_turn_counted() -> None:
    odd = SettledTurn("t", TurnOutcome.DOES_NOT_KNOW, "en", "", TokenUse(), TurnTimes(), ({"event": "Dreamt"},))
    assert truth_of(odd).unknown is UnknownReason.OTHER


def test_that_what_is_known_of_a_turn_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    new = NewTurn("t", "c", "kamala", None, "", "q", NOW, None)
    turn = Turn(new, settled(ORDER, DOWN, outcome=TurnOutcome.DOES_NOT_KNOW))
    first = fact_of(turn)

    def read_again(_settled: object) -> Truth:
        raise AssertionError("its events were read a second time")

    monkeypatch.setattr("console.live.ledger.truth_of", read_again)
    assert fact_of(turn, first).truth is first.truth
    with pytest.raises(AssertionError):
        fact_of(Turn(new, settled(ORDER, DOWN, outcome=TurnOutcome.FAILED)), first)


# Many turns


def test_that_withheld_sentences_are_held_against_all_that_were_written() -> None:
    shown = derive_truth(read_of(Truth(4, 1), Truth(3), Truth()), VIEW)
    assert said(shown) == ["1 of 7 sentences", "–", "0 of 3 turns"]
    assert shown.withheld.caption == "in 1 turn; only staff see them"
    assert derive_truth(read_of(Truth(3)), VIEW).withheld.caption == "every sentence passed the gate"
    assert derive_truth(read_of(Truth()), VIEW).withheld.caption == "the model wrote nothing"


def test_that_the_95th_of_few_look_ups_is_called_the_slowest() -> None:
    few = derive_truth(read_of(Truth(lookup_s=0.1), Truth(lookup_s=3.0), Truth()), VIEW)
    assert said(few)[1] == "100 p50, 3,000 slowest"
    assert few.lookup.caption == "2 turns looked an order up"
    many = derive_truth(read_of(*(Truth(lookup_s=n / 100) for n in range(1, 21))), VIEW)
    assert said(many)[1] == "100 p50, 190 p95"


def test_that_not_knowing_is_counted_by_reason_and_rows_never_move() -> None:
    down, nobody = Truth(unknown=UnknownReason.ORDER_SYSTEM), Truth(unknown=UnknownReason.NOT_SIGNED_IN)
    shown = derive_truth(read_of(down, nobody, down, Truth()), VIEW)
    assert said(shown)[2] == "3 of 4 turns"
    assert shown.unknown.caption == "75.0 %, by reason"
    assert [row.words for row in shown.reasons] == [reason.value for reason in UnknownReason]
    assert [(row.turns, row.leads) for row in shown.reasons[:3]] == [(1, False), (2, True), (0, False)]
    assert not any(row.leads for row in derive_truth(read_of(Truth()), VIEW).reasons)


def test_that_an_unmapped_status_is_named_once() -> None:
    shown = derive_truth(read_of(Truth(unmapped=("in_oven",)), Truth(unmapped=("in_oven",))), VIEW)
    assert shown.warning == "Status “in_oven” is not mapped."
    assert warning_of(("in_oven", "boxed")) == "Statuses “in_oven”, “boxed” are not mapped."


def test_that_an_empty_window_and_an_unread_ledger_are_told_apart() -> None:
    assert derive_truth(read_of(), VIEW).empty.startswith("No turn ended in the last 1 min.")
    assert derive_truth(read_of(fault="The database is locked."), VIEW).empty == "The database is locked."


# The panel


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> TruthPanel:
    made = TruthPanel(theme)
    qtbot.addWidget(made)
    made.resize(1352, LOW_PX)
    made.show()
    return made


def test_that_reasons_stand_beside_the_figures_or_in_a_narrow_page_under_them(panel: TruthPanel) -> None:
    panel.show_truth(derive_truth(read_of(Truth(unknown=UnknownReason.NO_PASSAGE)), VIEW), VIEW)
    assert (panel.height(), panel.reasons[0].x() > panel.unknown.geometry().right()) == (LOW_PX, True)
    panel.resize(928, LOW_PX)
    panel.grab()
    assert panel.height() == HIGH_PX
    assert panel.reasons[0].y() > panel.unknown.geometry().bottom()


def test_that_the_warning_leads_to_where_a_status_is_mapped(panel: TruthPanel, qtbot: QtBot) -> None:
    panel.show_truth(derive_truth(read_of(Truth(unmapped=("in_oven",))), VIEW), VIEW)
    assert panel.warning.isVisible()
    with qtbot.waitSignal(panel.map_asked, timeout=1_000):
        panel.map_link.click()
    panel.show_truth(derive_truth(read_of(Truth()), VIEW), VIEW)
    assert not panel.warning.isVisible()


def test_that_the_panel_says_when_there_is_nothing_to_count(panel: TruthPanel) -> None:
    panel.show_truth(derive_truth(read_of(), VIEW), VIEW)
    assert panel.empty.isVisible()
    assert not panel.unknown.isVisible()
    panel.show_truth(derive_truth(read_of(Truth()), VIEW), VIEW)
    assert panel.unknown.isVisible()


def said(shown: TruthShown) -> list[str]:
    blocks = (shown.withheld, shown.lookup, shown.unknown)
    return [", ".join(f"{figure.number} {figure.unit}".strip() for figure in one.figures) for one in blocks]
