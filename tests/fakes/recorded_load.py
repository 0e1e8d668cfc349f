"""A recorded load: what two engines' metrics pages said each second, and the turns that made it so. By seed.

Nothing of the program is used here, so that a judge of the program may trust it.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Observed = Mapping[str, tuple[tuple[float, float], ...]]

SECONDS = 150
RESTART_AT = 120
"""The second engine's process is another one from here on: its counters begin again."""
UNREAD_AT = 110
"""The first engine's page does not come."""
BLOCKS, BLOCK = 401, 16
"""One of the blocks is the engine's own."""
TENANTS = ("annapurna", "kamala")
RUNS = ("r1", "r2")
EDGES = (0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
STEP_EDGES = (1.0, 8.0, 64.0, 512.0, 4096.0)
TTFT, GAP, QUEUE = "time_to_first_token_seconds", "inter_token_latency_seconds", "request_queue_time_seconds"
STEPS = "iteration_tokens_total"


@dataclass(frozen=True, slots=True)
class RawTurn:
    """Moments in s since the beginning of the record, durations in s."""

    turn_id: str
    tenant: str
    run: str
    asked: float
    queue: float
    ttft: float
    gap: float
    prompt: int
    cached: int
    output: int

    @property
    def decode(self) -> float:
        return self.gap * (self.output - 1)

    @property
    def ended(self) -> float:
        return self.asked + self.ttft + self.decode


@dataclass(frozen=True, slots=True)
class RawEngine:
    """`pages` by the second, None = it did not come. `observed`: series -> (moment, value), as the engine saw them."""

    pages: tuple[str | None, ...]
    observed: Observed


@dataclass(frozen=True, slots=True)
class RecordedLoad:
    engines: tuple[RawEngine, ...]
    turns: tuple[RawTurn, ...]


@cache
def recorded_load(seed: int) -> RecordedLoad:
    dice = random.Random(seed)
    turns = tuple(_turn(dice, run, number) for run in RUNS for number in range(2 * SECONDS))
    return RecordedLoad((_engine(turns, RUNS[0]), _engine(turns, RUNS[1])), turns)


def _turn(dice: random.Random, run: str, number: int) -> RawTurn:
    queue = dice.expovariate(4) if dice.random() < 0.4 else 0.0
    prompt = dice.randint(100, 900)
    return RawTurn(
        turn_id=f"{run}-{number}", tenant=dice.choice(TENANTS), run=run, asked=dice.uniform(0, SECONDS), queue=queue,
        ttft=queue + dice.lognormvariate(-1.6, 0.7), gap=dice.lognormvariate(-3.4, 0.3), prompt=prompt,
        cached=dice.randrange(0, prompt // BLOCK) * BLOCK, output=dice.randint(5, 90),
    )  # fmt: skip


def _engine(turns: Iterable[RawTurn], run: str) -> RawEngine:
    own = [turn for turn in turns if turn.run == run]
    gaps = ((turn.asked + turn.ttft + n * turn.gap, turn.gap) for turn in own for n in range(1, turn.output))
    steps = ((second + 0.1 * n, 1.0 + (second * 7 + n) % 90) for second in range(SECONDS) for n in range(10))
    observed = {
        TTFT: tuple((turn.asked + turn.ttft, turn.ttft) for turn in own),
        GAP: tuple(gaps),
        QUEUE: tuple((turn.asked + turn.queue, turn.queue) for turn in own),
        STEPS: tuple(steps),
    }
    restarts = run == RUNS[1]
    pages = [_page(own, observed, second, restarts=restarts) for second in range(SECONDS + 1)]
    return RawEngine(
        tuple(None if at == UNREAD_AT and not restarts else page for at, page in enumerate(pages)), observed
    )


def _page(turns: Sequence[RawTurn], observed: Observed, second: int, *, restarts: bool) -> str:
    born = RESTART_AT if restarts and second >= RESTART_AT else -1
    running = sum(turn.asked + turn.queue <= second < turn.ended for turn in turns)
    waiting = sum(turn.asked <= second < turn.asked + turn.queue for turn in turns)
    begun = [turn for turn in turns if born < turn.asked + turn.queue <= second]
    ended = Counter("length" if turn.output % 9 == 0 else "stop" for turn in turns if born < turn.ended <= second)
    seen = {name: [value for at, value in values if born < at <= second] for name, values in observed.items()}
    prompt, cached = sum(turn.prompt for turn in begun), sum(turn.cached for turn in begun)
    lines = [
        f"process_start_time_seconds {1_000.0 if born < 0 else 2_000.0}",
        _line("cache_config_info", 1, block_size=str(BLOCK), num_gpu_blocks=str(BLOCKS)),
        _line("num_requests_running", running),
        _line("num_requests_waiting", waiting),
        _line("num_requests_waiting_by_reason", waiting, reason="capacity"),
        _line("num_requests_waiting_by_reason", 0, reason="deferred"),
        _line("kv_cache_usage_perc", min(running * 20, BLOCKS - 1) / (BLOCKS - 1)),
        _line("prompt_tokens_total", prompt),
        _line("prompt_tokens_by_source_total", prompt - cached, source="local_compute"),
        _line("prompt_tokens_cached_total", cached),
        _line("generation_tokens_total", len(seen[TTFT]) + len(seen[GAP])),
        _line("prefix_cache_queries_total", prompt),
        _line("prefix_cache_hits_total", cached),
        _line("num_preemptions_total", len(begun) // 50),
        *(_line("request_success_total", ended[reason], finished_reason=reason) for reason in ("stop", "length")),
    ]
    for name, values in seen.items():
        lines += _histogram(name, STEP_EDGES if name == STEPS else EDGES, values)
    return "\n".join([*lines, ""])


def _histogram(name: str, edges: Sequence[float], values: Sequence[float]) -> list[str]:
    ordered = sorted(values)
    told = [_line(f"{name}_bucket", bisect_right(ordered, edge), le=str(edge)) for edge in edges]
    whole = _line(f"{name}_bucket", len(values), le="+Inf")
    return [*told, whole, _line(f"{name}_count", len(values)), _line(f"{name}_sum", sum(values))]


def _line(name: str, value: float, **labels: str) -> str:
    named = ",".join(f'{key}="{told}"' for key, told in {"engine": "0", "model_name": "bench", **labels}.items())
    return f"vllm:{name}{{{named}}} {float(value)}"
