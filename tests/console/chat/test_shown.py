"""The list, the composer, the source and the book of threads, derived."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from console.chat.acting_shown import Acting, derive_customers, derive_tenants, derive_token
from console.chat.ledger_calls import People, Token
from console.chat.list_shown import day_name, derive_empty, derive_rows
from console.chat.source_shown import GONE, MOVED, RETIRED, derive_lost, derive_source, source_lines
from console.chat.threads import ThreadBook
from console.chat.tracked import TrackedTurn
from console.chat.words import initials
from console.widgets.list_rows import Heading, ListRow
from knowledge.article import ArticleStatus
from storage.queries.review import ReviewList
from storage.records import Conversation
from tests.console.chat.kitchen import ANNAPURNA, ARTICLE, BODY, CUSTOMERS, KAMALA, LONG, PASSAGES, ZONE
from tests.console.chat.made import HELP, NOON, OPENED, ended, kept

TALK = Conversation(
    "c1", "kamala", "C-2291", "Meera Joshi", NOON, NOON, "where is\nmy lunch?", 3, has_withheld=False, flagged=False
)
PEOPLE = People((KAMALA, ANNAPURNA), CUSTOMERS)
TENANTS = {tenant.tenant_id: tenant for tenant in PEOPLE.tenants}


def test_that_conversations_are_grouped_by_the_kitchens_day() -> None:
    # 23:50 in Pune is the same UTC day as noon there; the kitchen's day counts.
    late = replace(TALK, conversation_id="c2", last_at=NOON - timedelta(hours=12, minutes=10))
    old = replace(TALK, conversation_id="c3", tenant_id="gone", last_at=NOON - timedelta(days=4), customer_name="")
    rows = derive_rows(ReviewList((TALK, late, old)), TENANTS, NOON, ZONE)
    assert rows == (
        Heading("Today"),
        ListRow("c1", "Meera Joshi", "12:00", "where is my lunch?", 1),
        Heading("Yesterday"),
        ListRow("c2", "Meera Joshi", "23:50", "where is my lunch?", 1),
        Heading("Thursday 26 November"),
        ListRow("c3", "C-2291", "12:00", "where is my lunch?", 0),
    )
    assert day_name(date(2025, 12, 31), date(2026, 1, 2)) == "Wednesday 31 December 2025"


@pytest.mark.parametrize(
    ("withheld", "flagged", "disliked", "icon"),
    [
        (False, False, False, None),
        (True, False, False, ("eye-off", "warn")),
        (True, True, False, ("flag", "accent-ink")),
        (True, True, True, ("thumb-down", "error")),
    ],
)
def test_that_a_row_carries_the_mark_to_look_at_first(
    withheld: bool, flagged: bool, disliked: bool, icon: object
) -> None:
    talk = replace(TALK, has_withheld=withheld, flagged=flagged)
    listing = ReviewList((talk,), frozenset({"c1"} if disliked else ()))
    row = derive_rows(listing, TENANTS, NOON, ZONE)[1]
    assert isinstance(row, ListRow)
    assert row.icon == icon


def test_that_an_empty_list_says_why() -> None:
    assert derive_empty("all", "").startswith("No conversations yet.")
    assert derive_empty("all", "xyz") == "No conversation matches “xyz”."
    assert derive_empty("review", "") != derive_empty("withheld", "")


def test_that_only_customers_of_the_tenant_can_be_chosen() -> None:
    acting = Acting(PEOPLE, "annapurna")
    assert [choice.key for choice in derive_customers(acting)] == ["", "A-1"]
    assert [choice.series for choice in derive_tenants(PEOPLE)] == [1, 2]
    assert [(choice.key, choice.text) for choice in derive_tenants(People())] == [("", "no tenant yet")]
    assert derive_customers(replace(acting, customer_id="A-9"))[-1].text == "A-9"
    assert Acting(PEOPLE, "kamala", "C-2291").customer_name == "Meera Joshi"


@pytest.mark.parametrize(
    ("left_s", "words"),
    [(899, "token valid 14 min"), (60, "token valid 1 min"), (31, "token valid 31 s"), (0, "token is being signed")],
)
def test_that_the_token_says_how_long_it_is_still_good(left_s: int, words: str) -> None:
    token = Token("kamala", "C-2291", "x", NOON + timedelta(seconds=left_s))
    assert derive_token(Acting(PEOPLE, "kamala", "C-2291", token=token), NOON) == words


def test_that_nobody_has_no_token() -> None:
    assert derive_token(Acting(PEOPLE, "kamala"), NOON) == "no token"


def test_that_the_passage_is_marked_in_the_article() -> None:
    shown = derive_source(ARTICLE, PASSAGES[1])
    marked = [line for line in shown.lines if line.marked]
    assert [(line.text, line.marked) for line in marked] == [(LONG, (0, len(LONG)))]
    assert [line.level for line in shown.lines] == [0, 2, 0, 2, 0]
    assert shown.note == ""


def test_that_a_passage_that_moved_is_found_by_its_words() -> None:
    moved = replace(PASSAGES[1], start=0, end=4)
    assert [line.text for line in derive_source(ARTICLE, moved).lines if line.marked] == [LONG]


def test_that_words_that_stand_twice_are_marked_where_they_are_nearest_to_their_old_place() -> None:
    article = replace(ARTICLE, text=replace(ARTICLE.text, body="Ask us.\n\n## UPI\n\nAsk us.\n"))
    last = replace(PASSAGES[0], text="Ask us.", start=14, end=21)
    assert [bool(line.marked) for line in derive_source(article, last).lines] == [False, False, True]
    first = replace(last, start=2, end=9)
    assert [bool(line.marked) for line in derive_source(article, first).lines] == [True, False, False]


def test_that_a_passage_that_is_gone_is_not_shown_again() -> None:
    gone = replace(PASSAGES[0], text="Refunds take a year.")
    moved, lost = derive_source(ARTICLE, gone), derive_lost(gone)
    retired = derive_source(replace(ARTICLE, status=ArticleStatus.RETIRED), PASSAGES[0])
    assert (moved.note, lost.note, retired.note) == (MOVED, GONE, RETIRED)
    assert len(moved.lines) == 5
    assert not any(line.marked or "year" in line.text for line in moved.lines)
    assert lost.lines == retired.lines == ()


def test_that_a_mark_may_begin_in_a_heading_and_end_in_a_list() -> None:
    body = "# A टिफ़िन\n\n- one\n- two\n"
    lines = source_lines(body, body.index("टि"), body.index("two"))
    assert [(line.text, line.level, line.bullet, line.marked) for line in lines] == [
        ("A टिफ़िन", 1, False, (2, 8)),
        ("one", 0, True, (0, 3)),
        ("two", 0, True, None),
    ]
    assert all(line.marked is None for line in source_lines(BODY, 0, 0))


def test_that_initials_are_two_letters_at_most() -> None:
    assert [initials(name) for name in ("Meera Joshi", "Thomas Q. D'Souza", "ward", "", "Front desk, tower B")] == [
        "MJ", "TD", "W", "?", "FB",
    ]  # fmt: skip


def test_that_a_thread_keeps_its_own_turns_and_takes_the_rest_from_the_ledger() -> None:
    book = ThreadBook()
    key = book.begin("kamala", "C-2291", "Meera Joshi")
    mine = TrackedTurn("own", "now?", NOON + timedelta(minutes=2), "Meera Joshi", running=True)
    book.put(replace(book[key], turns=(mine,)))
    book.add_events(key, "own", (OPENED,))
    assert book[key].conversation_id == "c1"
    assert book.key_of(TALK) == key
    thread = book.merge(key, (kept(HELP, ended(), turn_id="before"), kept(OPENED, HELP, ended())))
    assert [(turn.key, turn.running) for turn in thread.turns] == [("before", False), ("own", True)]
