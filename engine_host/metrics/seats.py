"""Which block of the KV cache is whose, computed from our own turns. Pure.

The engine does not say which blocks a turn has, only how many are used in all. So each turn is given as many seats as
its tokens need, in an order of our own; a seat stays with its turn until that ends. Beginnings of prompts that the
engine had in its prefix cache are shared: of each tenant's turns the longest one is counted, once. How much of it a
turn found there the engine tells at its end; until then turns that need more than is used are taken to share.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine_host.metrics.slots import blocks_of, own_tokens, shared_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine_host.answering.under_way import TurnUnderWay

FREE: Final = ""
NOT_OURS: Final = "not ours"
MOST_CELLS: Final = 1000
STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Holder:
    """Whoever has seats: one turn, what turns of one tenant share, all turns of a tenant in a large cache, or others.

    `turns` is how many turns it stands for. `asked_at` (epoch s) and `tokens`, which lie in its `blocks` of which the
    last may be partly filled, are known of a single turn only.
    """

    key: str
    tenant_id: str
    blocks: int
    block_size: int
    tokens: int | None = None
    asked_at: float | None = None
    turns: int = 1

    def filled(self, number: int) -> int | None:
        """Tokens in its block `number`, counted from 0."""
        return None if self.tokens is None else min(max(self.tokens - number * self.block_size, 0), self.block_size)


@dataclass(frozen=True, slots=True)
class SeatMap:
    """One cell for `per_cell` of the `total` blocks. `seats` says of each cell whose it is (a holder's key, or FREE),
    `numbers` which of its holder's cells it is. `used` blocks are taken. FREE ones may hold beginnings of prompts that
    can be evicted."""

    total: int = 0
    used: int = 0
    per_cell: int = 1
    seats: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    holders: tuple[Holder, ...] = ()

    def holder(self, cell: int) -> Holder | None:
        """Whose this cell is; None when it is free."""
        key = self.seats[cell]
        return next((holder for holder in self.holders if holder.key == key), None) if key else None


def per_cell_of(total: int, most: int = MOST_CELLS) -> int:
    """How many blocks a cell stands for, so that no more than `most` cells are needed: 1, 2, 5, 10, 20, 50 …"""
    scale = 1
    while True:
        for step in STEPS:
            if -(-total // (step * scale)) <= most:
                return step * scale
        scale *= 10


def holders_of(turns: Iterable[TurnUnderWay], block_sizes: Mapping[str, int]) -> tuple[Holder, ...]:
    """Of the turns in these engine runs whose prompt the engine has counted."""
    inside = [turn for turn in turns if turn.prompt_tokens is not None and turn.engine_run in block_sizes]
    own = [_own(turn, block_sizes[turn.engine_run or ""]) for turn in inside]
    groups: dict[tuple[str, str], list[TurnUnderWay]] = {}
    for turn in inside:
        if turn.cached_tokens:
            groups.setdefault((turn.tenant_id, turn.engine_run or ""), []).append(turn)
    shared = [_shared(tenant, run, turns, block_sizes[run]) for (tenant, run), turns in groups.items()]
    return tuple(holder for holder in (*shared, *own) if holder.blocks)


def seat(before: SeatMap, holders: Sequence[Holder], total: int, used: int, block_size: int) -> SeatMap:
    """Give each holder its cells: those that it had, and the first free ones for what it needs more.

    What the engine uses beyond our holders is NOT_OURS. When our turns need more than it uses, they share beginnings
    and get fewer, each at least one: its figures may be younger than the engine's. When they need more than there is,
    the last ones get none. In a cache of more than 1,000 blocks a cell stands for several of them, and a
    holder is a tenant with all its turns.
    """
    holders = sharing(holders, used)
    ours = sum(holder.blocks for holder in holders)
    others = Holder(NOT_OURS, NOT_OURS, max(0, min(used, total) - ours), block_size, turns=0)
    per_cell = per_cell_of(total)
    kept = [one for one in (*(holders if per_cell == 1 else by_tenant(holders)), others) if one.blocks]
    wanted = {one.key: max(1, round(one.blocks / per_cell)) for one in kept}
    old = before.seats if before.per_cell == per_cell else ()
    seats, numbers = _placed(old, wanted, -(-total // per_cell))
    taken = max(min(used, total), min(ours, total))
    return SeatMap(total, taken, per_cell, tuple(seats), tuple(numbers), tuple(kept))


def sharing(holders: Sequence[Holder], used: int) -> tuple[Holder, ...]:
    """The holders with `used` blocks in all, or as near to it as whole beginnings that are shared can bring them: those
    with the most give first, and each keeps its last block."""
    most = max((holder.blocks for holder in holders), default=1)
    level = bisect_left(range(1, most), used, key=lambda level: _blocks_up_to(holders, level)) + 1
    surplus = _blocks_up_to(holders, level) - used
    shared: list[Holder] = []
    for holder in holders:
        gives = holder.blocks >= level > 1 and surplus > 0
        surplus -= gives
        shared.append(_with_blocks(holder, min(holder.blocks, level) - gives))
    return tuple(shared)


def _blocks_up_to(holders: Sequence[Holder], level: int) -> int:
    return sum(min(holder.blocks, level) for holder in holders)


def _with_blocks(holder: Holder, blocks: int) -> Holder:
    gone = (holder.blocks - blocks) * holder.block_size
    return replace(holder, blocks=blocks, tokens=None if holder.tokens is None else holder.tokens - gone)


def by_tenant(holders: Iterable[Holder]) -> tuple[Holder, ...]:
    """All that a tenant's turns have, as one holder; what they share is counted once."""
    groups: dict[str, list[Holder]] = {}
    for holder in holders:
        groups.setdefault(holder.tenant_id, []).append(holder)
    return tuple(
        Holder(
            f"all of {tenant}", tenant, sum(one.blocks for one in own), own[0].block_size,
            turns=sum(one.asked_at is not None for one in own),
        )
        for tenant, own in groups.items()
    )  # fmt: skip


def _placed(old: Sequence[str], wanted: Mapping[str, int], cells: int) -> tuple[list[str], list[int]]:
    seats, numbers = [FREE] * cells, [0] * cells
    had = dict.fromkeys(wanted, 0)
    for place, key in enumerate(old[:cells]):
        if key and had.get(key, 0) < wanted.get(key, 0):
            seats[place], numbers[place] = key, had[key]
            had[key] += 1
    places = iter([place for place, key in enumerate(seats) if not key])
    for key, count in wanted.items():
        for number in range(had[key], count):
            place = next(places, None)
            if place is None:
                break
            seats[place], numbers[place] = key, number
    return seats, numbers


def _own(turn: TurnUnderWay, block_size: int) -> Holder:
    tokens = own_tokens(turn, block_size)
    blocks = blocks_of(tokens, block_size)
    return Holder(turn.turn_id, turn.tenant_id, blocks, block_size, tokens, turn.asked_at.timestamp())


def _shared(tenant_id: str, run: str, turns: Sequence[TurnUnderWay], block_size: int) -> Holder:
    blocks = shared_blocks(turns, block_size)
    key = f"shared by {tenant_id} in {run}"
    return Holder(key, tenant_id, blocks, block_size, blocks * block_size, turns=len(turns))
