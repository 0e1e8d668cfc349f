"""What the inspector says, and that what is not known is "–"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from console.chat.figures_shown import derive_peers, derive_sums, derive_time, derive_tokens
from console.chat.inspector_shown import derive_passages, derive_route, derive_withheld
from console.chat.lookups_shown import NO_ORDERS, NO_SUCH_ORDER, derive_lookups
from console.chat.tracked import cited_numbers, source_of
from console.chat.words import UNKNOWN
from engine_host.answering.events import Ended, ModelCalled, PassagesFound, Resumed, Text, ToolCalled
from engine_host.orders.port import VerifiedCustomer
from storage.records import TokenUse, TurnOutcome, TurnTimes
from tests.console.chat.kitchen import PASSAGES, ZONE
from tests.console.chat.made import (
    BOTH,
    CALLED,
    FIRST,
    FOUND,
    HELD,
    HELP,
    NOON,
    OPENED,
    ORDER,
    ROW,
    STATED,
    TIMES,
    ended,
    kept,
    turn,
)

if TYPE_CHECKING:
    from knowledge.article import Passage

OPENED_AS = replace(OPENED, customer=VerifiedCustomer("kamala", "C-2291", NOON))


def test_that_a_turn_that_has_just_begun_knows_nothing() -> None:
    new = turn(running=True)
    figures = (
        derive_route(new).figure,
        derive_lookups(new, ZONE)[0],
        derive_passages(new, ()).figure,
        derive_withheld(new).figure,
        derive_time(new, None).figure,
        derive_tokens(new).figure,
    )
    assert set(figures) == {UNKNOWN}
    assert derive_time(new, None).bars == ()


def test_that_the_route_names_ways_and_rules() -> None:
    shown = derive_route(turn(BOTH, ended(why="The passage was quoted.")))
    assert [(mark.text, rule) for mark, rule in shown.ways] == [
        ("Order", "rule “where is my”"),
        ("Help", "rule “can I change”"),
    ]
    assert (shown.figure, shown.why) == ("under 1 ms", "The passage was quoted.")
    assert derive_route(turn(replace(HELP, help_rule="everything else"))).ways[0][1] == "everything else"


@pytest.mark.parametrize(
    ("by", "nearest", "words"),
    [
        ("rule", "", "Decided by a rule."),
        ("number", "", "Decided by its order number."),
        ("follow-up", "", "Decided by its form: it leans on the turn before, or is too short to stand alone."),
        ("example", "track my package", "Decided by the nearest labelled example: “track my package”."),
        ("model", "has it left", "Decided by the model. Nearest labelled example: “has it left”."),
        ("doubt", "", "Decided by doubt: a look-up costs little."),
        ("a dream", "", "Decided by a dream."),
    ],
)
def test_that_the_route_says_by_what_it_was_decided(by: str, nearest: str, words: str) -> None:
    assert derive_route(turn(replace(ORDER, by=by, nearest=nearest))).by == words


def test_that_a_turn_that_does_not_know_names_its_reason_beside_the_route() -> None:
    down = replace(CALLED, orders=(), http_status=None, reason="The order system gave no answer.")
    shown = derive_route(turn(OPENED_AS, ORDER, down, ended(TurnOutcome.DOES_NOT_KNOW, "We do not know.")))
    assert [(mark.text, words) for mark, words in shown.ways][-1] == ("Does not know", "order system failed")


def test_that_a_look_up_shows_the_row_and_when_it_was_sent() -> None:
    figure, (card,) = derive_lookups(turn(ORDER, CALLED, STATED), ZONE)
    left, right = card.rows[0]
    pairs = {pair.key: pair.value for pair in (*left, *right)}
    assert figure == "118 ms"
    assert (card.request, card.status, card.went) == (CALLED.request, "200", "ok")
    assert pairs == {
        "order": "KD-4821",
        "status": "out_for_delivery",
        "left kitchen": "11:50:00",
        "as of": "12:00:00",
        "version": "7",
        "courier": "Imran",
        "expected": "12:24:00",
        "sent after": "0.02 s",
    }


def test_that_fields_the_row_lacks_are_not_made_up() -> None:
    bare = replace(ROW, left_kitchen_at=None, courier_first_name=None, expected_at=None)
    _, (card,) = derive_lookups(turn(ORDER, replace(CALLED, orders=(bare,))), ZONE)
    values = {pair.key: pair.value for column in card.rows[0] for pair in column}
    assert {values[key] for key in ("left kitchen", "courier", "expected", "sent after")} == {UNKNOWN}


def test_that_a_failed_look_up_says_why() -> None:
    down = ToolCalled("GET /x", None, (), 3000.0, "The order system can't be read.")
    figure, (card,) = derive_lookups(turn(ORDER, down), ZONE)
    assert (figure, card.status, card.went, card.note) == ("3,000 ms", "no answer", "error", down.reason)


def test_that_nothing_found_says_whether_an_order_or_all_of_them_were_asked_for() -> None:
    _, cards = derive_lookups(turn(replace(CALLED, orders=()), replace(CALLED, orders=(), http_status=404)), ZONE)
    assert [(card.went, card.note) for card in cards] == [("ok", NO_ORDERS), ("ok", NO_SUCH_ORDER)]


def test_that_a_status_without_a_meaning_is_a_warning() -> None:
    said = replace(CALLED, orders=(), reason="Order KD-1 has the status in_oven.", unmapped=("in_oven",))
    _, (card,) = derive_lookups(turn(ORDER, said), ZONE)
    assert (card.went, card.status, card.note) == ("warning", "200", said.reason)


def test_that_the_model_s_own_calls_stand_before_the_look_up_that_they_led_to() -> None:
    followed = ModelCalled("look_up_order", '{"order_number": "KD-4821"}', True, "It chose order KD-4821.")
    refused = ModelCalled("refund", "", False, "Not followed: it calls refund, which is no tool here.")
    figure, cards = derive_lookups(turn(HELP, refused, followed, CALLED, STATED), ZONE)
    assert figure == "118 ms"
    assert [(card.request, card.words, card.status, card.went) for card in cards] == [
        ("model: refund", "", "refused", "warning"),
        ("model: look_up_order", followed.arguments, "followed", "ok"),
        (CALLED.request, "", "200", "ok"),
    ]
    assert cards[0].note == refused.reason
    assert derive_lookups(turn(HELP, refused), ZONE)[0] == UNKNOWN


def test_that_a_statement_about_all_orders_belongs_to_no_row() -> None:
    none = replace(STATED, order=None)
    _, (card,) = derive_lookups(turn(ORDER, CALLED, none), ZONE)
    assert card.rows[0][1][-1].value == UNKNOWN


def test_that_only_the_last_reading_of_a_row_was_sent() -> None:
    again = replace(CALLED, orders=(replace(ROW, version=8),))
    _, cards = derive_lookups(turn(ORDER, CALLED, again, replace(STATED, reread=True)), ZONE)
    assert [card.rows[0][1][-1].value for card in cards] == [UNKNOWN, "0.02 s, re-read"]


def test_that_passages_under_the_threshold_are_told_apart() -> None:
    shown = derive_passages(turn(HELP, FOUND, FIRST), (1,))
    assert shown.figure == "3 of 214 chunks, threshold 0.45"
    assert [(row.number, row.score, row.cited, row.given) for row in shown.rows] == [
        ("1", "0.82", True, True),
        ("2", "0.79", False, True),
        ("3", "0.30", False, False),
    ]
    assert shown.note == "3 is under the threshold and was not given to the model."
    low = replace(FOUND, passages=(*PASSAGES, PASSAGES[2]))
    assert derive_passages(turn(low), ()).note.startswith("3 and 4 are under")
    tale = replace(PASSAGES[0], given=False)
    told = derive_passages(turn(replace(FOUND, passages=(tale, *PASSAGES[1:]))), ()).note
    assert told.endswith("model. 2 tells of a single order and was not given to the model.")


def shuffled(*passages: Passage) -> PassagesFound:
    return replace(FOUND, passages=passages)


EARLY, LATE, UNDER = PASSAGES


@pytest.mark.parametrize(
    "passages",
    [(EARLY, LATE, UNDER), (UNDER, EARLY, LATE), (LATE, UNDER, EARLY), (UNDER, LATE, EARLY), (EARLY, UNDER, LATE)],
)
def test_that_a_row_bears_the_number_under_which_it_is_cited(passages: tuple[Passage, ...]) -> None:
    """Citation n is the n-th passage given to the model, wherever those that were not given stand."""
    told = turn(HELP, shuffled(*passages), Text("Cards take longer.", (2,)))
    shown = derive_passages(told, cited_numbers(told))
    cited = source_of(told, 2)
    assert cited is not None
    assert [(row.number, row.heading) for row in shown.rows if row.cited] == [("2", cited.heading_path[0])]
    assert [row.number for row in shown.rows] == ["1", "2", "3"]
    assert [row.given for row in shown.rows] == [True, True, False]
    assert shown.note == "3 is under the threshold and was not given to the model."


def test_that_withheld_sentences_are_counted_among_all_that_were_written() -> None:
    shown = derive_withheld(turn(FIRST, HELD))
    assert shown.figure == "1 of 2 sentences"
    assert shown.rows == ((HELD.text, "It speaks of the customer's order."),)
    assert derive_withheld(turn(FIRST)).figure == "none of 1 sentence"


def test_that_phases_stand_behind_each_other_and_the_longest_is_hot() -> None:
    shown = derive_time(turn(ORDER, STATED, ended()), None)
    assert [(bar.label, bar.start, bar.figure, bar.kind) for bar in shown.bars][2:5] == [
        ("look-up", 82.0, "118 ms", "neutral"),
        ("prefill", 200.0, "214 ms", "neutral"),
        ("decode", 414.0, "1,674 ms", "hot"),
    ]
    assert (shown.figure, shown.rest, shown.with_peers) == ("2.10 s", "", False)
    assert shown.note == "Statement sent at 0.20 s, first token after 0.30 s."
    assert derive_time(turn(HELP, FIRST, STATED, ended()), None).note.startswith("First sentence sent at 0.20 s")


def test_that_an_answer_that_moved_to_another_engine_says_so_with_its_pause() -> None:
    moved = Resumed(420.0, "cpu-demo at 127.0.0.1:1", "cpu-demo at 127.0.0.1:2", "The connection broke.")
    shown = derive_time(turn(HELP, moved, STATED, ended()), None)
    assert shown.note.endswith(
        "cpu-demo at 127.0.0.1:1 broke off; cpu-demo at 127.0.0.1:2 went on after a pause of 0.42 s."
    )


def test_that_a_phase_that_did_not_happen_has_no_bar() -> None:
    times = TurnTimes(retrieve=5.0, total=9.0)
    shown = derive_time(turn(Ended(TurnOutcome.ANSWERED, "", "", TokenUse(), times)), None)
    assert [(bar.length, bar.figure) for bar in shown.bars] == [
        (None, UNKNOWN),
        (5.0, "5 ms"),
        *[(None, UNKNOWN)] * 4,
    ]


def test_that_peers_are_turns_of_the_same_route_and_never_too_few() -> None:
    others = [kept(HELP, ended(), turn_id=f"p{n}") for n in range(5)]
    strangers = [kept(ORDER, ended(), turn_id="o"), kept(HELP, turn_id="f", outcome=TurnOutcome.FAILED)]
    peers = derive_peers([*others, *strangers, kept(HELP, ended())], (False, True), "t1")
    assert peers is not None
    assert (peers.turns, peers.medians["decode"]) == (5, TIMES.decode)
    assert derive_peers([*others[1:], *strangers], (False, True), "t1") is None
    shown = derive_time(turn(HELP, ended()), peers)
    assert (shown.rest, shown.bars[4].second, shown.bars[4].mark) == (", peers’ median 2.10 s", "1,674", 2088.0)


@pytest.mark.parametrize(
    ("use", "figure", "hit"),
    [
        (TokenUse(742, 512, 28), "742 in, 28 out, 62 ms between tokens", "hit 69 %"),
        (TokenUse(0, 0, 0), UNKNOWN, UNKNOWN),
    ],
)
def test_that_tokens_are_those_of_the_engine(use: TokenUse, figure: str, hit: str) -> None:
    shown = derive_tokens(turn(Ended(TurnOutcome.ANSWERED, "", "", use, TIMES)))
    assert (shown.figure, shown.hit) == (figure, hit)
    assert shown.cached + shown.computed == use.prompt


def test_that_a_conversation_adds_up_its_turns() -> None:
    assert derive_sums((turn(ended()), turn(ended()), turn(running=True))) == "3 turns, 1,540 tokens"
    assert derive_sums(()) == ""
