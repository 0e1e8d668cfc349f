"""Messages grow at their end, sources open, withheld sentences stay visible to staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from console.widgets.buttons import IconButton
from console.widgets.growing_text import GrowingText
from console.widgets.key_value import KeyValueGrid, Pair
from console.widgets.label import Label
from console.widgets.list_rows import Heading, ListRow, ListRows
from console.widgets.menu import Menu, MenuEntry
from console.widgets.message import MessageAction, MessageHead, MessageView, TurnFrame
from console.widgets.message_blocks import CitationChip, StatementCard, StreamingCursor, WithheldBlock
from console.widgets.pill import Pill, PillMark

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme


@pytest.fixture
def message(theme: Theme, qtbot: QtBot) -> MessageView:
    made = MessageView(
        theme, MessageHead("Dabba bot", meta="Help, 1 source", time="2.10 s"),
        (MessageAction("up", "thumb-up", "Good answer"), MessageAction("copy", "copy", "Copy")),
    )  # fmt: skip
    qtbot.addWidget(made)
    made.resize(640, 300)
    made.show()
    return made


def texts(message: MessageView) -> list[str]:
    return [text.toPlainText() for text in message.findChildren(GrowingText)]


def test_that_text_grows_at_its_end_without_touching_what_is_there(message: MessageView) -> None:
    message.append_text("If you cancel before 09:00, ")
    document = message.findChildren(GrowingText)[0].document()
    positions: list[int] = []
    document.contentsChange.connect(lambda position, removed, added: positions.append(position if not removed else -1))
    message.append_text("the whole amount is returned.")
    assert texts(message) == ["If you cancel before 09:00, the whole amount is returned."]
    assert positions == [28]


def test_that_a_message_is_as_high_as_its_text(message: MessageView) -> None:
    message.append_text("One line.")
    text = message.findChildren(GrowingText)[0]
    assert text.height() == 21
    message.append_text(" More words for the answer." * 20)
    QApplication.processEvents()
    assert text.height() > 80
    assert text.height() % 21 == 0


def test_that_a_citation_square_opens_its_source(message: MessageView, qtbot: QtBot) -> None:
    message.append_text("UPI refunds arrive within 2 working days.")
    message.append_citation(2)
    text = message.findChildren(GrowingText)[0]
    with qtbot.waitSignal(message.cited) as seen:
        text.anchorClicked.emit(QUrl("cite:2"))
    assert seen.args == [2]


def test_that_citation_squares_follow_the_theme(message: MessageView, theme: Theme) -> None:
    message.append_text("Refunds take 2 days.")
    message.append_citation(1)
    theme.set_name("dark")
    cursor = QTextCursor(message.findChildren(GrowingText)[0].document())
    cursor.setPosition(len("Refunds take 2 days.") + 3)
    assert cursor.charFormat().background().color() == theme.color("accent-tint")


def test_that_a_chip_below_opens_its_source(message: MessageView, qtbot: QtBot) -> None:
    message.append_text("Refunds take 2 days.")
    message.add_source(1, "Refunds and cancellations › Before 09:00")
    message.add_source(2, "Refunds and cancellations › How long it takes")
    chips = message.findChildren(CitationChip)
    assert chips[1].accessibleName() == "Source 2: Refunds and cancellations › How long it takes"
    with qtbot.waitSignal(message.cited) as seen:
        qtbot.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    assert seen.args == [2]


def test_that_text_after_a_block_starts_below_it(message: MessageView, theme: Theme) -> None:
    message.append_text("Before.")
    card = StatementCard(
        theme, "Order KD-4821", "read from the order system, written by code",
        "Your lunch left the kitchen at 12:31.", PillMark("Out for delivery", "ok"),
    )  # fmt: skip
    message.add_block(card)
    card.set_sentence("Your lunch left the kitchen at 12:31. As of 12:41:07.")
    message.append_text("After.")
    message.add_block(
        WithheldBlock(theme, "Your courier Ravi will reach Gate 2.", "Courier “Ravi” is not in the evidence.")
    )
    QApplication.processEvents()
    assert texts(message) == ["Before.", "After."]
    first, second = message.findChildren(GrowingText)
    assert first.y() < card.y() < second.y()
    assert not message.grab().isNull()


def test_that_the_cursor_stays_last_and_goes_when_the_message_ends(message: MessageView) -> None:
    message.set_streaming("next sentence is being checked")
    message.append_text("First sentence.")
    cursor = message.findChildren(StreamingCursor)[0]
    QApplication.processEvents()
    assert cursor.y() > message.findChildren(GrowingText)[0].y()
    message.set_streaming("writing the next sentence")
    assert cursor.accessibleName() == "writing the next sentence"
    message.set_streaming("")
    assert not cursor.isVisible()


def test_that_a_message_can_be_rated_only_when_it_is_whole(message: MessageView) -> None:
    buttons = message.findChildren(IconButton)
    message.set_streaming("next sentence is being checked")
    assert not any(button.isVisible() for button in buttons)
    message.set_streaming("")
    assert all(button.isVisible() for button in buttons)


def test_that_an_action_says_its_key(message: MessageView, qtbot: QtBot) -> None:
    button = next(b for b in message.findChildren(IconButton) if b.accessibleName() == "Good answer")
    with qtbot.waitSignal(message.acted) as seen:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert seen.args == ["up"]
    before = button.icon().cacheKey()
    message.set_action("up", on=True)
    assert button.icon().cacheKey() != before


def test_that_a_selected_turn_is_marked(theme: Theme, qtbot: QtBot) -> None:
    frame = TurnFrame(theme)
    qtbot.addWidget(frame)
    frame.body.addWidget(Label("where is my lunch?"))
    frame.resize(300, 60)
    frame.show()
    plain = frame.grab().toImage()
    with qtbot.waitSignal(frame.clicked):
        qtbot.mouseClick(frame, Qt.MouseButton.LeftButton)
    frame.set_selected(True)
    marked = frame.grab().toImage()
    assert marked != plain
    assert marked.pixelColor(0, 30) == theme.color("accent")


ROWS = (
    Heading("Today"),
    ListRow("m", "Meera Joshi", "12:41", "क्या जैन डब्बे में प्याज़", series=1, icon=("eye-off", "warn")),
    ListRow("r", "Rohan Deshpande", "12:39", "mera dabba kidhar hai?", series=1),
    ListRow("e", "kitchen-gpu", "lost", "attached, no answer since 08:52", dot="error", time_color="error"),
)


def test_that_a_list_tells_what_is_picked_and_keeps_it(theme: Theme, qtbot: QtBot) -> None:
    rows = ListRows(theme, empty="No conversations yet.", name="Conversations")
    qtbot.addWidget(rows)
    rows.resize(256, 300)
    rows.show()
    assert not rows.grab().isNull()
    rows.set_rows(ROWS)
    with qtbot.waitSignal(rows.picked) as seen:
        rows.pick("m")
    assert seen.args == ["m"]
    rows.set_rows((ListRow("new", "New one"), *ROWS))
    assert rows.picked_key == "m"
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    assert rows.picked_key == "r"
    assert not rows.grab().isNull()
    rows.pick("nobody")
    assert rows.picked_key == ""


def test_that_a_heading_cannot_be_picked(theme: Theme, qtbot: QtBot) -> None:
    rows = ListRows(theme)
    qtbot.addWidget(rows)
    rows.set_rows(ROWS)
    rows.resize(256, 300)
    rows.show()
    rows.pick("m")
    qtbot.keyClick(rows, Qt.Key.Key_Up)
    assert rows.picked_key == "m"
    assert rows.sizeHintForIndex(rows.model().index(0, 0)).height() == 26


def test_that_pairs_are_replaced_and_shown_in_two_columns(theme: Theme, qtbot: QtBot) -> None:
    grid = KeyValueGrid(theme, columns=2)
    qtbot.addWidget(grid)
    grid.set_pairs([Pair("order", "KD-4821"), Pair("status", pill=PillMark("Placed")), Pair("version", "7", mono=True)])
    grid.resize(320, 60)
    grid.show()
    assert grid.findChild(Pill) is not None
    grid.set_pairs([Pair("order", "KD-4822")])
    QApplication.processEvents()
    visible = [label.text() for label in grid.findChildren(Label) if label.isVisible()]
    assert sorted(visible) == ["KD-4822", "order"]


def test_that_a_menu_says_which_entry_was_chosen(theme: Theme, qtbot: QtBot) -> None:
    menu = Menu(
        theme, [MenuEntry("edit", "Edit", "edit", "E"), MenuEntry(""), MenuEntry("no", "Delete…", enabled=False)]
    )
    qtbot.addWidget(menu)
    with qtbot.waitSignal(menu.chosen) as seen:
        menu.actions()[0].trigger()
    assert seen.args == ["edit"]
    assert menu.actions()[1].isSeparator()
    assert not menu.actions()[2].isEnabled()
