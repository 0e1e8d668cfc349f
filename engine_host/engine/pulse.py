"""A vLLM /metrics page, or a sample of one -> what an engine has in hand, and a figure that grows as it works. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine_host.engine.canary import Pulse
from engine_host.metrics.prometheus import PageUnreadable, read_page

if TYPE_CHECKING:
    from engine_host.metrics.samples import MetricSample

_EPOCH = datetime.fromtimestamp(0, UTC)
_ASLEEP = re.compile(r"^vllm:engine_sleep_state\{[^}]*sleep_state=\"awake\"[^}]*\} 0(?:\.0*)?$", re.MULTILINE)
_TIMES = ("_bucket", "_count", "_sum", "_created")
_STEPS = re.compile(r"^vllm:iteration_tokens_total_count\S* ([\d.e+]+)", re.MULTILINE)


def pulse_from(page: str) -> Pulse | None:
    """None when the page holds no figure of vLLM."""
    try:
        sample = read_page(_without_times(page), _EPOCH, 0.0, 0.0)
    except PageUnreadable:
        return None
    steps = sum(float(count) for count in _STEPS.findall(page))
    return _pulse(sample, steps, asleep=_ASLEEP.search(page) is not None)


def pulse_of(sample: MetricSample) -> Pulse:
    """The pulse that `pulse_from` makes of the page that this sample was read from."""
    steps = sample.step_tokens.count if sample.step_tokens is not None else 0.0
    return _pulse(sample, steps, asleep=sample.sleep not in ("", "awake"))


def _pulse(sample: MetricSample, steps: float, *, asleep: bool) -> Pulse:
    """A long prompt is many steps and no token yet."""
    progress = sum(figure or 0.0 for figure in (sample.prompt_tokens, sample.output_tokens, sample.requests_ok))
    in_hand = round((sample.running or 0.0) + (sample.waiting or 0.0))
    return Pulse(in_hand, progress + steps, asleep=asleep)


def _without_times(page: str) -> str:
    """Histograms are three quarters of what would be read, and no sign of life needs them."""
    return "\n".join(line for line in page.splitlines() if not line.partition("{")[0].endswith(_TIMES))
