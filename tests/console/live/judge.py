"""The judge of the Live page: raw metrics pages and raw turns to figures, by a parser and arithmetic of its own.

It knows nothing of the program. Moments are epoch s, durations s.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Figures = dict[tuple[str, str], float]

PACE, GAP = 10.0, 2.5
"""Seconds: of the rate in a tile, and between two pages that have a gap between them."""
LEAST = 20
"""So many turns must have ended before their own percentiles are shown."""
AT_ONCE = 0.05
"""An answer that came at once is spread over so many seconds."""
SERIES = {
    "ttft": "time_to_first_token_seconds",
    "inter_token": "inter_token_latency_seconds",
    "per_token": "request_time_per_output_token_seconds",
    "queue": "request_queue_time_seconds",
    "prefill": "request_prefill_time_seconds",
    "decode": "request_decode_time_seconds",
    "e2e": "e2e_request_latency_seconds",
}
OWN = {"per_token": "inter_token", "e2e": "total"}
"""Which time of a turn stands beside the engine's, where it has another name."""


@cache
def parsed(text: str) -> Figures:
    """(series, its own label's value) -> number; the labels that every series has are left out."""
    found: Figures = {}
    for line in text.splitlines():
        if line.startswith("vllm:"):
            match = re.fullmatch(r"vllm:(\w+)(?:\{(.*)\})? (\S+)", line)
            assert match, line
            labels = dict(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))
            own = "|".join(value for key, value in labels.items() if key not in ("engine", "model_name"))
            found[match[1], own] = float(match[3])
    return found


