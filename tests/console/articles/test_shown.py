"""What the page says, as pure functions of records."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from console.articles.article_shown import derive_chunks, derive_facts
from console.articles.delete_dialog import derive_warning
from console.articles.search_shown import (
    derive_footer,
    derive_hits,
    derive_measure,
    derive_why,
    language_choices,
)
from console.articles.table_shown import (
    derive_counts,
    derive_empty,
    derive_filter,
    derive_shelf,
    derive_truth,
    find_by_name,
)
from console.articles.words import day_text, moment_text, readers_text, validity_text
from knowledge.article import ArticleStatus, Audience
from knowledge.explain import Verdict
from tests.console.articles.kitchen import KAMALA, MERIDIAN, ZONE
from tests.console.articles.made import NOW, TODAY, article, chunk, explained, retrieved

TENANTS = {tenant.tenant_id: tenant for tenant in (KAMALA, MERIDIAN)}


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (None, None, "always"),
        (None, date(2026, 11, 12), "until 12 Nov"),
        (date(2026, 12, 20), date(2027, 1, 2), "20 Dec to 2 Jan"),
        (date(2027, 1, 1), None, "from 1 Jan"),
        (date(2026, 1, 1), None, "from 1 Jan 2026"),
    ],
)
def test_that_validity_is_said_in_days(first: date | None, last: date | None, said: str) -> None:
    assert validity_text(article(first=first, last=last).text, TODAY) == said


def test_that_only_a_far_day_carries_its_year() -> None:
    assert day_text(date(2026, 6, 1), TODAY) == "1 Jun"
    assert day_text(date(2025, 11, 30), TODAY) == "30 Nov 2025"


def test_that_a_change_of_today_shows_its_time_in_the_kitchen() -> None:
    assert moment_text(NOW, NOW, ZONE) == "12:41"
    late_yesterday = datetime(2026, 11, 29, 18, 29, tzinfo=UTC)
    assert moment_text(late_yesterday, NOW, ZONE) == "29 Nov"
    assert moment_text(late_yesterday.replace(minute=31), NOW, ZONE) == "00:01"


@pytest.mark.parametrize(
    ("audience", "tenants", "said"),
    [
        (Audience.CUSTOMERS, (), "Customers, all"),
        (Audience.STAFF, (), "Staff"),
        (Audience.CUSTOMERS, ("meridian",), "Meridian Offices"),
        (Audience.STAFF, ("meridian",), "Staff, Meridian Offices"),
        (Audience.CUSTOMERS, ("kamala", "gone"), "Kamala Dabba, gone"),
    ],
)
def test_that_readers_are_named(audience: Audience, tenants: tuple[str, ...], said: str) -> None:
    assert readers_text(article(audience=audience, tenants=tenants).text, TENANTS) == said


def _shelf():
    articles = (
        article("Refunds", chunks=7),
        article("Office", tenants=("meridian",), chunks=3),
        article("Diwali", last=date(2026, 11, 12), chunks=2),
        article("Monsoon", status=ArticleStatus.RETIRED, chunks=5, body="Rain surcharge of Rs 5."),
    )
    return derive_shelf(articles, tuple(TENANTS.values()), NOW, ZONE)


def test_that_the_truth_counts_only_chunks_in_the_index() -> None:
    assert derive_truth(_shelf().rows) == "4 articles, 12 chunks"
    assert derive_truth(()) == "Nothing in service yet"


def test_that_segments_without_articles_are_left_out() -> None:
    assert derive_counts(_shelf().rows) == {"all": 4, "published": 2, "expired": 1, "retired": 1}
    assert derive_counts(()) == {"all": 0, "published": 0}


def test_that_a_row_shows_state_tenant_and_chunks() -> None:
    refunds, office, diwali, monsoon = _shelf().rows
    assert (refunds.mark.text, refunds.mark.kind, refunds.series) == ("Published", "ok", 0)
    assert (office.audience, office.series) == ("Meridian Offices", 3)
    assert (diwali.mark.text, diwali.mark.kind) == ("Expired", "warn")
    assert (monsoon.mark.kind, monsoon.chunks) == ("neutral", 0)


@pytest.mark.parametrize(
    ("segment", "words", "found"),
    [
        ("all", "", ["Refunds", "Office", "Diwali", "Monsoon"]),
        ("retired", "", ["Monsoon"]),
        ("all", "SURCHARGE rain", ["Monsoon"]),
        ("all", "leela off", ["Office"]),
        ("published", "rain", []),
    ],
)
def test_that_the_filter_reads_title_owner_and_text(segment: str, words: str, found: list[str]) -> None:
    accepts = derive_filter(segment, words)
    assert [row.title for row in _shelf().rows if accepts is None or accepts(row)] == found


def test_that_an_empty_table_says_why() -> None:
    assert derive_empty("all", " xyz ") == 'No article matches "xyz".'
    assert derive_empty("expired", "") == "No article is expired now."
    assert derive_empty("all", "") == "No articles yet. Add a folder or drop files here."


def test_that_an_article_is_found_by_its_file_in_a_folder() -> None:
    inside = article("Late", source="help/late-dabba.en.md")
    assert find_by_name((article(), inside), "late-dabba.en") is inside
    assert find_by_name((inside,), "late-dabba") is None


def test_that_neighbouring_chunks_share_what_overlaps() -> None:
    first, second = chunk(0, 0, "One. Two.", 86), chunk(1, 5, "Two. Three.", 104, heading="")
    shown = derive_chunks(article(), (first, second))
    assert shown.line == "190 tokens in 2 chunks, longest 104 of at most 256"
    assert shown.shares
    assert [one.parts for one in shown.chunks] == [("", "One. ", "Two."), ("Two.", " Three.", "")]
    assert [one.heading for one in shown.chunks] == ["1 Late", "2 Before the first heading"]
    assert [one.series for one in shown.chunks] == [1, 2]


def test_that_gutters_begin_again_after_the_eighth_colour() -> None:
    many = tuple(chunk(n, 20 * n, "Text.") for n in range(9))
    assert [one.series for one in derive_chunks(article(), many).chunks] == [1, 2, 3, 4, 5, 6, 7, 8, 1]


def test_that_a_chunk_within_its_neighbours_keeps_every_letter() -> None:
    shown = derive_chunks(article(), (chunk(0, 0, "abcdef"), chunk(1, 2, "cd"), chunk(2, 3, "def")))
    assert ["".join(one.parts) for one in shown.chunks] == ["abcdef", "cd", "def"]


def test_that_a_retired_article_says_that_its_chunks_do_not_answer() -> None:
    retired = article(status=ArticleStatus.RETIRED)
    assert "none of them answers" in derive_chunks(retired, (chunk(0, 0, "a"),)).note
    draft = derive_chunks(article(status=ArticleStatus.DRAFT), ())
    assert (draft.line, draft.chunks) == ("No chunks.", ())
    assert "Publish it" in draft.note


def test_that_facts_name_the_file_with_a_short_hash() -> None:
    facts = derive_facts(article(), (KAMALA,), NOW, ZONE)
    assert [pair.value for pair in facts.left[1:]] == ["Leela", "Customers, all tenants", "always"]
    assert [pair.value for pair in facts.right] == ["15", "7", "English", "12:41"]
    assert facts.below[0].value == "refunds.en.md, sha 7be4…10c2"
    retired = derive_facts(article(status=ArticleStatus.RETIRED), (), NOW, ZONE)
    assert retired.right[1].value == "0 of 7 in service"


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((0.79, 0.5, 0.2), "2 pass the threshold of 0.43."),
        ((0.79,), "1 passes the threshold of 0.43."),
        ((0.79, 0.6, 0.5), "3 pass the threshold of 0.43; the first 2 are given to the model."),
        (
            (0.39, 0.41),
            "Nothing reaches the threshold of 0.43. The nearest is Title 2 › Heading with 0.41.",
        ),
        ((), "Nothing reaches the threshold of 0.43. No passage has a word in common with the question."),
    ],
)
def test_that_the_footer_says_what_passes(scores: tuple[float, ...], said: str) -> None:
    assert derive_footer(retrieved(*scores), most=2) == said


def test_that_a_search_over_nothing_is_no_answer() -> None:
    assert derive_footer(retrieved(searched=0), most=2).startswith("No chunk is open to this asker")
    assert derive_measure(retrieved()) == "what the bot would get, 31 ms, 214 chunks searched"


def test_that_only_passages_within_threshold_and_number_are_given() -> None:
    hits = derive_hits(
        (explained("a", 0.8, place=1), explained("b", 0.7, place=2), explained("c", 0.2, Verdict.UNDER_THRESHOLD)),
        most=1,
        threshold=0.45,
    )
    assert [(hit.place, hit.given, hit.why) for hit in hits] == [
        ("1", True, "given to the model"),
        ("2", False, "over the threshold, behind those that are given"),
        ("3", False, "not given, under the threshold"),
    ]


def test_that_what_would_be_given_but_may_not_be_seen_follows_what_is_given() -> None:
    hits = derive_hits(
        (
            explained("a", 0.9, Verdict.OTHER_TENANT),
            explained("b", 0.5, place=1),
            explained("c", 0.4, Verdict.EXPIRED),
            explained("d", 0.3, Verdict.UNDER_THRESHOLD),
        ),
        most=4,
        threshold=0.45,
    )
    assert [(hit.key, hit.place, hit.hidden, hit.mark) for hit in hits] == [
        ("b", "1", False, None),
        ("a", "", True, ("lock", "text-3")),
        ("d", "2", False, None),
        ("c", "", True, ("clock", "text-3")),
    ]
    assert derive_why(hits[1]) == "Title a › Heading: not shown: other tenant."


def test_that_other_languages_of_articles_can_be_chosen() -> None:
    tamil = article()
    tamil = replace(tamil, text=replace(tamil.text, language="ta"))
    assert [choice.key for choice in language_choices((article(), tamil))] == ["en", "hi", "mr", "ta"]


def test_that_the_warning_says_what_is_lost() -> None:
    question, loss = derive_warning(article(chunks=1))
    assert question == "Delete “Refunds”?"
    assert loss.startswith("Its text is removed with its 1 chunk, and")
    assert "can't be undone" in loss
