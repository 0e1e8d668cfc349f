"""The collection that is searched, the bare engines, and the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from console.bench.report import judge
from console.bench.retrieve.bare import bare_client, bare_engine, numpy_scan
from console.bench.retrieve.collection import ASKER, CHUNKS, Writer, collection
from console.bench.retrieve.run import TARGETS, figures_of
from knowledge.catalogue import without_text
from knowledge.permission import permits
from storage.queries.shelf import ShelfArticle

if TYPE_CHECKING:
    from pathlib import Path

    from storage.records import ArticleRow


def shelved(row: ArticleRow) -> ShelfArticle:
    return ShelfArticle(
        row.article_id,
        row.generation,
        row.title,
        row.status,
        row.audience,
        row.tenants,
        row.language,
        row.valid_from,
        row.valid_to,
    )


def test_that_a_collection_is_the_same_for_the_same_seed_and_has_every_kind_of_article() -> None:
    made, again = list(collection(400)), list(collection(400))
    assert [one.row for one in made] == [one.row for one in again]
    assert sum(len(one.chunks) for one in made) == sum(len(one.points) for one in made) == 400
    may = [permits(without_text(shelved(one.row)), ASKER) for one in made]
    assert 0.3 < np.mean(may) < 0.9
    assert {one.row.language for one in made} == {"en", "hi"}


def test_that_the_bare_engines_find_the_same_permitted_points(tmp_path: Path) -> None:
    made = list(collection(40 * CHUNKS))
    points = [point for one in made for point in one.points]
    question = Writer(3).vectors(1)[0]
    engine, close_engine = bare_engine(points, tmp_path)
    client, close_client = bare_client(points)
    assert list(numpy_scan(points)(question)) == list(engine(question)) == list(client(question))
    close_engine()
    close_client()


def test_that_questions_are_in_real_words_and_some_have_a_slip_of_the_pen() -> None:
    writer = Writer(1)
    known = set(writer.real)
    questions = [writer.question().strip("?").split()[2:] for _ in range(100)]
    slips = sum(question[0] not in known for question in questions)
    assert 10 < slips < 50
    assert all(word in known for question in questions for word in question[1:])


def test_that_figures_are_told_by_step_and_size_and_held_against_the_targets() -> None:
    figures = figures_of({"total": [1.0] * 19 + [100.0]}, 2_000)
    assert figures["total_p50_2000"] == 1
    assert (figures["total_p95_2000"] or 0) > 25
    result = judge("retrieve", figures, TARGETS)
    assert result.holds == {"total_p95_2000": False, "total_p95_20000": False}


@pytest.mark.parametrize("name", TARGETS)
def test_that_a_target_names_its_size(name: str) -> None:
    assert int(name.rsplit("_", 1)[1]) in {2_000, 20_000}
