"""The table keeps what a person did while the records under it change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt

from console.widgets.columns import Column
from console.widgets.pill import PillMark
from console.widgets.record_model import RecordModel
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


@dataclass(frozen=True)
class Row:
    key: str
    title: str
    chunks: int = 0


COLUMNS = (
    Column[Row]("title", "Title", text=lambda r: r.title, strength="name"),
    Column[Row]("state", "State", 90, pill=lambda r: PillMark("Published", "ok")),
    Column[Row]("chunks", "Chunks", 70, "right", text=lambda r: str(r.chunks), sort=lambda r: r.chunks),
)
ROWS = (Row("a", "Late dabba", 9), Row("b", "Refunds", 10), Row("c", "Jain boxes", 2))


@pytest.fixture
def table(theme: Theme, qtbot: QtBot) -> RecordTable[Row]:
    made = RecordTable(theme, COLUMNS, lambda r: r.key, empty="No articles yet.", retired=lambda r: r.chunks == 0)
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.set_records(ROWS)
    return made


def titles(table: RecordTable[Row]) -> list[str]:
    return [row.title for row in table.shown()]


def test_that_records_are_shown_in_the_order_given_until_a_person_sorts(table: RecordTable[Row]) -> None:
    assert titles(table) == ["Late dabba", "Refunds", "Jain boxes"]
    table.sort_by("chunks")
    assert titles(table) == ["Jain boxes", "Late dabba", "Refunds"]
    table.sort_by("title", descending=True)
    assert titles(table) == ["Refunds", "Late dabba", "Jain boxes"]


def test_that_the_picked_row_stays_picked_while_rows_come_go_and_move(table: RecordTable[Row]) -> None:
    table.pick("b")
    table.set_records((Row("d", "New"), replace(ROWS[1], chunks=11), ROWS[2]))
    assert table.picked_key == "b"
    assert table.picked_record == Row("b", "Refunds", 11)
    table.set_records((ROWS[2], ROWS[1]))
    assert table.picked_key == "b"


def test_that_the_same_records_told_again_are_not_drawn_again(table: RecordTable[Row]) -> None:
    table.follow([replace(row) for row in ROWS])
    assert table.records_model.given is ROWS
    table.follow(ROWS[:2])
    assert titles(table) == ["Late dabba", "Refunds"]


def test_that_a_picked_row_that_leaves_is_no_longer_picked(table: RecordTable[Row], qtbot: QtBot) -> None:
    table.pick("a")
    with qtbot.waitSignal(table.picked) as seen:
        table.set_records(())
    assert table.picked_key is None
    assert seen.args == [None]


def test_that_a_filter_hides_records_and_its_removal_shows_them(table: RecordTable[Row]) -> None:
    table.set_filter(lambda r: "dabba" in r.title)
    assert titles(table) == ["Late dabba"]
    table.set_filter(None)
    assert len(titles(table)) == 3


def test_that_enter_opens_the_picked_record(table: RecordTable[Row], qtbot: QtBot) -> None:
    table.show()
    table.pick("b")
    with qtbot.waitSignal(table.opened) as seen:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert seen.args == ["b"]


def test_that_the_arrow_keys_move_the_picked_row(table: RecordTable[Row], qtbot: QtBot) -> None:
    table.show()
    table.pick("a")
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.picked_key == "b"


def test_that_picking_an_unknown_key_picks_nothing(table: RecordTable[Row]) -> None:
    table.pick("a")
    table.pick("nowhere")
    assert table.picked_key is None


def test_that_an_unchanged_record_is_not_announced_to_the_view(table: RecordTable[Row]) -> None:
    changed: list[int] = []
    table.records_model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    table.set_records((ROWS[0], replace(ROWS[1], chunks=3), ROWS[2]))
    assert changed == [1]


@pytest.mark.parametrize(
    "after",
    [(), ("c", "b", "a"), ("b",), ("x", "a", "y", "c"), ("a", "b", "c", "d"), ("c", "x", "a")],
)
def test_that_the_model_ends_with_exactly_the_records_it_was_given(theme: Theme, after: tuple[str, ...]) -> None:
    model = RecordModel(COLUMNS, lambda r: r.key)
    model.set_records(ROWS)
    wanted = [Row(key, key.upper()) for key in after]
    model.set_records(wanted)
    assert list(model.records) == wanted
    assert model.rowCount(QModelIndex()) == len(wanted)


def test_that_a_pill_cell_says_its_word_to_a_screen_reader(table: RecordTable[Row]) -> None:
    index = table.records_model.index(0, 1)
    assert table.records_model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "Published"


def test_that_every_kind_of_row_can_be_painted(table: RecordTable[Row]) -> None:
    table.set_records((*ROWS, Row("r", "Monsoon", 0)))
    table.pick("b")
    table.show()
    assert not table.grab().isNull()
    table.set_records(())
    assert not table.grab().isNull()


def test_that_a_sorted_table_stays_sorted_when_it_is_filtered_and_filled(table: RecordTable[Row]) -> None:
    table.sort_by("chunks")
    table.set_filter(lambda r: r.chunks > 2)
    table.set_records((*ROWS, Row("d", "New", 5)))
    assert titles(table) == ["New", "Late dabba", "Refunds"]
    table.set_filter(lambda r: r.chunks > 5, narrower=True)
    assert titles(table) == ["Late dabba", "Refunds"]
    table.set_filter(None)
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert titles(table) == ["Late dabba", "Refunds", "Jain boxes", "New"]


def test_that_the_picked_row_and_the_place_stay_when_thousands_of_rows_change(
    table: RecordTable[Row], qtbot: QtBot
) -> None:
    rows = tuple(Row(str(n), f"Row {n}", n) for n in range(5000))
    table.show()
    table.set_records(rows)
    table.pick("2500")
    place = table.verticalScrollBar().value()
    assert place > 0
    with qtbot.assertNotEmitted(table.picked):
        table.set_records(rows[:4000])
    assert (table.picked_key, table.verticalScrollBar().value()) == ("2500", place)
    with qtbot.waitSignal(table.picked) as seen:
        table.set_filter(lambda r: r.chunks < 100)
    assert seen.args == [None]
    assert len(titles(table)) == 100
