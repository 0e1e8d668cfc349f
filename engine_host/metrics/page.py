"""The series of one metrics page, added up over the engines behind it. Pure.

A figure that some of the engines or models on the page lack, or that is not a number, is no figure of the whole: it
stays unknown, and `faults` says why.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from prometheus_client.parser import text_string_to_metric_families

from engine_host.metrics.names import CACHE_CONFIG, HISTOGRAMS, KV_USAGE, PLAIN, RUNNING, STARTED, WAITING
from engine_host.metrics.samples import Histogram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engine_host.metrics.names import Names

Labelled = tuple[dict[str, str], float]
Pairs = tuple[tuple[str, float], ...]

_READ: Final = frozenset(
    [name for names in PLAIN for name in names]
    + [f"{name}{end}" for names in HISTOGRAMS for name in names for end in ("_bucket", "_count", "_sum")]
)
HEADS_KEPT: Final = 8192
"""Some 200 of them are read of an engine."""
_PARTS: Final = (("engine", "engines"), ("model_name", "models"))


class PageUnreadable(ValueError):
    """The page is not one of a vLLM server. `str(e)` is a sentence."""


class Page:
    """`model` is the one that is asked for: where a page tells of several, only its series are read.

    `faults` are pairs of a figure's key and the sentence why it is unknown although its series is there.
    """

    def __init__(self, text: str, model: str = "") -> None:
        """Raises PageUnreadable when the text is no metrics page or holds no vLLM figure."""
        series = _parsed(text)
        if not series.keys() - set(STARTED):
            raise PageUnreadable("The metrics page holds no vLLM figures: it may belong to another program.")
        everyone = _told(series, "model_name")
        self.models = (model,) if model in everyone else everyone
        self._series = _of_model(series, model) if model in everyone else series
        self._whole = {label: set(_told(self._series, label)) for label, _ in _PARTS}
        self._faults: dict[str, str] = {}

    @property
    def faults(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._faults.items())

    def total(self, key: str, names: Names) -> float | None:
        found = self._sound(key, names)
        return sum(value for _, value in found) if found else None

    def usage(self, key: str) -> float | None:
        """The part of all KV blocks that is used: engines weigh by their blocks, all the same when these are not
        told."""
        found = self._sound(key, KV_USAGE)
        if not found:
            return None
        blocks = {labels.get("engine"): self._blocks_of(labels) for labels, _ in self._found(CACHE_CONFIG)}
        weights = [blocks.get(labels.get("engine")) for labels, _ in found]
        known = [weight for weight in weights if weight]
        even = known if len(known) == len(found) else [1] * len(found)
        return sum(value * weight for (_, value), weight in zip(found, even, strict=True)) / sum(even)

    def by_label(self, key: str, names: Names, label: str) -> Pairs:
        """The totals by the values of `label`, those that are told; () when there are none."""
        totals: dict[str, float] = defaultdict(float)
        for labels, value in self._numbers(key, names):
            totals[labels.get(label, "")] += value
        return tuple(sorted(totals.items()))

    def blocks(self) -> int | None:
        """KV blocks that requests can have: those that `usage` is a part of."""
        return self._combined(self._blocks_of, sum)

    def _blocks_of(self, labels: Mapping[str, str]) -> int | None:
        # vLLM keeps one block for itself, to stand for none. Since the usage has its present name it leaves it out.
        count = _number(labels, "num_gpu_blocks")
        return count - 1 if count and KV_USAGE[0] in self._series else count

    def config(self, label: str, combine: Callable[[Iterable[int]], int]) -> int | None:
        """Numbers that vLLM publishes as labels of a gauge; 0 says that it has none."""
        return self._combined(lambda labels: _number(labels, label), combine)

    def _combined(
        self, pick: Callable[[Mapping[str, str]], int | None], combine: Callable[[Iterable[int]], int]
    ) -> int | None:
        told = [pick(labels) for labels, _ in self._found(CACHE_CONFIG)]
        numbers = [number for number in told if number]
        return combine(numbers) if numbers and len(numbers) == len(told) else None

    def histogram(self, key: str, names: Names) -> Histogram | None:
        """Of engines whose buckets have the same edges; others cannot be added up."""
        name = next((one for one in names if one + "_bucket" in self._series), None)
        found = self._sound(key, tuple(f"{one}_bucket" for one in names))
        if name is None or not found:
            return None
        parts: dict[tuple[str, ...], dict[float, float]] = defaultdict(dict)
        for labels, value in found:
            parts[labels.get("engine", ""), labels.get("model_name", "")][float(labels["le"])] = value
        edges = tuple(sorted(next(iter(parts.values()))))
        if any(tuple(sorted(one)) != edges for one in parts.values()):
            self._faults[key] = f"{name} cannot be added up: the engines behind this page count in different buckets."
            return None
        if not edges or not math.isinf(edges[-1]):
            self._faults[key] = f"{name} is not complete on the metrics page: its last bucket is missing."
            return None
        counts = tuple(sum(one[edge] for one in parts.values()) for edge in edges)
        total = sum(value for _, value in self._numbers(key, (f"{name}_sum",)))
        return Histogram(edges, counts, counts[-1], total)

    def _found(self, names: Names) -> Sequence[Labelled]:
        return next((self._series[name] for name in names if name in self._series), ())

    def _numbers(self, key: str, names: Names) -> Sequence[Labelled]:
        found = self._found(names)
        if any(math.isnan(value) for _, value in found):
            self._faults[key] = f"{_named(self._series, names)} is not a number on the metrics page."
            return ()
        return found

    def _sound(self, key: str, names: Names) -> Sequence[Labelled]:
        """What every engine and every model on the page tells, and nothing when one of them does not."""
        found = self._numbers(key, names)
        for label, word in _PARTS:
            own = {labels[label] for labels, _ in found if label in labels}
            if own and self._whole[label] - own:
                has = f"{len(own)} of {len(self._whole[label])} {word}"
                self._faults[key] = f"{_named(self._series, names)} is told by {has} on the metrics page only."
                return ()
        return found


def _parsed(text: str) -> dict[str, list[Labelled]]:
    """The samples that are read here. The other nine tenths of a page are skipped before the parser sees them."""
    series: dict[str, list[Labelled]] = defaultdict(list)
    try:
        for line in text.splitlines():
            if line.partition("{")[0].partition(" ")[0] in _READ:
                head, number = _split(line)
                name, labels = _head(head)
                series[name].append((labels, float(number)))
    except ValueError as error:
        raise PageUnreadable("The metrics page cannot be read: a line of it is broken off.") from error
    return dict(series)


def _split(line: str) -> tuple[str, str]:
    """A sample's name with its labels, and its number; a time stamp behind it is left out."""
    braced, brace, rest = line.rpartition("}")
    head, numbers = (braced + brace, rest.split()) if brace else (line.split(maxsplit=1)[0], line.split()[1:])
    if not numbers:
        raise ValueError(line)
    return head, numbers[0]


@lru_cache(maxsize=HEADS_KEPT)
def _head(text: str) -> tuple[str, dict[str, str]]:
    """Name and labels of a sample: from scrape to scrape only its number changes, and this is the dear part of it."""
    (family,) = text_string_to_metric_families(f"{text} 0\n")
    sample = family.samples[0]
    return sample.name, sample.labels


def _told(series: Mapping[str, Sequence[Labelled]], label: str) -> tuple[str, ...]:
    """Who is on the page, by the gauges that every version has."""
    names = (*RUNNING, *WAITING, *KV_USAGE)
    return tuple(sorted({labels[label] for name in names for labels, _ in series.get(name, ()) if label in labels}))


def _of_model(series: Mapping[str, Sequence[Labelled]], model: str) -> dict[str, list[Labelled]]:
    kept = {name: [one for one in told if one[0].get("model_name", model) == model] for name, told in series.items()}
    return {name: told for name, told in kept.items() if told}


def _named(series: Mapping[str, Sequence[Labelled]], names: Names) -> str:
    return next((name for name in names if name in series), names[0]).removesuffix("_bucket")


def _number(labels: Mapping[str, str], label: str) -> int | None:
    text = labels.get(label, "")
    return int(text) if text.isdecimal() else None
