"""The times of the last starts are kept by kind and survive a damaged file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.start_times import KEPT, StartTimes, keep_start, last_start, read_starts
from engine_host.engine.state import PhaseTime, StartPhase
from storage.paths import Home

if TYPE_CHECKING:
    from pathlib import Path


def start(run: str, *, eager: bool = True) -> StartTimes:
    phases = (PhaseTime(StartPhase.ENVIRONMENT, 0.0, 15.9), PhaseTime(StartPhase.READY, 33.1, 33.1))
    return StartTimes(run, "m", eager, phases)


def test_that_the_newest_start_of_the_same_kind_is_found(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    for one in (start("a"), start("b", eager=False), start("c")):
        keep_start(home, one)
    starts = read_starts(home)
    assert last_start(starts, "m", eager=True, besides="c") == start("a")
    assert last_start(starts, "m", eager=False, besides=None) == start("b", eager=False)
    assert last_start(starts, "other", eager=True, besides=None) is None
    assert start("a").total_s == 33.1


def test_that_only_the_newest_starts_are_kept(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    for number in range(KEPT + 3):
        keep_start(home, start(str(number)))
    assert [one.run for one in read_starts(home)] == [str(number) for number in range(3, KEPT + 3)]


def test_that_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    (home.logs / "starts.json").write_text("[{")
    assert read_starts(home) == ()
    keep_start(home, start("a"))
    assert read_starts(home) == (start("a"),)
