"""The worst turns of the last minute, and one of them at length."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from console.live.why_reading import WhyRead
from console.live.worst_panel import WorstPanel
from console.live.worst_shown import NOTHING_SLOW, derive_why, derive_worst
from console.widgets.label import Label
from console.widgets.paragraph import Paragraph
from tests.console.live.why_scenes import TENANTS, busy_minute

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

ZONE = ZoneInfo("Asia/Kolkata")
READ = busy_minute()


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> WorstPanel:
    panel = WorstPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(900, 220)
    panel.show_worst(derive_worst(READ, TENANTS, ZONE))
    return panel


def test_that_the_slowest_comes_first_with_its_sentence() -> None:
    shown = derive_worst(READ, TENANTS, ZONE)
    times = [row.first_text for row in shown.rows]
    assert times == sorted(times, reverse=True)
    assert shown.rows[0].why == READ.worst[0].why.sentence
    assert shown.unit.startswith("to the first text the customer saw, median ")
    assert {row.tenant for row in shown.rows} <= {tenant.name for tenant in TENANTS}


def test_that_the_bar_is_the_way_to_the_first_text_with_the_cause_alone_hot() -> None:
    for row, one in zip(derive_worst(READ, TENANTS, ZONE).rows, READ.worst, strict=True):
        assert sum(piece.amount for piece in row.pieces) == pytest.approx(one.turn.first_text)
        hot = [piece.amount for piece in row.pieces if piece.color == "seg-hot"]
        assert hot == [pytest.approx(one.turn.lengths[one.why.phase])]


def test_that_a_minute_without_a_slow_turn_says_so() -> None:
    shown = derive_worst(WhyRead(median=0.4), TENANTS, ZONE)
    assert (shown.rows, shown.empty) == ((), NOTHING_SLOW)
    assert NOTHING_SLOW == "No turn of the last minute took longer than 1 s."
    assert derive_worst(WhyRead(), TENANTS, ZONE).unit == "to the first text the customer saw"


def test_that_a_turn_at_length_shows_phases_peers_and_batch() -> None:
    one = READ.worst[0]
    shown = derive_why(one, TENANTS, ZONE)
    assert [bar.label for bar in shown.bars][:4] == ["queue", "retrieve", "look-up", "prefill"]
    assert [bar.label for bar in shown.bars if bar.kind == "hot"] == [one.why.phase]
    assert one.peers is not None
    assert f"{one.peers.turns} turns of its kind" in shown.peers
    assert shown.then.startswith("In the batch at ")
    assert sum(int(line.words.split()[0]) for line in shown.batch) == sum(share.seqs for share in one.batch)
    assert " running, " in shown.engine


def test_that_what_is_not_known_is_said_and_not_zero() -> None:
    one = replace(READ.worst[0], peers=None, sample=None, batch=())
    shown = derive_why(one, TENANTS, ZONE)
    assert shown.peers == "Too few turns of its kind are known to compare."
    assert shown.engine == "No sample of the engine is left from then."
    assert {bar.second for bar in shown.bars} == {""}
    assert {bar.mark for bar in shown.bars} == {None}
    order = derive_why(replace(one, moment=None), TENANTS, ZONE)
    assert (order.then, order.engine) == ("", "No model wrote in this turn.")


def test_that_sequences_of_others_are_told_apart_from_ours() -> None:
    one = READ.worst[0]
    assert one.sample is not None
    ours = 1 + sum(share.seqs for share in one.batch)
    crowded = replace(one, sample=replace(one.sample, running=ours + 5.0))
    assert derive_why(crowded, TENANTS, ZONE).engine.endswith("5 sequences of them not ours.")


def test_that_a_click_and_enter_show_a_turn_at_length(qtbot: QtBot, panel: WorstPanel) -> None:
    panel.show()
    index = panel.table.records_model.index(0, 0)
    with qtbot.waitSignal(panel.turn_asked) as asked:
        qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=panel.table.visualRect(index).center())
    assert asked.args == [READ.worst[0].turn.turn_id]
    assert panel.popup.isVisible()
    said = [one.text() for one in panel.popup.findChildren(Paragraph)]
    assert any(READ.worst[0].why.sentence in text for text in said)
    qtbot.keyClick(panel.popup, Qt.Key.Key_Escape)
    assert not panel.popup.isVisible()
    panel.table.setFocus()
    panel.table.pick(READ.worst[1].turn.turn_id)
    with qtbot.waitSignal(panel.turn_asked) as again:
        qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert again.args == [READ.worst[1].turn.turn_id]
    panel.popup.hide()


def test_that_a_narrow_panel_leaves_the_question_out_and_keeps_the_sentence(panel: WorstPanel) -> None:
    panel.show()
    assert not panel.table.isColumnHidden(2)
    panel.resize(640, 220)
    QApplication.processEvents()
    assert panel.table.isColumnHidden(2)
    assert panel.table.columnWidth(5) > 180


def test_that_a_popup_shows_each_turn_anew(panel: WorstPanel) -> None:
    first, second = (derive_why(one, TENANTS, ZONE) for one in READ.worst[:2])
    panel.popup.show_turn(first)
    panel.popup.show_turn(second)
    titles = {label.text() for label in panel.popup._content.findChildren(Label)}
    assert second.title in titles
    assert first.title not in titles or first.title == second.title
