"""The estimate against what the engine reported: the error is computed, shown and kept by model and size."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from prometheus_client.parser import text_string_to_metric_families

from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.fit_result import Fit
    from storage.paths import Home

log = logging.getLogger(__name__)

KEPT = 50
_GAUGE = "vllm:cache_config_info"


@dataclass(frozen=True, slots=True)
class ReportedCache:
    """What the engine says of its own KV cache. `dtype` as it was asked for. None = this version does not say it."""

    block_size: int
    blocks: int
    tokens: int | None
    dtype: str | None


@dataclass(frozen=True, slots=True)
class CacheCheck:
    """One start. `at` is its UTC time in ISO form, `run` names it; `expected` and `reported` in tokens."""

    at: str
    run: str
    model: str
    context: int
    kv_dtype: str
    space: int
    block_size: int
    blocks_expected: int
    blocks_reported: int
    expected: int
    reported: int

    @property
    def error(self) -> float:
        """A share of what was reported: 0.01 = the estimate was 1 % too high."""
        return self.expected / self.reported - 1 if self.reported else float(self.expected > 0)

    def sentence(self) -> str:
        side = "high" if self.error > 0 else "low"
        off = "as estimated" if self.expected == self.reported else f"the estimate was {abs(self.error):.2%} too {side}"
        return (
            f"{self.model} reported a KV cache of {self.reported:,} tokens in {self.blocks_reported:,} blocks of "
            f"{self.block_size}; {self.expected:,} were expected: {off}."
        )


def read_reported(page: str) -> ReportedCache | None:
    """From a vLLM /metrics page; None when it does not say. Several engines behind one page: one of them is read."""
    wanted = "\n".join(line for line in page.splitlines() if line.startswith(_GAUGE))
    try:
        families = list(text_string_to_metric_families(wanted + "\n"))
    except ValueError:
        return None
    for labels in (sample.labels for family in families for sample in family.samples):
        block_size, blocks = _number(labels.get("block_size")), _number(labels.get("num_gpu_blocks"))
        if block_size and blocks is not None:
            return ReportedCache(
                block_size, blocks, _number(labels.get("kv_cache_size_tokens")), labels.get("cache_dtype")
            )
    return None


def compare(fit: Fit, reported: ReportedCache, *, at: str, run: str, model: str, context: int) -> CacheCheck | None:
    """None when there was no estimate. Where the engine says no tokens, its blocks are counted in tokens."""
    cache = fit.cache
    if cache is None:
        return None
    whole = reported.tokens is not None
    return CacheCheck(
        at=at,
        run=run,
        model=model,
        context=context,
        kv_dtype=reported.dtype or "auto",
        space=cache.space,
        block_size=reported.block_size,
        blocks_expected=cache.blocks,
        blocks_reported=reported.blocks,
        expected=cache.tokens if whole else cache.blocks * cache.shape.rules.block_size,
        reported=reported.tokens if reported.tokens is not None else reported.blocks * reported.block_size,
    )


def keep_check(home: Home, check: CacheCheck) -> None:
    """Add it to the file of this home, once for each run; the oldest leave it. Nothing fails for it."""
    kept = [*(one for one in read_checks(home) if one.run != check.run), check][-KEPT:]
    try:
        write_atomically(_file(home), json.dumps([asdict(one) for one in kept]).encode())
    except OSError as error:
        log.warning("The estimate of this start is not kept: %s.", error.strerror)


def read_checks(home: Home) -> tuple[CacheCheck, ...]:
    """Newest last; empty when there is none or the file cannot be understood."""
    try:
        listed: list[dict[str, Any]] = json.loads(_file(home).read_text(encoding="utf-8"))
        return tuple(CacheCheck(**one) for one in listed)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _file(home: Home) -> Path:
    return home.logs / "fits.json"


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
