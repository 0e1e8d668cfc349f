"""Token slots of the KV cache that our own turns fill, and what reserving their longest answer would take. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from engine_host.answering.under_way import TurnUnderWay

LONGEST_STEP_S: Final = 2.5
"""Samples further apart have a gap between them: what was held in it is not known."""


@dataclass(frozen=True, slots=True)
class HeldSlots:
    """What one tenant's turns hold in one engine run: `tokens` are slots filled with prompt and answer so far, a
    beginning that they share once.

    `blocks` and `reserved` are in blocks of that engine: those that the tokens lie in, and those that a reservation of
    each turn's longest answer would take; None where the engine's block size, or a turn's limit, is not known.
    """

    engine_run: str | None
    tenant_id: str
    seqs: int
    tokens: int
    blocks: int | None
    filled: float | None
    """The tokens as so many full blocks."""
    reserved: int | None


@dataclass(frozen=True, slots=True)
class SlotSample:
    """`at` is epoch s. Turns whose prompt the engine has not counted yet are in no `held`."""

    at: float
    held: tuple[HeldSlots, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotLines:
    """For a chart of KV blocks, by moment (epoch s); None = not known. `filled`: token slots really filled, as full
    blocks. `reserved`: what all our turns would take with their longest answer reserved."""

    times: tuple[float, ...]
    filled: tuple[float | None, ...]
    reserved: tuple[float | None, ...]


def blocks_of(tokens: int, block_size: int) -> int:
    return -(-tokens // block_size)


def held_by(turns: Iterable[TurnUnderWay], block_sizes: Mapping[str, int]) -> tuple[HeldSlots, ...]:
    """By engine run and tenant. `block_sizes` gives the tokens in a block of each engine run."""
    groups: dict[tuple[str | None, str], list[TurnUnderWay]] = {}
    for turn in turns:
        if turn.prompt_tokens is not None:
            groups.setdefault((turn.engine_run, turn.tenant_id), []).append(turn)
    return tuple(_held(run, tenant, own, block_sizes.get(run or "")) for (run, tenant), own in groups.items())


def slot_lines(samples: Sequence[SlotSample], runs: Collection[str] | None = None) -> SlotLines:
    """Of these engine runs, None = of all."""
    filled: list[float | None] = []
    reserved: list[float | None] = []
    for sample in samples:
        held = [one for one in sample.held if runs is None or one.engine_run in runs]
        filled.append(_sum([one.filled for one in held]))
        reserved.append(_sum([one.reserved for one in held]))
    return SlotLines(tuple(sample.at for sample in samples), tuple(filled), tuple(reserved))


def block_seconds(samples: Sequence[SlotSample], since: float, runs: Collection[str] | None = None) -> dict[str, float]:
    """Blocks times the seconds that they were held since then, by tenant; gaps between samples count as nothing."""
    total: dict[str, float] = {}
    for before, after in pairwise(samples):
        step = after.at - before.at
        if before.at < since or step > LONGEST_STEP_S:
            continue
        for one in before.held:
            if one.blocks is not None and (runs is None or one.engine_run in runs):
                total[one.tenant_id] = total.get(one.tenant_id, 0.0) + one.blocks * step
    return total


def _held(run: str | None, tenant_id: str, turns: Sequence[TurnUnderWay], block_size: int | None) -> HeldSlots:
    if not block_size:
        return HeldSlots(run, tenant_id, len(turns), sum(map(_tokens, turns)), None, None, None)
    longest = [(turn.prompt_tokens or 0) + turn.max_tokens for turn in turns if turn.max_tokens is not None]
    reserved = sum(blocks_of(each, block_size) for each in longest) if len(longest) == len(turns) else None
    own = [own_tokens(turn, block_size) for turn in turns]
    shared = shared_blocks(turns, block_size)
    blocks = shared + sum(blocks_of(each, block_size) for each in own)
    filled = shared + sum(own) / block_size
    return HeldSlots(run, tenant_id, len(turns), shared * block_size + sum(own), blocks, filled, reserved)


def own_tokens(turn: TurnUnderWay, block_size: int) -> int:
    """Tokens that a turn has for itself: all but the whole blocks of its beginning that were in the prefix cache."""
    return _tokens(turn) - turn.cached_tokens // block_size * block_size


def shared_blocks(turns: Sequence[TurnUnderWay], block_size: int) -> int:
    """Blocks of beginnings that were in the prefix cache: of one tenant's turns the longest is counted, once."""
    return max((turn.cached_tokens // block_size for turn in turns), default=0)


def _tokens(turn: TurnUnderWay) -> int:
    return (turn.prompt_tokens or 0) + turn.output_tokens


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
