"""The figures: counts, shares by language and fault, and nothing where nothing came up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.order_truth.cases import Ask, Fault, Turn
from console.bench.order_truth.figures import TARGETS, figures_of, quantile, share
from console.bench.order_truth.runner import Judged
from console.bench.order_truth.tap import Delay, Heard
from console.bench.report import judge
from engine_host.client.types import ChatDelta
from tests.console.bench.order_truth.made import PHONE, case_of, verdict_on

if TYPE_CHECKING:
    from console.bench.order_truth.judge import Verdict

FAULTY = case_of(Turn(Ask.ORDER, "where", Fault.HTTP_500), language="hi")
HELP = case_of(Turn(Ask.HELP, "price", passage="Rs 140"), language="mr")
NUMBER = case_of().order_id(0)


def verdicts() -> list[Verdict]:
    return [
        verdict_on(f"Your order {NUMBER} left the kitchen at 12:10 with Salim."),
        verdict_on(f"Your order {NUMBER} is cancelled."),
        verdict_on(f"We do not know. Please call {PHONE}.", case=FAULTY),
        verdict_on("", case=HELP, offered=("A box costs Rs 140.",), error="the turn did not end"),
    ]


def test_that_figures_are_told_in_all_by_language_and_by_fault() -> None:
    figures = figures_of([Judged(one, Delay(4.0, 0), 1.0) for one in verdicts()], 3.0)
    expected = {
        "turns": 4.0,
        "failed_turns": 1.0,
        "false_facts": 1.0,
        "false_facts.en": 1.0,
        "false_facts.hi": 0.0,
        "correct_given": 0.5,
        "correct_given.hi": None,
        "faults_ended_unknown": 1.0,
        "unknown.http_500": 1.0,
        "help_wrongly_withheld.mr": 1.0,
        "first_sentence_delay_ms_p95": 4.0,
    }
    assert {name: figures[name] for name in expected} == expected
    assert not judge("order-truth", figures, TARGETS).ok


def test_that_what_never_came_up_is_no_figure() -> None:
    assert share([None, None]) is None
    assert share([True, None, False]) == 0.5
    assert quantile([], 0.5) is None
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert not judge("order-truth", figures_of([], 0.0), TARGETS).ok


def test_that_the_delay_of_a_sentence_counts_from_its_last_character() -> None:
    heard = Heard("m")
    for piece in ("Boxes cost ", "Rs 140.", " Your box is late. And"):
        heard.take(ChatDelta(piece, None, 0.0))
    at = heard.lengths[1][1]
    delay = heard.delay_of("Boxes cost Rs 140.", at + 0.005)
    assert delay
    assert round(delay.ms, 3) == 5.0
    assert delay.sentences == 1
    assert heard.delay_of("never written", at) is None
