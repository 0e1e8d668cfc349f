"""The judge of the route bench, its sets and its fit."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from console.bench.route.cases import Case, half_of, kitchen_cases, own_cases, public_cases
from console.bench.route.fit import fit, fitted_weights, weighed, write_weights
from console.bench.route.run import Answer, NoEngine, judged, turn_of
from engine_host.answering.follow_up import Before, turn_before
from engine_host.answering.nearest import Examples
from engine_host.answering.patterns import table
from engine_host.answering.route import UNROUTED, Asked, Router

if TYPE_CHECKING:
    from pathlib import Path


def answers(*rows: tuple[str, bool | None, bool]) -> list[Answer]:
    return [Answer(Case(group, "…", wanted), said, 2.0, 1.0) for group, wanted, said in rows]


def test_that_recall_and_precision_are_told_by_set() -> None:
    result = judged(answers(("en", True, True), ("en", True, False), ("en", False, True), ("en", False, False)))
    assert result.figures["recall_en"] == 0.5
    assert result.figures["precision_en"] == 0.5
    assert result.figures["false_alarms_en"] == 0.5
    assert not result.holds["recall_en"]


def test_that_a_set_of_ours_that_is_not_there_is_a_miss_and_a_public_one_is_not() -> None:
    result = judged(answers(("en", True, True)))
    assert (result.holds["recall_en"], result.holds["recall_mr"]) == (True, False)
    assert "recall_bitext" not in result.targets


def test_that_what_is_told_apart_is_not_counted() -> None:
    figures = judged(answers(("bitext_change", None, True), ("bitext_change", None, False))).figures
    assert figures["looked_up_bitext_change"] == 0.5
    assert "recall_bitext_change" not in figures


def test_that_a_set_without_orders_has_no_recall() -> None:
    figures = judged(answers(("hinglish_pi", False, False), ("hinglish_pi", False, True))).figures
    assert figures["false_alarms_hinglish_pi"] == 0.5
    assert "recall_hinglish_pi" not in figures


def test_that_the_halves_of_our_sets_are_both_there_and_differ() -> None:
    dev, heldout = own_cases("dev"), own_cases("heldout")
    assert {case.group for case in dev} == {case.group for case in heldout} == {"en", "hi", "mr", "hinglish"}
    assert not {(case.text, case.before) for case in dev} & {(case.text, case.before) for case in heldout}


def test_that_what_others_wrote_is_a_set_of_its_own() -> None:
    unseen = own_cases("unseen")
    assert {case.group for case in unseen} == {"en_unseen", "hi_unseen", "mr_unseen", "hinglish_unseen"}
    assert len(unseen) == 800
    assert len({case.text for case in unseen} & {case.text for case in own_cases("heldout")}) <= 8


def test_that_no_example_stands_in_a_held_out_half() -> None:
    from engine_host.answering.labelled import examples

    shared = {one.text for one in examples()} & {case.text for case in own_cases("heldout") if not case.before}
    assert len(shared) <= 40, "Two people may type the same; so many were copied."


def test_that_the_kitchen_s_questions_are_for_no_order() -> None:
    assert len(kitchen_cases()) > 100
    assert not any(case.order for case in kitchen_cases())


def test_that_public_sets_are_read_in_halves(tmp_path: Path) -> None:
    folder = tmp_path / "intents" / "bitext"
    folder.mkdir(parents=True)
    rows = [(f"where is order {n}", "track_order") for n in range(40)]
    rows += [(f"make invoice {n}", "get_invoice") for n in range(40)] + [("cancel order", "cancel_order")]
    with (folder / "bitext_customer_service_8k.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["utterance", "intent"])
        writer.writerows(rows)
    clinc = tmp_path / "intents" / "clinc150"
    clinc.mkdir()
    (clinc / "data_full.json").write_text(
        json.dumps({"train": [["where is it", "order_status"], ["play jazz", "play_music"]]}), encoding="utf-8"
    )
    both = public_cases("dev", tmp_path) + public_cases("heldout", tmp_path)
    assert len(both) == len(rows) + 2
    assert {case.order for case in both if case.text == "cancel order"} == {None}
    assert all(half_of(case.text) == "dev" for case in public_cases("dev", tmp_path))


def test_that_no_public_set_is_no_error(tmp_path: Path) -> None:
    assert public_cases("dev", tmp_path) == []


def test_that_a_fit_finds_what_tells_apart() -> None:
    values = np.array([[1.0, 1.0], [1.0, 0.9], [1.0, 0.0], [1.0, 0.1]] * 10)
    weights = fit(values, np.array([1.0, 1.0, 0.0, 0.0] * 10), np.ones(40))
    assert weights[1] > 1 > weights[0]


async def test_that_weights_are_fitted_to_the_examples() -> None:
    weights = await fitted_weights(Examples(None), [Case("en", "is the tawa hot", order=False)], [])
    assert weights["share of votes"] > 0 > weights["always"]


async def test_that_an_example_is_weighed_without_itself() -> None:
    from engine_host.answering.labelled import examples

    text = examples()[0].text
    with_it, without = await weighed(Examples(None), text), await weighed(Examples(None), text, 0)
    assert without["likeness"] < with_it["likeness"]


def test_that_new_weights_take_the_place_of_the_old(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("voters = 7\n\n[weights]\nold = 1.0\n", encoding="utf-8")
    write_weights(file, {"sign thing": 0.5, "always": -1.0})
    assert file.read_text(encoding="utf-8") == 'voters = 7\n\n[weights]\n"always" = -1.0\n"sign thing" = 0.5\n'
    table.cache_clear()


async def test_that_a_turn_before_is_as_it_was_routed() -> None:
    routed = await Router(Examples(None), NoEngine()).route(Asked("where is my dabba", ("KD",)), lambda tokens: None)
    assert turn_before((turn_of("where is my dabba", routed), turn_of("hi", UNROUTED))) == Before(routed)


@pytest.mark.parametrize("text", ["where is my tiffin", " WHERE is my tiffin "])
def test_that_a_text_is_always_in_the_same_half(text: str) -> None:
    assert half_of(text) == half_of("where is my tiffin")
