"""What staff are told of every passage near a question."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.article import Article, ArticleStatus, Asker, Audience
from knowledge.explain import Verdict, hidden_because
from knowledge.permission import permits
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.explain import Explained
    from knowledge.library import Library

    Write = Callable[..., Path]

TODAY = date(2026, 11, 30)
ASKER = Asker("kamala", Audience.CUSTOMERS, "en", TODAY)


async def by_title(library: Library, question: str, asker: Asker = ASKER) -> dict[str, Explained]:
    return {one.title: one for one in await library.explain(question, asker, 10)}


async def test_that_every_near_passage_has_its_scores_and_why_it_is_not_shown(library: Library, write: Write) -> None:
    await library.add_file(write("all.md", "late rule for all", title="All"))
    await library.add_file(write("far.md", "elephants swim well", title="Far"))
    await library.add_file(write("theirs.md", "late rule of meridian", title="Theirs", tenants="meridian"))
    await library.add_file(write("staff.md", "late rule for staff", title="Staff", audience="staff"))
    await library.add_file(write("old.md", "late rule of old", title="Old", valid_to="2026-11-29"))
    await library.add_file(write("new.md", "late rule to come", title="New", valid_from="2026-12-01"))
    await library.add_file(write("hindi.md", "late rule", title="Hindi", language="hi"))
    told = await by_title(library, "late rule")
    assert {title: one.verdict for title, one in told.items()} == {
        "All": Verdict.GIVEN,
        "Far": Verdict.UNDER_THRESHOLD,
        "Theirs": Verdict.OTHER_TENANT,
        "Staff": Verdict.OTHER_AUDIENCE,
        "Old": Verdict.EXPIRED,
        "New": Verdict.NOT_YET_VALID,
        "Hindi": Verdict.OTHER_LANGUAGE,
    }
    best, theirs = told["All"], told["Theirs"]
    (shown,) = (one for one in (await library.retrieve("late rule", ASKER, 1)).passages)
    assert (best.place, best.score, best.text) == (1, shown.score, shown.text)
    assert best.words == theirs.words == 1
    assert best.bm25 > 0 == theirs.bm25
    assert best.dense > told["Far"].dense
    assert theirs.place is None
    assert theirs.score > 0.3


async def test_that_the_order_is_what_was_shown_and_then_by_score(library: Library, write: Write) -> None:
    for number in range(4):
        await library.add_file(write(f"{number}.md", f"late rule {'box ' * number}", title=f"T{number}"))
    explained = await library.explain("late rule", ASKER, 2)
    assert [one.place for one in explained] == [1, 2, None, None]
    assert [one.verdict for one in explained[2:]] == [Verdict.BEHIND] * 2
    assert explained[2].score >= explained[3].score
    assert await library.explain("  ", ASKER, 2) == ()


async def test_that_other_languages_count_as_searched_when_the_own_one_has_nothing(
    library: Library, write: Write
) -> None:
    await library.add_file(write("late.md", "late dabba free minutes", title="Late"))
    await library.add_file(write("jain.md", "जैन डब्बे में प्याज़ नहीं होता।", title="Jain", language="hi"))
    told = await by_title(library, "late dabba free minutes", Asker("kamala", Audience.CUSTOMERS, "hi", TODAY))
    assert told["Late"].verdict is Verdict.GIVEN


@pytest.mark.parametrize(
    ("status", "verdict"), [(ArticleStatus.RETIRED, Verdict.RETIRED), (ArticleStatus.DRAFT, Verdict.DRAFT)]
)
def test_that_a_state_is_a_verdict(status: ArticleStatus, verdict: Verdict) -> None:
    article = Article("a", article_text(), status, 1, 1, datetime(2026, 1, 1, tzinfo=UTC))
    assert hidden_because(article, ASKER, ["en"]) is verdict


DAYS = st.sampled_from((None, date(2026, 11, 29), TODAY, date(2026, 12, 1)))


@given(
    st.lists(st.sampled_from(("kamala", "meridian")), max_size=2),
    st.sampled_from(Audience),
    st.sampled_from(Audience),
    DAYS,
    DAYS,
    st.sampled_from(ArticleStatus),
)
def test_that_what_is_hidden_is_just_what_is_not_permitted(
    tenants: list[str],
    audience: Audience,
    asks: Audience,
    start: date | None,
    end: date | None,
    status: ArticleStatus,
) -> None:
    text = article_text(tenants=tuple(tenants), audience=audience, valid_from=start, valid_to=end)
    article = Article("a", text, status, 1, 1, datetime(2026, 1, 1, tzinfo=UTC))
    asker = Asker("kamala", asks, "en", TODAY)
    assert (hidden_because(article, asker, ["en"]) is None) is permits(article, asker)
    assert hidden_because(article, asker, []) is not None
