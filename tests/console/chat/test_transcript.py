"""The transcript grows and never makes anew what stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from console.chat.transcript import PAGE, Transcript
from engine_host.answering.events import Text
from tests.console.chat.conftest import text_of
from tests.console.chat.kitchen import ZONE
from tests.console.chat.made import FIRST, FOUND, HELD, HELP, OPENED, WRITING, ended, turn

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.chat.tracked import TrackedTurn
    from console.theme.style import Theme


def numbered(count: int) -> list[TrackedTurn]:
    return [
        replace(turn(OPENED, HELP, FOUND, FIRST, ended()), key=f"k{n}", question=f"question {n}") for n in range(count)
    ]


def shown(qtbot: QtBot, theme: Theme, turns: list[TrackedTurn]) -> Transcript:
    transcript = Transcript(theme, ZONE)
    qtbot.addWidget(transcript)
    transcript.resize(760, 600)
    transcript.show()
    transcript.show_thread(turns, turns[-1].key if turns else "", None)
    return transcript


def test_that_sentences_are_added_to_the_item_that_stands(qtbot: QtBot, theme: Theme) -> None:
    running = turn(OPENED, HELP, FOUND, WRITING, running=True)
    transcript = shown(qtbot, theme, [running])
    item = transcript.items[0]
    for number in range(3):
        running = replace(running, events=(*running.events, Text(f"Sentence {number}.", (1,)), HELD))
        transcript.show_turns([running], running.key, 1.0)
    assert transcript.items == (item,)
    assert text_of(item).count("Source 1: Refunds and cancellations › Before 09:00") == 1
    assert [f"Sentence {n}." in text_of(item) for n in range(3)] == [True] * 3


def test_that_new_turns_do_not_make_old_ones_again(qtbot: QtBot, theme: Theme) -> None:
    turns = numbered(PAGE + 3)
    transcript = shown(qtbot, theme, turns[:-2])
    before = transcript.items
    assert len(before) == PAGE
    transcript.show_turns(turns, turns[-1].key, None)
    assert transcript.items[:PAGE] == before
    assert len(transcript.items) == PAGE + 2


def test_that_earlier_turns_come_when_someone_asks(qtbot: QtBot, theme: Theme) -> None:
    turns = numbered(PAGE + 3)
    transcript = shown(qtbot, theme, turns)
    assert "question 0" not in text_of(transcript)
    earlier = next(b for b in transcript.findChildren(QPushButton) if b.text() == "Show earlier turns")
    before = transcript.items
    qtbot.mouseClick(earlier, Qt.MouseButton.LeftButton)
    assert [item.key for item in transcript.items] == [turn.key for turn in turns]
    assert transcript.items[3:] == before
    assert not earlier.isVisible()


def test_that_an_empty_conversation_says_what_to_do(qtbot: QtBot, theme: Theme) -> None:
    transcript = shown(qtbot, theme, [])
    assert "Type a question below as any customer." in text_of(transcript)
    transcript.show_turns(numbered(1), "k0", None)
    assert "Type a question" not in text_of(transcript)


def test_that_it_follows_its_end_unless_a_person_scrolled_up(qtbot: QtBot, theme: Theme) -> None:
    turns = numbered(PAGE)
    transcript = shown(qtbot, theme, turns)
    bar = transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(0)
    transcript.show_turns([*turns, replace(turns[0], key="new")], "new", None)
    qtbot.waitUntil(lambda: len(transcript.items) == PAGE + 1)
    assert bar.value() == 0
