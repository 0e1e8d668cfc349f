"""The figures of the fit bench are those of the starts, and a start that says nothing misses the target."""

from __future__ import annotations

from dataclasses import replace

from console.bench.fit.agreement import Agreement
from console.bench.fit.figures import MIB, TARGETS, Edge, Start, figures_of
from console.bench.report import judge
from engine_host.engine.fit_check import CacheCheck

CHECK = CacheCheck("2026-11-30T10:00:00+00:00", "r", "m", 4096, "auto", 2**30, 128, 364, 364, 46_592, 46_592)
STARTS = tuple(
    Start(space, dtype, CHECK, int((2000 + 1024 * space) * MIB), 260 * MIB)
    for dtype in ("auto", "fp8")
    for space in (0.25, 0.5, 1.0)
)
AGREED = Agreement(compared=200, divided=400, unread=3, differ=())
EDGE = Edge(65 * 2_949_120, starts=True, longest=8064, said=8064)


def test_that_six_starts_as_estimated_hold_every_target() -> None:
    figures = figures_of(AGREED, STARTS, EDGE, 2600 * MIB)
    assert judge("fit", figures, TARGETS).ok
    assert figures["tokens_0.25_gib_fp8"] == 46_592
    assert (figures["processes_mib_least"], figures["processes_mib_reckoned"]) == (1740, 2600)


def test_that_an_estimate_that_is_off_or_not_held_against_anything_misses() -> None:
    off = replace(STARTS[0], check=replace(CHECK, reported=47_200, blocks_reported=368))
    silent = replace(STARTS[0], check=None)
    for wrong, missed in ((off, {"kv_error_worst", "blocks_off_worst"}), (silent, {"starts"})):
        held = judge("fit", figures_of(AGREED, (wrong, *STARTS[1:]), EDGE, 0), TARGETS).holds
        assert {name for name, holds in held.items() if not holds} == missed
    assert not judge("fit", figures_of(AGREED, (), None, 0), TARGETS).ok


def test_that_an_engine_that_starts_with_less_than_fit_asks_for_misses() -> None:
    accepted = judge("fit", figures_of(AGREED, STARTS, replace(EDGE, said=None), 0), TARGETS)
    assert not accepted.holds["a_block_less_is_refused"]
    other = judge("fit", figures_of(AGREED, STARTS, replace(EDGE, said=8192), 0), TARGETS)
    assert {name for name, holds in other.holds.items() if not holds} == {"longest_request_off"}


def test_that_a_config_that_is_read_otherwise_than_by_vllm_misses() -> None:
    other = replace(AGREED, differ=("one",))
    assert not judge("fit", figures_of(other, STARTS, EDGE, 0), TARGETS).holds["differ_from_vllm"]
