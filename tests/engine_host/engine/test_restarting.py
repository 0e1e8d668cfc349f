"""The budget of restarts."""

from __future__ import annotations

from engine_host.engine.restarting import Restart, RestartBudget


def test_that_pauses_grow_and_the_budget_ends() -> None:
    budget = RestartBudget(3, 600.0)
    assert [budget.spend(at) for at in (0.0, 5.0, 10.0, 20.0)] == [
        Restart(1, 3, 1.0),
        Restart(2, 3, 2.0),
        Restart(3, 3, 4.0),
        None,
    ]


def test_that_a_death_long_ago_does_not_count() -> None:
    budget = RestartBudget(1, 600.0)
    assert budget.spend(0.0) == Restart(1, 1, 1.0)
    assert budget.spend(599.0) is None
    assert budget.spend(601.0) == Restart(1, 1, 1.0)


def test_that_the_longest_pause_is_a_minute() -> None:
    budget = RestartBudget(20, 1e9)
    assert [budget.spend(float(at)) for at in range(8)][-1] == Restart(8, 20, 60.0)


def test_that_each_step_is_a_sentence() -> None:
    assert Restart(2, 3, 4.0).sentence == "It is started again in 4 s (2 of 3)."
    fact = "The engine stopped: it was killed by signal 9."
    assert RestartBudget(3, 600.0).gave_up(fact) == (
        f"{fact} It died 4 times within 10 minutes and is not started again by itself."
    )
    assert RestartBudget(0, 600.0).gave_up(fact) == fact
