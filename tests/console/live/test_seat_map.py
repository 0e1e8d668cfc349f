"""The seat map: whose each cell is, what is said of it, and that its table adds up to the whole cache."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor

from console.live.seat_grid import SeatGrid, pitch_for
from console.live.seat_panel import SeatPanel
from console.live.seat_shown import cell_words, derive_seats
from console.live.why_reading import SeatRead
from engine_host.metrics.seats import NOT_OURS, Holder, SeatMap, seat
from tests.console.live.why_scenes import TENANTS, seat_read

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

ZONE = ZoneInfo("Asia/Kolkata")
ASKED = 1_796_023_421.0


def small() -> SeatRead:
    holders = [
        Holder("a", "kamala", 3, 128, 300, ASKED),
        Holder("shared by kamala in r1", "kamala", 2, 128, 256, turns=4),
    ]
    seats = seat(SeatMap(), holders, 12, 8, 128)
    return SeatRead(seats, 128, (("kamala", 1),), (("kamala", 240.0), ("meridian", 60.0)), 60.0)


def test_that_the_rows_of_the_table_are_the_whole_cache() -> None:
    shown = derive_seats(seat_read(), TENANTS)
    assert sum(row.blocks for row in shown.rows) == shown.seats.total == 364
    assert sum(row.share for row in shown.rows) == pytest.approx(1.0)
    assert shown.rows[-1].name == "Free or cached"


def test_that_cells_have_the_colours_of_their_tenants() -> None:
    shown = derive_seats(small(), TENANTS)
    assert shown.series == (1, 1, 1, 1, 1, -1, -1, -1, 0, 0, 0, 0)
    assert [(row.name, row.blocks, row.seqs, row.held) for row in shown.rows] == [
        ("Kamala Dabba", 5, 1, 240.0),
        ("Meridian Offices", 0, 0, 60.0),
        ("Not ours", 3, None, None),
        ("Free or cached", 4, None, None),
    ]
    assert shown.value == "8 used + 4 free or cached = 12"


def test_that_it_says_that_the_map_is_computed_and_how_much_of_the_minute_was_seen() -> None:
    assert derive_seats(small(), TENANTS).unit == "one cell a block, computed from our turns"
    begun = SeatRead(small().seats, 128, held_s=23.4)
    assert derive_seats(begun, TENANTS).unit.endswith("computed from our turns, block-s of 23 s")


def test_that_each_cell_says_whose_it_is_and_how_full() -> None:
    shown = derive_seats(small(), TENANTS)
    words = [cell_words(shown, cell, ZONE) for cell in (0, 2, 3, 5, 8)]
    assert words[0][0] == "Cell 1, Kamala Dabba"
    assert words[0][1].endswith("128 of 128 tokens filled")
    assert words[1][1].endswith("44 of 128 tokens filled")
    assert words[2][1] == "beginning from the prefix cache, read by 4 turns"
    assert words[3] == ("Cell 6, not ours", "others, or a prompt that is not counted yet")
    assert words[4][0] == "Cell 9, free"


def test_that_a_large_cache_says_for_how_many_blocks_a_cell_stands() -> None:
    read = SeatRead(seat(SeatMap(), [Holder("a", "kamala", 940, 16, 15_000, ASKED)], 100_000, 940, 16), 16)
    shown = derive_seats(read, TENANTS)
    assert shown.unit.startswith("one cell for 100 blocks")
    assert cell_words(shown, 0, ZONE) == ("Cell 1, 100 blocks, Kamala Dabba", "1 turn with 940 blocks in all")


def test_that_every_cell_finds_room() -> None:
    for cells, width, height in ((364, 330, 180), (1000, 380, 180), (1000, 900, 600), (12, 180, 90)):
        pitch = pitch_for(cells, width, height)
        assert cells <= ((width + 2) // pitch) * ((height + 2) // pitch)


@pytest.fixture
def grid(qtbot: QtBot, theme: Theme) -> SeatGrid:
    grid = SeatGrid(theme, ZONE)
    qtbot.addWidget(grid)
    grid.resize(12 * 20, 90)
    grid.show_seats(derive_seats(small(), TENANTS))
    return grid


def test_that_the_arrow_keys_tell_one_cell_after_the_other(qtbot: QtBot, grid: SeatGrid) -> None:
    grid.show()
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert grid.current == 1
    assert "Cell 2, Kamala Dabba" in grid.accessibleDescription()
    qtbot.keyClick(grid, Qt.Key.Key_End)
    assert "Cell 12, free" in grid.accessibleDescription()
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert grid.current == 11
    qtbot.keyClick(grid, Qt.Key.Key_Home)
    assert grid.current == 0


def test_that_the_mouse_tells_the_cell_under_it_and_none_outside(qtbot: QtBot, grid: SeatGrid) -> None:
    assert grid.cell_at(1.0, 1.0) == 0
    assert grid.cell_at(239.0, 1.0) == 11
    assert grid.cell_at(1.0, 85.0) is None
    grid.show()
    qtbot.mouseMove(grid, QPointF(45.0, 5.0).toPoint())
    qtbot.waitUntil(lambda: grid.told == 2)


def test_that_cells_are_painted_in_the_tenants_fill(grid: SeatGrid, theme: Theme) -> None:
    image = grid.grab().toImage()
    ratio = grid.devicePixelRatioF()
    assert image.pixelColor(round(8 * ratio), round(8 * ratio)) == theme.series_fill(1)
    assert image.pixelColor(round(108 * ratio), round(8 * ratio)) == QColor(theme.color("seg-a"))


def test_that_a_narrow_panel_puts_the_table_under_the_map(qtbot: QtBot, theme: Theme) -> None:
    panel = SeatPanel(theme, ZONE)
    qtbot.addWidget(panel)
    panel.show_seats(derive_seats(small(), TENANTS))
    panel.resize(800, 260)
    panel.show()
    assert panel.table.x() > panel.grid.geometry().right()
    panel.resize(400, 320)
    qtbot.waitUntil(lambda: panel.table.y() > panel.grid.geometry().bottom())
    assert panel.table.isColumnHidden(3)


def test_that_a_panel_without_figures_says_why(qtbot: QtBot, theme: Theme) -> None:
    panel = SeatPanel(theme, ZONE)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_seats(
        derive_seats(SeatRead(missing="No sample of the engine: which blocks are used is not known."), TENANTS)
    )
    assert panel.empty.isVisible()
    assert not panel.grid.isVisible()
    panel.show_seats(derive_seats(small(), TENANTS))
    assert panel.grid.isVisible()
    assert [row.key for row in panel.table.shown()] == ["kamala", "meridian", NOT_OURS, "free"]
