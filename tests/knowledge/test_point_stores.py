"""Both stores by the same tests: what one does the other does, and each finds exactly what `permits` allows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.article import Article, ArticleStatus, Asker, Audience
from knowledge.permission import permits
from knowledge.point_filter import EVERYBODY, AnyOf, Number, findable, holds, points_of
from knowledge.point_store import facts_of
from knowledge.point_store_edge import EdgeStore
from tests.knowledge.stores import DIM, drop, edge_store, server_store, unit, vector_point
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.article import ArticleText
    from knowledge.point_filter import Facts
    from knowledge.point_store import PointStore

pytestmark = pytest.mark.filterwarnings("ignore:Local mode performs exact")  # the client's own store says so
DAY = date(2026, 11, 30)
ASKER = Asker("kamala", Audience.CUSTOMERS, "en", DAY)
TENANTS = ("kamala", "meridian", "annapurna", "*", "Kamala", "kamala ")


@pytest.fixture(params=["folder", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PointStore]:
    if request.param == "folder":
        made = edge_store(tmp_path)
        yield made
        made.close()
    else:
        server = server_store()
        yield server
        drop(server)


def facts(article_id: str = "a", generation: int = 1) -> dict[str, object]:
    return facts_of(article_text(), article_id, generation)


def test_that_a_store_keeps_counts_changes_and_deletes(store: PointStore) -> None:
    store.write([vector_point(number, facts(f"a{number % 3}", 1 + number % 2)) for number in range(12)])
    assert store.count(points_of("a0")) == 4
    assert store.count(points_of("a0", only=1)) == store.count(points_of("a0", keep=2)) == 2
    store.set_facts(points_of("a0", only=1), {"status": "retired"})
    kept = store.facts()
    states = [kept[vector_point(number, {}).point_id]["status"] for number in (0, 3, 6)]
    assert states == ["retired", "published", "retired"]
    assert kept[vector_point(0, {}).point_id] == facts("a0") | {"status": "retired"}
    assert len(store.search(vector_point(1, {}).whole, findable(ASKER, ["en"]), 20)) == 10
    store.delete(points_of("a0", keep=2))
    store.delete_points([vector_point(3, {}).point_id, str(uuid.UUID(int=999))])
    assert store.count(points_of("a0")) == 1
    store.write([vector_point(9, facts("b"))])
    assert [store.count(points_of("a0")), store.count(points_of("b"))] == [0, 1]


def test_that_a_store_gives_back_what_was_written(store: PointStore) -> None:
    written = [vector_point(number, facts()) for number in range(3)]
    store.write(written)
    read = {point.point_id: point for point in store.read([point.point_id for point in written] + [str(uuid.uuid4())])}
    assert read.keys() == {point.point_id for point in written}
    for point in written:
        assert read[point.point_id].facts == point.facts
        np.testing.assert_allclose(read[point.point_id].whole, point.whole, atol=1e-6)
        np.testing.assert_allclose(read[point.point_id].sentences, point.sentences, atol=1e-6)


def test_that_hits_tell_both_likenesses_and_equals_come_by_id(store: PointStore) -> None:
    same = [replace(vector_point(1, facts()), point_id=str(uuid.UUID(int=900 - n))) for n in range(4)]
    store.write([*same, vector_point(2, facts())])
    question = vector_point(1, {}).whole
    hits = store.search(question, findable(ASKER, ["en"]), 5)
    assert [hit.point_id for hit in hits[:4]] == sorted(point.point_id for point in same)
    assert hits[0].whole == pytest.approx(1, abs=1e-5)
    assert hits[0].nearest == pytest.approx(float(np.max(same[0].sentences @ question)), abs=1e-5)


def test_that_the_same_question_gives_the_same_ids_in_a_folder_and_on_a_server(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    folder, server = edge_store(tmp_path), server_store()
    points = [vector_point(number, facts_of(_any_text(number), f"a{number // 4}", 1)) for number in range(400)]
    for one in (folder, server):
        one.write(points)
    for language in ("en", "hi"):
        for tenant in ("kamala", "meridian"):
            for _ in range(10):
                asked = unit(random)[0]
                found = findable(replace(ASKER, tenant_id=tenant), [language])
                there, here = server.search(asked, found, 10), folder.search(asked, found, 10)
                assert [hit.point_id for hit in here] == [hit.point_id for hit in there]
                assert [hit.nearest for hit in here] == pytest.approx([hit.nearest for hit in there], abs=1e-5)
    folder.close()
    drop(server)


def _any_text(number: int) -> ArticleText:
    tenants = ((), ("kamala",), ("meridian",), ("kamala", "meridian"))[number % 4]
    return article_text(tenants=tenants, language=("en", "en-IN", "hi")[number % 3])


DAYS = st.one_of(st.none(), st.integers(-2, 2).map(lambda days: DAY + timedelta(days=days)))
ARTICLES = st.builds(
    lambda tenants, audience, language, start, end, status: Article(
        "a",
        article_text(tenants=tuple(tenants), audience=audience, language=language, valid_from=start, valid_to=end),
        status,
        1,
        1,
        datetime(2026, 1, 1, tzinfo=UTC),
    ),
    st.lists(st.sampled_from(TENANTS), max_size=3, unique=True),
    st.sampled_from(Audience),
    st.sampled_from(("en", "en-IN", "hi", "mr")),
    DAYS,
    DAYS,
    st.sampled_from(ArticleStatus),
)
ASKERS = st.builds(
    Asker,
    st.sampled_from(TENANTS),
    st.sampled_from(Audience),
    st.just("en"),
    st.integers(-3, 3).map(lambda days: DAY + timedelta(days=days)),
)


def told(article: Article, number: int = 0) -> Facts:
    """The facts of an article's points, status as it is now."""
    return facts_of(article.text, f"a{number}", 1) | {"status": article.status.value}


