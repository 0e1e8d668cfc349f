"""A citation number opens the text that carries the sentence, whatever order the passages were found in."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from console.widgets.message_blocks import CitationChip
from engine_host.answering.events import Text
from tests.console.chat.conftest import text_of
from tests.console.chat.kitchen import EARLY, LONG, PASSAGES, Pen, passage
from tests.console.chat.test_page import ask, release, wait_for_end

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTextBrowser

    from knowledge.article import Passage
    from tests.console.chat.conftest import Desk

REFUND = "How long does a refund take?"


@pytest.mark.parametrize("passages", [*permutations(PASSAGES)])
def test_that_each_number_opens_the_text_that_carries_its_sentence(desk: Desk, passages: tuple[Passage, ...]) -> None:
    pen = Pen(words=(f"{EARLY} ", LONG))
    desk.open(pen)
    desk.kitchen.library.passages = passages
    page = desk.page()
    ask(desk, page, REFUND)
    release(desk, pen)
    wait_for_end(desk, page)
    written = {event.citations[0]: event.text for event in page.presenter.shown.turns[-1].all_of(Text)}
    assert sorted(written) == [1, 2]
    for chip in page.transcript.findChildren(CitationChip):
        number = int(chip.accessibleName().removeprefix("Source ").partition(":")[0])
        desk.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        desk.until(lambda number=number: marked(page.side.source.text) == written[number])
        desk.qtbot.keyClick(page, Qt.Key.Key_Escape)


def test_that_a_quotation_opens_the_passage_that_it_was_taken_from(desk: Desk) -> None:
    desk.open()
    desk.kitchen.library.passages = (passage("Boxes are round.", "", 0.2), PASSAGES[1], PASSAGES[0])
    page = desk.page()
    ask(desk, page, "How long does a card refund take?")
    wait_for_end(desk, page)
    assert f"“{LONG}”" in text_of(page.transcript).replace("\n", "")
    desk.qtbot.mouseClick(page.transcript.findChildren(CitationChip)[0], Qt.MouseButton.LeftButton)
    desk.until(lambda: marked(page.side.source.text) == LONG)


def marked(browser: QTextBrowser) -> str:
    """The words with a background."""
    found, block = "", browser.document().begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            part = parts.fragment()
            if part.charFormat().background().style() is not Qt.BrushStyle.NoBrush:
                found += part.text()
            parts += 1
        block = block.next()
    return found