@cache
def configured(text: str, label: str) -> int | None:
    """A number that the engine tells as a label of its cache's configuration."""
    match = re.search(rf'^vllm:cache_config_info{{.*\b{label}="(\d+)"', text, re.MULTILINE)
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class RawPage:
    """What came of the engine's page; `text` None: nothing."""

    moment: float
    text: str | None


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn that has ended. `times`: queue, prefill, ttft, inter_token, decode, total; None = it had none of it.

    `sentences` are those of the model, the `withheld` ones among them; `lookup` is the time of its order look-ups,
    `first_text` that to the first words that the customer saw.
    """

    turn_id: str
    tenant: str
    asked: float
    ended: float
    prompt: int
    cached: int
    output: int
    times: Mapping[str, float | None]
    sentences: int = 0
    withheld: int = 0
    lookup: float | None = None
    first_text: float | None = None
    unknown: bool = False

    def written(self, since: float, until: float) -> float:
        """Of its tokens, spread over its decode, those between two moments."""
        decode = self.times["decode"] or 0.0
        begun = self.ended - decode
        lasting = max(decode, AT_ONCE)
        return self.output * max(0.0, min(begun + lasting, until) - max(begun, since)) / lasting


@dataclass(frozen=True)
class Judge:
    """Of the engines whose pages these are and of the turns that they answered, at the moment `now`.

    `window_s` is that of percentiles and shares, `span_s` what a chart shows.
    """

    pages: tuple[tuple[RawPage, ...], ...]
    turns: tuple[SeenTurn, ...]
    now: float
    window_s: float = 60.0
    span_s: float = 300.0

    @property
    def smooth_s(self) -> float:
        """Rates in a chart are means over a sixtieth of what it shows."""
        return self.span_s / 60

    @cached_property
    def came(self) -> tuple[tuple[tuple[float, str], ...], ...]:
        """By engine the pages that came, and when."""
        return tuple(
            tuple((page.moment, page.text) for page in pages if page.text is not None and page.moment <= self.now)
            for pages in self.pages
        )

    @property
    def newest(self) -> float:
        return max(pages[-1][0] for pages in self.came)

    def has(self, name: str, own: str = "") -> bool:
        return all((name, own) in parsed(text) for text in self._newest(None))

    def told(self, name: str, own: str = "", at: float | None = None) -> float:
        """By the pages that were the newest at that moment, None = now."""
        return sum(parsed(text)[name, own] for text in self._newest(at))

    def configured(self, label: str) -> int | None:
        each = [configured(text, label) for text in self._newest(None)]
        return None if None in each else sum(one for one in each if one is not None)

    def blocks(self) -> int:
        """Of the KV cache, for requests: the engine keeps one for itself, and its usage is a part of the others."""
        return sum((configured(text, "num_gpu_blocks") or 0) - 1 for text in self._newest(None))

    def used(self, at: float | None = None) -> int:
        """Of those."""
        told = [(configured(text, "num_gpu_blocks") or 0, parsed(text)) for text in self._newest(at)]
        each = [(blocks - 1) * page["kv_cache_usage_perc", ""] for blocks, page in told]
        assert all(abs(used - round(used)) < 1e-3 for used in each), each
        return sum(map(round, each))

    def _newest(self, at: float | None) -> list[str]:
        until = self.now if at is None else at
        return [pages[bisect_right(pages, until, key=itemgetter(0)) - 1][1] for pages in self.came]

    def grown(self, name: str, over: float, own: str = "", until: float | None = None) -> float | None:
        """A fall is another process: what it counted since is growth. None when it was not seen twice."""
        seen = [self._seen(pages, name, own, over, until) for pages in self.came]
        return None if all(len(one) < 2 for one in seen) else sum(_grown(one) for one in seen)

    def pace(
        self, name: str, over: float, own: str = "", until: float | None = None, *, unbroken: bool = False
    ) -> float | None:
        """A second. `unbroken`: over two pages at the least, but only over those since the last gap."""
        last = self.now if until is None else until
        seen = [self._seen(pages, name, own, over, last) for pages in self.came]
        if unbroken:
            steps = [self._seen(pages, name, own, GAP, last)[-2:] for pages in self.came]
            seen = [_unbroken(one if len(one) > 1 else step) for one, step in zip(seen, steps, strict=True)]
        moments = [moment for one in seen for moment, _ in one]
        lasting = max(moments) - min(moments) if moments else 0.0
        return sum(map(_grown, seen)) / lasting if lasting else None

    def _seen(
        self, pages: Sequence[tuple[float, str]], name: str, own: str, over: float, until: float | None
    ) -> list[tuple[float, float]]:
        last = self.now if until is None else until
        first, end = bisect_left(pages, last - over, key=itemgetter(0)), bisect_right(pages, last, key=itemgetter(0))
        within = [(moment, parsed(text)) for moment, text in pages[first:end]]
        return [(moment, page[name, own]) for moment, page in within if (name, own) in page]

    def bucket(self, name: str, share: float, until: float | None = None) -> tuple[float, float] | None:
        """The edges around this share of what was observed in the window, by the raw counts; None = nothing was."""
        told = parsed(self.came[0][-1][1])
        edges = sorted((own for series, own in told if series == f"{name}_bucket"), key=float)
        counts = [self.grown(f"{name}_bucket", self.window_s, own, until) or 0.0 for own in edges]
        if not counts or not counts[-1]:
            return None
        place = next(n for n, count in enumerate(counts) if count >= share * counts[-1])
        return (float(edges[place - 1]) if place else 0.0), float(edges[place])

    def gaps(self) -> list[tuple[float, float]]:
        """Between two pages that came, of the one engine, and from the last one until now."""
        (pages,) = self.came
        moments = [moment for moment, _ in pages]
        return [(a, b) for a, b in pairwise([*moments, self.now]) if b - a > GAP]

    def ended(self) -> list[SeenTurn]:
        """In the window."""
        return [turn for turn in self.turns if self.now - self.window_s < turn.ended <= self.now]

    def own(self, key: str) -> list[float]:
        """The exact times of those; what took no time has none."""
        told = [turn.times.get(OWN.get(key, key)) for turn in self.ended()]
        return [one for one in told if one is not None and (one or key != "decode")]


def _grown(seen: Sequence[tuple[float, float]]) -> float:
    return sum(after - before if after >= before else after for (_, before), (_, after) in pairwise(seen))


def _unbroken(seen: list[tuple[float, float]]) -> list[tuple[float, float]]:
    breaks = [n for n in range(1, len(seen)) if seen[n][0] - seen[n - 1][0] > GAP]
    return seen[breaks[-1] :] if breaks else seen


def ranked(values: Iterable[float], share: float) -> float:
    """The smallest value that so many do not pass."""
    ordered = sorted(values)
    return ordered[-(-round(1000 * share) * len(ordered) // 1000) - 1]
