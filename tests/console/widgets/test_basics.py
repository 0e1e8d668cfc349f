"""Buttons, fields, segments, pills, layouts: what they tell a page and a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from console.widgets.bars import Piece, ProgressBar, StackedBar, UsageBar
from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.cards import Panel
from console.widgets.empty_state import EmptyState
from console.widgets.fields import Choice, ComboBox, SearchField, set_fault
from console.widgets.flow import FlowLayout
from console.widgets.help_popup import HelpPopup
from console.widgets.job_row import JobRow, JobShown
from console.widgets.label import ElidedLabel, Label
from console.widgets.page_header import PageHeader
from console.widgets.paragraph import Paragraph, Run
from console.widgets.pill import Pill, PillMark, pill_width
from console.widgets.segment import Option, Segment
from console.widgets.switch import Switch
from console.widgets.tile import Figure, Tile, TileFigures

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


def test_that_an_icon_button_has_a_name_for_a_screen_reader(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton(theme, "more", "More")
    qtbot.addWidget(button)
    assert button.accessibleName() == "More"
    assert button.toolTip() == "More"


def test_that_icons_follow_a_change_of_theme(theme: Theme, qtbot: QtBot) -> None:
    button = Button(theme, "Import", icon="import")
    qtbot.addWidget(button)
    light = button.icon().cacheKey()
    theme.set_name("dark")
    assert button.icon().cacheKey() != light


def test_that_a_theme_change_after_a_widget_is_gone_does_no_harm(theme: Theme, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    gone = Button(theme, "Import", icon="import", parent=holder)
    gone.setParent(None)
    gone.deleteLater()
    del gone
    QApplication.sendPostedEvents(None, 52)
    theme.set_name("dark")


def test_that_a_click_leaves_no_focus_ring_but_tab_does(theme: Theme, qtbot: QtBot) -> None:
    button = Button(theme, "Start", "primary")
    qtbot.addWidget(button)
    assert button.focusPolicy() == Qt.FocusPolicy.TabFocus


def test_that_a_segment_tells_only_a_persons_choice(theme: Theme, qtbot: QtBot) -> None:
    segment = Segment([Option("day", "Day"), Option("week", "Week", 3), Option("month", "Month")])
    qtbot.addWidget(segment)
    seen: list[str] = []
    segment.chosen.connect(seen.append)
    segment.set_value("month")
    assert segment.value == "month"
    segment.set_counts({"week": 1200})
    button = segment.findChildren(QWidget)[1]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert seen == ["week"]


def test_that_a_combo_box_keeps_its_choice_when_the_entries_change(theme: Theme, qtbot: QtBot) -> None:
    box = ComboBox(theme, [Choice("kamala", "Kamala Dabba", 1), Choice("meridian", "Meridian", 3)], name="Tenant")
    qtbot.addWidget(box)
    box.set_key("meridian")
    box.set_choices([Choice("all", "All tenants"), Choice("meridian", "Meridian Offices", 3)])
    assert box.key == "meridian"
    assert box.currentText() == "Meridian Offices"
    assert not box.itemIcon(1).isNull()
    assert box.itemIcon(0).isNull()


def test_that_a_combo_box_tells_only_a_persons_choice(theme: Theme, qtbot: QtBot) -> None:
    box = ComboBox(theme, [Choice("a", "A"), Choice("b", "B")])
    qtbot.addWidget(box)
    seen: list[str] = []
    box.chosen.connect(seen.append)
    box.set_key("b")
    assert seen == []
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert seen == ["a"]


def test_that_escape_empties_the_search_field(theme: Theme, qtbot: QtBot) -> None:
    field = SearchField(theme, "Search conversations", "Ctrl+F")
    qtbot.addWidget(field)
    field.show()
    field.setFocus()
    field.setText("dabba")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not field.grab().isNull()


def test_that_a_fault_changes_the_frame_of_a_field(theme: Theme, qtbot: QtBot) -> None:
    field = SearchField(theme, "Tokens")
    qtbot.addWidget(field)
    field.resize(200, 28)
    before = field.grab().toImage()
    set_fault(field, True)
    assert field.grab().toImage() != before


def test_that_the_switch_turns_with_the_space_key(theme: Theme, qtbot: QtBot) -> None:
    switch = Switch(theme)
    qtbot.addWidget(switch)
    switch.show()
    off = switch.grab().toImage()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert switch.isChecked()
    assert switch.grab().toImage() != off


def test_that_a_pill_grows_with_its_words(theme: Theme, qtbot: QtBot) -> None:
    pill = Pill(theme, PillMark("Ready", "ok", dot=True))
    qtbot.addWidget(pill)
    narrow = pill.sizeHint().width()
    pill.set_mark(PillMark("Refused: encrypted", "error"))
    assert pill.sizeHint().width() > narrow
    assert pill.accessibleName() == "Refused: encrypted"
    assert pill_width(PillMark("x", series=1)) > pill_width(PillMark("x"))


def test_that_a_long_label_is_cut_and_its_tooltip_says_the_rest(theme: Theme, qtbot: QtBot) -> None:
    label = ElidedLabel("Refunds and cancellations")
    qtbot.addWidget(label)
    label.resize(60, 18)
    label.show()
    assert label.toolTip() == "Refunds and cancellations"
    label.resize(400, 18)
    assert label.toolTip() == ""


def test_that_markup_in_a_label_is_shown_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    label = Label("<b>not bold</b>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_that_a_paragraph_is_as_high_as_its_lines(theme: Theme, qtbot: QtBot) -> None:
    paragraph = Paragraph(theme, [Run("When it is late ", weight=600), Run("जैन डब्बा " * 20)], px=14, line=21)
    qtbot.addWidget(paragraph)
    assert paragraph.heightForWidth(200) % 21 == 0
    assert paragraph.heightForWidth(200) > paragraph.heightForWidth(2000) >= 21
    paragraph.set_text("")
    assert paragraph.heightForWidth(200) == 0


def test_that_struck_text_has_a_line_through_it(theme: Theme, qtbot: QtBot) -> None:
    paragraph = Paragraph(theme, [Run("Your courier Ravi will reach Gate 2", "text-3")])
    qtbot.addWidget(paragraph)
    paragraph.resize(300, 18)
    plain = paragraph.grab().toImage()
    paragraph.set_runs([Run("Your courier Ravi will reach Gate 2", "text-3", strike="error")])
    assert paragraph.grab().toImage() != plain


def test_that_flowing_widgets_start_a_new_line_when_there_is_no_room(theme: Theme, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder, gap=6, line_gap=4)
    for _ in range(4):
        box = QLabel()
        box.setFixedSize(50, 20)
        flow.addWidget(box)
    assert flow.heightForWidth(400) == 20
    assert flow.heightForWidth(110) == 44
    flow.clear()
    assert flow.count() == 0


def test_that_cancelling_a_job_says_stopping_at_once(theme: Theme, qtbot: QtBot) -> None:
    row = JobRow(theme)
    qtbot.addWidget(row)
    row.show_job(JobShown("Import of help-centre-2026", fraction=0.5, figures=("128 of 220 files", "21 s left")))
    cancel = row.findChild(Button)
    assert cancel is not None
    with qtbot.waitSignal(row.cancel_asked):
        qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert cancel.text() == "Stopping…"
    assert not cancel.isEnabled()
    row.reset()
    assert cancel.text() == "Cancel"


def test_that_what_is_this_opens_below_its_button(theme: Theme, qtbot: QtBot) -> None:
    panel = Panel(
        theme, "Prefix hit", "%", help_text="Share of prompt tokens read from the prefix cache.", expandable=True
    )
    qtbot.addWidget(panel)
    panel.resize(400, 200)
    panel.show()
    button = next(b for b in panel.findChildren(IconButton) if b.accessibleName() == "What is this?")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = panel.findChild(HelpPopup)
    assert popup is not None
    assert popup.isVisible()
    assert popup.height() < 120
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_that_a_panel_asks_to_be_shown_full_screen(theme: Theme, qtbot: QtBot) -> None:
    panel = Panel(theme, "Batch", "sequences", expandable=True)
    qtbot.addWidget(panel)
    expand = panel.findChild(IconButton)
    assert expand is not None
    with qtbot.waitSignal(panel.expand_asked):
        qtbot.mouseClick(expand, Qt.MouseButton.LeftButton)


def test_that_an_alert_changes_the_look_of_a_tile(theme: Theme, qtbot: QtBot) -> None:
    tile = Tile(theme, "TTFT p95, 1 min", help_text="Seconds to the first token.")
    qtbot.addWidget(tile)
    tile.resize(216, 84)
    tile.show_figures(TileFigures((Figure("0.52", "s"),), "SLO 0.80 s"))
    calm = tile.grab().toImage()
    tile.show_figures(TileFigures((Figure("1.12", "s"),), "SLO 0.80 s", alert=True))
    assert tile.property("card") == "alert"
    assert tile.grab().toImage() != calm


def test_that_an_empty_state_offers_its_action_only_when_there_is_one(theme: Theme, qtbot: QtBot) -> None:
    empty = EmptyState(theme, "No article matches “xyz”.", "Clear the filter", icon="articles")
    qtbot.addWidget(empty)
    empty.resize(400, 200)
    empty.show()
    button = empty.findChild(Button)
    assert button is not None
    with qtbot.waitSignal(empty.acted):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    empty.say("No articles yet. Add a folder or drop files here.")
    assert not button.isVisible()


def test_that_a_header_keeps_its_actions_when_the_window_is_narrow(theme: Theme, qtbot: QtBot) -> None:
    header = PageHeader("Articles")
    qtbot.addWidget(header)
    action = Button(theme, "New article", "primary")
    header.set_truth("Generation 15 in service since 12:40:02, 46 articles, 214 chunks")
    header.add_gap()
    header.add_action(action)
    header.resize(320, 48)
    header.show()
    assert header.rect().contains(action.mapTo(header, QPoint(action.width() - 1, 4)))


def test_that_bars_show_what_they_are_told(theme: Theme, qtbot: QtBot) -> None:
    progress, usage, stacked, icon = ProgressBar(theme), UsageBar(theme), StackedBar(theme), Icon(theme, "ok", "ok")
    for widget in (progress, usage, stacked, icon):
        qtbot.addWidget(widget)
        widget.resize(100, widget.height())
    progress.set_fraction(0.5)
    image = progress.grab().toImage()
    assert image.pixelColor(25, 2) == theme.color("accent")
    assert image.pixelColor(75, 2) == theme.color("pressed")
    usage.set_share(0.76, "warn")
    assert usage.grab().toImage().pixelColor(30, 3) == theme.color("warn")
    stacked.set_pieces([Piece(50, "seg-b"), Piece(50, series=1)])
    assert stacked.grab().toImage().pixelColor(75, 5) == theme.series_fill(1)
    icon.set_icon("error", "error")
    assert not icon.grab().isNull()


def test_that_a_caption_without_room_gives_way_to_its_short_form(theme: Theme, qtbot: QtBot) -> None:
    tile = Tile(theme, "TTFT p95, 1 min")
    qtbot.addWidget(tile)
    tile.show_figures(
        TileFigures((Figure("0.52", "s"),), "SLO 0.80 s, engine 0.5 to 0.75 s", short="engine 0.5 to 0.75 s")
    )
    said = [label for label in tile.findChildren(ElidedLabel) if "engine" in label.text()]
    for width, words in ((240, "SLO 0.80 s, engine 0.5 to 0.75 s"), (150, "engine 0.5 to 0.75 s")):
        tile.resize(width, 84)
        tile.show()
        QApplication.processEvents()
        assert [label.text() for label in said] == [words]


def test_that_a_paragraph_breaks_its_text_once_for_each_width(theme: Theme, qtbot: QtBot) -> None:
    paragraph = Paragraph(theme, (Run("one two three four five six seven eight nine ten " * 4),))
    qtbot.addWidget(paragraph)
    wide, narrow = paragraph.heightForWidth(600), paragraph.heightForWidth(200)
    assert wide < narrow
    assert (paragraph.heightForWidth(600), paragraph.heightForWidth(200)) == (wide, narrow)
    paragraph.set_text("one")
    assert paragraph.heightForWidth(200) < narrow
