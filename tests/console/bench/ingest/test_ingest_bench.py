"""What the ingest bench feeds to the library, and how it counts."""

from __future__ import annotations

import pytest

from console.bench.ingest.embedders import InstantEmbedder, NotingEmbedder
from console.bench.ingest.memory import own_mib, slope
from console.bench.ingest.run import TARGETS
from console.bench.ingest.texts import SECTIONS, article, sample_sections
from console.bench.report import judge
from tests.fakes.embedder import WordEmbedder


def test_that_an_article_says_always_the_same_and_no_two_do() -> None:
    sections = sample_sections()
    assert len(sections) > 100
    assert article(sections, 7) == article(sections, 7)
    bodies = {article(sections, number).split("---", 2)[2] for number in range(50)}
    assert len(bodies) == 50
    assert all(SECTIONS[0] <= body.count("## ") <= SECTIONS[1] for body in bodies)


def test_that_only_texts_of_articles_are_noted() -> None:
    noting = NotingEmbedder(WordEmbedder())
    noting.embed(["one two"])
    noting.embed_question("three")
    assert noting.noted == ["one two"]
    assert noting.count_tokens("one two") == 4


def test_that_the_instant_embedder_brings_texts_near_that_share_words() -> None:
    late, later, steel = InstantEmbedder().embed(["a late box", "a late lunch box", "steel lids"])
    assert late @ late == pytest.approx(1)
    assert late @ later > 0.8 > 0.3 > late @ steel
    assert (InstantEmbedder().embed_question("a late box") == late).all()


def test_that_growth_is_told_by_its_slope() -> None:
    assert slope([(0, 10.0), (1000, 12.0), (2000, 14.0)]) == pytest.approx(0.002)
    assert slope([(0, 10.0)]) == 0
    assert own_mib() > 1


def test_that_a_figure_that_could_not_be_measured_is_a_miss() -> None:
    figures = dict.fromkeys(TARGETS, 0.0) | {"ratio_to_bare_fastembed": 0.95, "replace_s": None}
    result = judge("ingest", figures, TARGETS)
    assert not result.ok
    assert [name for name, held in result.holds.items() if not held] == ["replace_s"]
