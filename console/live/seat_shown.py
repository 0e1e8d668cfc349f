"""What the seat map and its table show, from one reading. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from console.live.view import UNKNOWN
from console.live.why_reading import NO_SEATS
from engine_host.metrics.seats import NOT_OURS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from console.live.why_reading import SeatRead
    from engine_host.metrics.seats import Holder, SeatMap
    from storage.records import Tenant

COMPUTED: Final = "computed from our turns"
WHOLE_MINUTE_S: Final = 58.0
Kind = Literal["tenant", "others", "free"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One line of the table. `share` is of all blocks, 0 to 1; `held` are block-seconds, None = not counted."""

    key: str
    name: str
    kind: Kind
    blocks: int
    share: float
    series: int = 0
    seqs: int | None = None
    held: float | None = None


@dataclass(frozen=True, slots=True)
class SeatsShown:
    """`series` is each cell's colour: a tenant's number, 0 = free, -1 = not ours. `missing` is a sentence instead."""

    seats: SeatMap = NO_SEATS
    series: tuple[int, ...] = ()
    names: Mapping[str, str] | None = None
    rows: tuple[SeatRow, ...] = ()
    unit: str = ""
    value: str = ""
    missing: str = ""


def derive_seats(read: SeatRead, tenants: Sequence[Tenant]) -> SeatsShown:
    if read.missing:
        return SeatsShown(missing=read.missing)
    seats, colours = read.seats, {tenant.tenant_id: tenant.colour for tenant in tenants}
    series = {holder.key: _series(holder, colours) for holder in seats.holders}
    idle = seats.total - seats.used
    cell = "one cell a block" if seats.per_cell == 1 else f"one cell for {seats.per_cell:,} blocks"
    seen = "" if read.held_s >= WHOLE_MINUTE_S else f", block-s of {read.held_s:.0f} s"
    return SeatsShown(
        seats=seats,
        series=tuple(series.get(key, 0) for key in seats.seats),
        names={tenant.tenant_id: tenant.name for tenant in tenants},
        rows=_rows(read, tenants),
        unit=f"{cell}, {COMPUTED}{seen}",
        value=f"{seats.used:,} used + {idle:,} free or cached = {seats.total:,}",
    )


def cell_words(shown: SeatsShown, cell: int, zone: tzinfo) -> tuple[str, str]:
    """What is said of a cell: which blocks and whose, and of what they are."""
    seats, holder = shown.seats, shown.seats.holder(cell)
    first, last = cell * seats.per_cell, min((cell + 1) * seats.per_cell, seats.total) - 1
    where = f"Cell {cell + 1:,}" if seats.per_cell == 1 else f"Cell {cell + 1:,}, {last - first + 1:,} blocks"
    if holder is None:
        return f"{where}, free", "or kept for prompts that begin alike"
    if holder.key == NOT_OURS:
        return f"{where}, not ours", "others, or a prompt that is not counted yet"
    name = (shown.names or {}).get(holder.tenant_id, holder.tenant_id)
    return f"{where}, {name}", _whose(holder, seats.numbers[cell], zone)


def _whose(holder: Holder, number: int, zone: tzinfo) -> str:
    filled = holder.filled(number)
    if holder.asked_at is not None and filled is not None:
        asked = datetime.fromtimestamp(holder.asked_at, zone)
        return f"turn of {asked:%H:%M:%S}, {filled:,} of {holder.block_size:,} tokens filled"
    turns = f"{holder.turns:,} {'turn' if holder.turns == 1 else 'turns'}"
    if filled is not None:
        return f"beginning from the prefix cache, read by {turns}"
    return f"{turns} with {holder.blocks:,} blocks in all"


def _series(holder: Holder, colours: Mapping[str, int]) -> int:
    return -1 if holder.key == NOT_OURS else colours.get(holder.tenant_id, -1)


def _rows(read: SeatRead, tenants: Sequence[Tenant]) -> tuple[SeatRow, ...]:
    """Tenants that hold something or did in the last minute, in the order of their colours; then the rest, so that
    the blocks of all rows are all blocks."""
    seats, seqs, held = read.seats, dict(read.seqs), dict(read.held)
    blocks: dict[str, int] = {}
    for holder in seats.holders:
        blocks[holder.tenant_id] = blocks.get(holder.tenant_id, 0) + holder.blocks
    whole = seats.total or 1
    rows: list[SeatRow] = []
    for tenant in tenants:
        own, key = blocks.pop(tenant.tenant_id, 0), tenant.tenant_id
        if own or held.get(key):
            rows.append(
                SeatRow(
                    key, tenant.name, "tenant", own, own / whole, tenant.colour, seqs.get(key, 0), held.get(key, 0.0)
                )
            )
    if others := sum(blocks.values()):
        rows.append(SeatRow(NOT_OURS, "Not ours", "others", others, others / whole))
    idle = seats.total - seats.used
    return (*rows, SeatRow("free", "Free or cached", "free", idle, idle / whole))


def number_words(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:,.0f}"
