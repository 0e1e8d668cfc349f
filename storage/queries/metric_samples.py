"""Blocks of the engines' samples: put in, read by time, forgotten by age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from storage.metric_records import KeptHistory, MetricBlock
from storage.models import MetricColumnsTable, MetricSampleTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session


def keep_block(session: Session, block: MetricBlock) -> None:
    """A block of this engine and step that begins at the same moment stays as it is: two consoles may record one."""
    if session.get(MetricSampleTable, (block.engine, block.step_s, block.start_at)) is not None:
        return
    row = MetricSampleTable(
        engine=block.engine,
        step_s=block.step_s,
        start_at=block.start_at,
        end_at=block.end_at,
        columns_id=_columns_id(session, block.columns),
        rows=block.rows,
        body=block.body,
    )
    session.add(row)
    session.flush()


def blocks_between(
    session: Session, engine: str, step_s: int, first: datetime, last: datetime
) -> tuple[MetricBlock, ...]:
    """Every block that has a part in the span, both ends included, by its start."""
    query = _blocks(engine, step_s).where(MetricSampleTable.start_at <= last, MetricSampleTable.end_at >= first)
    found = session.execute(query.order_by(MetricSampleTable.start_at))
    return tuple(_block_of(row, names) for row, names in found)


def last_block(session: Session, engine: str, step_s: int) -> MetricBlock | None:
    query = _blocks(engine, step_s).order_by(MetricSampleTable.end_at.desc()).limit(1)
    found = session.execute(query).first()
    return _block_of(*found) if found is not None else None


def engines_between(session: Session, first: datetime, last: datetime) -> tuple[str, ...]:
    """The names of the engines of which something is kept in the span, in the order of the alphabet."""
    query = select(MetricSampleTable.engine).distinct()
    query = query.where(MetricSampleTable.start_at <= last, MetricSampleTable.end_at >= first)
    return tuple(session.scalars(query.order_by(MetricSampleTable.engine)))


def forget_before(session: Session, step_s: int, before: datetime) -> None:
    """Delete the blocks of this step that ended before, and the lists of columns that no block has any more."""
    session.execute(
        delete(MetricSampleTable).where(MetricSampleTable.step_s == step_s, MetricSampleTable.end_at < before)
    )
    used = select(MetricSampleTable.columns_id).where(MetricSampleTable.columns_id == MetricColumnsTable.columns_id)
    session.execute(delete(MetricColumnsTable).where(~used.exists()))


def kept_history(session: Session) -> tuple[KeptHistory, ...]:
    """What is kept, by engine and step."""
    table = MetricSampleTable
    query = select(
        table.engine,
        table.step_s,
        func.min(table.start_at),
        func.max(table.end_at),
        func.count(),
        func.sum(table.rows),
        func.sum(func.length(table.body)),
    ).group_by(table.engine, table.step_s)
    found = session.execute(query.order_by(table.engine, table.step_s))
    return tuple(KeptHistory(*row) for row in found)


def _blocks(engine: str, step_s: int) -> Select[MetricSampleTable, str]:
    joined = select(MetricSampleTable, MetricColumnsTable.names).join(
        MetricColumnsTable, MetricColumnsTable.columns_id == MetricSampleTable.columns_id
    )
    return joined.where(MetricSampleTable.engine == engine, MetricSampleTable.step_s == step_s)


def _columns_id(session: Session, columns: Sequence[str]) -> int:
    names = "\n".join(columns)
    known = session.scalars(select(MetricColumnsTable.columns_id).where(MetricColumnsTable.names == names)).first()
    if known is not None:
        return known
    row = MetricColumnsTable(names=names)
    session.add(row)
    session.flush()
    return row.columns_id


def _block_of(row: MetricSampleTable, names: str) -> MetricBlock:
    columns = tuple(names.split("\n"))
    return MetricBlock(row.engine, row.step_s, row.start_at, row.end_at, columns, row.rows, row.body)
