"""What a metrics page says of an engine's work."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine_host.engine.pulse import pulse_from, pulse_of
from engine_host.metrics.prometheus import PageUnreadable, read_page

PAGES = Path(__file__).parents[2] / "fakes" / "metrics"
RECORDED = (PAGES / "v1_0.32.0_cpu__recorded_here.prom").read_text(encoding="utf-8")


def test_that_a_recorded_page_gives_work_in_hand_and_progress() -> None:
    pulse = pulse_from(RECORDED)
    assert pulse is not None
    assert (pulse.in_hand, pulse.asleep) == (0, False)
    assert pulse.progress > 112


def test_that_every_step_is_progress() -> None:
    before, line = pulse_from(RECORDED), "vllm:iteration_tokens_total_count"
    count = next(one for one in RECORDED.splitlines() if one.startswith(line))
    later = pulse_from(RECORDED.replace(count, count.rsplit(" ", 1)[0] + " 999.0"))
    assert before is not None
    assert later is not None
    assert later.progress > before.progress


def test_that_the_histograms_of_a_page_are_no_part_of_a_pulse() -> None:
    lean = "\n".join(line for line in RECORDED.splitlines() if "_bucket{" not in line)
    assert pulse_from(lean) == pulse_from(RECORDED)


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.prom")), ids=lambda path: path.stem)
def test_that_a_sample_gives_the_pulse_of_its_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    try:
        sample = read_page(text, datetime.fromtimestamp(0, UTC), 0.0, 0.0)
    except PageUnreadable:
        assert pulse_from(text) is None
    else:
        assert pulse_of(sample) == pulse_from(text)


def test_that_a_sample_of_an_engine_without_its_weights_sleeps() -> None:
    page = RECORDED.replace('sleep_state="awake"} 1.0', 'sleep_state="awake"} 0.0')
    page = page.replace('sleep_state="weights_offloaded"} 0.0', 'sleep_state="weights_offloaded"} 1.0')
    sample = read_page(page, datetime.fromtimestamp(0, UTC), 0.0, 0.0)
    assert pulse_of(sample).asleep
    assert pulse_of(sample) == pulse_from(page)


def test_that_an_engine_that_is_not_awake_sleeps() -> None:
    pulse = pulse_from(RECORDED.replace('sleep_state="awake"} 1.0', 'sleep_state="awake"} 0.0'))
    assert pulse is not None
    assert pulse.asleep


@pytest.mark.parametrize("page", ["", "# HELP x\n", "other_metric 1.0\n", "<html>"])
def test_that_a_page_without_vllm_is_no_pulse(page: str) -> None:
    assert pulse_from(page) is None