@given(ARTICLES, ASKERS)
def test_that_the_filter_says_what_the_row_says(article: Article, asker: Asker) -> None:
    found = holds(findable(asker, ["en", "hi", "mr"]), told(article))
    assert found is permits(article, asker) or (asker.tenant_id == EVERYBODY and not found)
    assert not holds(findable(asker, []), told(article))
    assert not holds(findable(asker, ["en", "hi", "mr"]), {})


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(articles=st.lists(ARTICLES, min_size=1, max_size=30), askers=st.lists(ASKERS, min_size=1, max_size=4))
def test_that_a_store_finds_exactly_what_the_rows_permit(
    store: PointStore, articles: list[Article], askers: list[Asker]
) -> None:
    store.delete((Number("generation", least=0),))
    store.write([vector_point(number, told(article, number)) for number, article in enumerate(articles)])
    for asker in askers:
        hits = store.search(vector_point(0, {}).whole, findable(asker, ["en", "hi", "mr"]), 100)
        found, allowed = (
            {hit.article_id for hit in hits},
            {f"a{n}" for n, a in enumerate(articles) if permits(a, asker)},
        )
        assert found == allowed or (asker.tenant_id == EVERYBODY and found < allowed)  # no tenant has that name


def test_that_a_point_without_facts_is_never_found(store: PointStore) -> None:
    whole = facts()
    points = [vector_point(0, {}), *(vector_point(n, whole | {key: None}) for n, key in enumerate(whole, 1))]
    points += [vector_point(20 + n, {k: v for k, v in whole.items() if k != key}) for n, key in enumerate(whole)]
    store.write(points)
    needed = {"language", "tenants", "audience", "status", "valid_from", "valid_to"}
    found = store.count(findable(ASKER, ["en"]))
    assert found == 2 * len(whole.keys() - needed)
    assert store.count((AnyOf("article_id", ()),)) == 0


WRITER = """
import sys
from pathlib import Path
from tests.knowledge.stores import edge_store, vector_point
store = edge_store(Path(sys.argv[1]))
for number in range(100_000):
    store.write([vector_point(8 * number + n, {"article_id": f"a{number}", "generation": 1}) for n in range(8)])
    if number == 30:
        store.set_facts((), {"status": "published"})
        print("writing", flush=True)
"""


def test_that_a_process_killed_while_it_writes_leaves_a_whole_index(tmp_path: Path) -> None:
    for _ in range(2):
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as child:
            assert child.stdout
            child.stdout.readline()
            os.kill(child.pid, signal.SIGKILL)
        store = EdgeStore(tmp_path / "edge", DIM)
        kept = store.facts()
        assert len(kept) >= 31 * 8
        assert store.count((Number("generation", least=1, most=1),)) == len(kept)
        assert len(store.read(list(kept))) == len(kept)
        assert sum(one.get("status") == "published" for one in kept.values()) >= 31 * 8
        for number in range(0, 31 * 8, 50):
            point = vector_point(number, {})
            (hit,) = store.search(point.whole, (AnyOf("status", ("published",)),), 1)
            assert hit.point_id == point.point_id
        store.close()
