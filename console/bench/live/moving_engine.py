"""An engine under a moving load whose /metrics page is vLLM's, by its names and buckets. Nothing is generated.

Requests come at random, wait while the batch is full, are prefilled, write tokens and end; gauges, counters and
histograms follow from that, so that the page's figures belong together.
"""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from collections.abc import Sequence

MODEL: Final = "bench-model"
NAMED: Final = {"engine": "0", "model_name": MODEL}
"""The labels of every series of vLLM's."""
SEATS: Final = 32
BLOCKS: Final = 2_000
BLOCK: Final = 16
PROMPT_TOKENS: Final = (200, 1_200)
ANSWER_TOKENS: Final = (20, 240)
TOKENS_A_SECOND: Final = 25.0
"""Of one stream."""
PREFILL_A_SECOND: Final = 6_000.0
SHORT: Final = (0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0)
LONG: Final = (0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0)
COUNTS: Final = tuple(float(2**power) for power in range(15))
TIMES: Final = {
    "time_to_first_token": SHORT, "inter_token_latency": SHORT, "request_time_per_output_token": SHORT,
    "e2e_request_latency": LONG, "request_queue_time": LONG, "request_prefill_time": LONG, "request_decode_time": LONG,
    "request_inference_time": LONG,
}  # fmt: skip
PATHS: Final = ("/health", "/metrics", "/v1/chat/completions", "/v1/models")
"""The web server's own histograms stand on vLLM's page too, and are read past."""


@dataclass(slots=True)
class Request:
    """`asked_at` and the others in s of the engine's own time; `left` tokens to write."""

    tenant: int
    asked_at: float
    prompt: int
    cached: int
    tokens: int
    left: float = 0.0
    began_at: float = 0.0
    first_at: float = 0.0
    ended_at: float = 0.0


class MovingEngine:
    """Goes on by `advance`; the same seed and the same steps make the same pages. `rate` is requests a second."""

    def __init__(self, seed: int, rate: float, tenants: int) -> None:
        self._dice = random.Random(seed)  # noqa: S311 - a load, not secrets
        self._rate, self._tenants = rate, tenants
        self._now = 0.0
        self._waiting: deque[Request] = deque()
        self._running: list[Request] = []
        self._registry = CollectorRegistry()
        self._make_series()

    def page(self) -> bytes:
        return generate_latest(self._registry)

    def advance(self, seconds: float) -> Sequence[Request]:
        """Let so much time pass, in one step; returns the requests that ended in it."""
        self._now += seconds
        wave = 1 + 0.6 * math.sin(self._now / 60)
        for _ in range(self._poisson(self._rate * wave * seconds)):
            prompt = self._dice.randint(*PROMPT_TOKENS)
            cached = min(prompt, 512) // BLOCK * BLOCK if self._dice.random() < 0.8 else 0
            tenant, tokens = self._dice.randrange(self._tenants), self._dice.randint(*ANSWER_TOKENS)
            self._waiting.append(Request(tenant, self._now, prompt, cached, tokens))
        while self._waiting and len(self._running) < SEATS:
            self._begin(self._waiting.popleft())
        ended = self._write(seconds)
        self._tell_gauges()
        return ended

    def _begin(self, request: Request) -> None:
        request.began_at = self._now
        prefill = (request.prompt - request.cached) / PREFILL_A_SECOND + 0.02
        request.first_at = request.began_at + prefill
        request.left = float(request.tokens)
        self._running.append(request)
        self._seconds["request_queue_time"].observe(request.began_at - request.asked_at)
        self._seconds["request_prefill_time"].observe(prefill)
        self._seconds["time_to_first_token"].observe(request.first_at - request.asked_at)
        self._prompt.inc(request.prompt)
        self._queries.inc(request.prompt)
        self._hits.inc(request.cached)
        self._computed.inc(request.prompt - request.cached)
        self._cached.inc(request.cached)

    def _write(self, seconds: float) -> list[Request]:
        pace = TOKENS_A_SECOND * (1.2 - 0.6 * len(self._running) / SEATS)
        ended: list[Request] = []
        for request in self._running:
            written = min(request.left, pace * seconds)
            request.left -= written
            self._output.inc(written)
            for _ in range(int(written)):
                self._seconds["inter_token_latency"].observe(self._dice.lognormvariate(math.log(1 / pace), 0.3))
            if request.left <= 0:
                ended.append(request)
        self._running = [one for one in self._running if one.left > 0]
        self._steps.observe(max(1.0, pace * len(self._running) / 20))
        for request in ended:
            self._end(request)
        return ended

    def _end(self, request: Request) -> None:
        request.ended_at = self._now
        decode = max(0.0, request.ended_at - request.first_at)
        self._seconds["request_decode_time"].observe(decode)
        self._seconds["request_inference_time"].observe(request.ended_at - request.began_at)
        self._seconds["e2e_request_latency"].observe(request.ended_at - request.asked_at)
        self._seconds["request_time_per_output_token"].observe(decode / request.tokens)
        self._success[self._dice.random() < 0.9].inc()

    def _tell_gauges(self) -> None:
        held = sum(one.prompt + one.tokens - one.left for one in self._running) / BLOCK
        self._now_running.set(len(self._running))
        self._now_waiting.set(len(self._waiting))
        self._waits.set(len(self._waiting))
        self._kv.set(min(1.0, held / BLOCKS))

    def _poisson(self, mean: float) -> int:
        count, product, limit = 0, self._dice.random(), math.exp(-mean)
        while product > limit:
            count, product = count + 1, product * self._dice.random()
        return count

    # The series, as vLLM names them

    def _make_series(self) -> None:
        self._now_running = self._gauge("num_requests_running")
        self._now_waiting = self._gauge("num_requests_waiting")
        self._waits = self._gauge("num_requests_waiting_by_reason", reason="capacity")
        self._kv = self._gauge("kv_cache_usage_perc")
        blocks = str(BLOCKS + 1)  # vLLM keeps one for itself
        config = {"block_size": str(BLOCK), "num_gpu_blocks": blocks, "kv_cache_size_tokens": str(BLOCK * BLOCKS)}
        self._gauge("cache_config_info", **config).set(1)
        self._prompt, self._output = self._counter("prompt_tokens"), self._counter("generation_tokens")
        self._queries, self._hits = self._counter("prefix_cache_queries"), self._counter("prefix_cache_hits")
        self._counter("num_preemptions")
        self._computed = self._counter("prompt_tokens_by_source", source="local_compute")
        self._cached = self._counter("prompt_tokens_cached")
        success = Counter(
            "vllm:request_success", "…", ("engine", "model_name", "finished_reason"), registry=self._registry
        )
        self._success = {stop: success.labels("0", MODEL, "stop" if stop else "length") for stop in (True, False)}
        self._seconds = {name: self._histogram(f"{name}_seconds", edges) for name, edges in TIMES.items()}
        self._steps = self._histogram("iteration_tokens_total", COUNTS)
        for name in (
            "request_prompt_tokens",
            "request_generation_tokens",
            "request_params_max_tokens",
            "request_params_n",
        ):
            self._histogram(name, COUNTS)
        web = Histogram(
            "http_request_duration_highr_seconds", "…", ("handler", "method", "status"), registry=self._registry,
            buckets=SHORT,
        )  # fmt: skip
        for path in PATHS:
            for status in ("2xx", "4xx"):
                web.labels(path, "POST" if "completions" in path else "GET", status)

    def _gauge(self, name: str, **labels: str) -> Gauge:
        named = {**NAMED, **labels}
        return Gauge(f"vllm:{name}", "…", tuple(named), registry=self._registry).labels(*named.values())

    def _counter(self, name: str, **labels: str) -> Counter:
        named = {**NAMED, **labels}
        return Counter(f"vllm:{name}", "…", tuple(named), registry=self._registry).labels(*named.values())

    def _histogram(self, name: str, edges: tuple[float, ...]) -> Histogram:
        made = Histogram(f"vllm:{name}", "…", tuple(NAMED), registry=self._registry, buckets=edges)
        return made.labels(*NAMED.values())
