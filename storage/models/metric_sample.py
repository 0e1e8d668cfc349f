"""The history of the engines' metrics: blocks of samples, and the column lists that many blocks share."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class MetricColumnsTable(Base):
    """`names`, parted by newlines, is what the blocks of this id hold."""

    __tablename__ = "metric_columns"

    columns_id: Mapped[int] = mapped_column(primary_key=True)
    names: Mapped[str]


class MetricSampleTable(Base):
    """A block of samples of one engine at one step."""

    __tablename__ = "metric_sample"
    __table_args__ = (Index("ix_metric_sample_step_s_end_at", "step_s", "end_at"),)

    engine: Mapped[str] = mapped_column(primary_key=True)
    step_s: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    start_at: Mapped[datetime] = mapped_column(primary_key=True)
    end_at: Mapped[datetime]
    columns_id: Mapped[int] = mapped_column(ForeignKey("metric_columns.columns_id"))
    rows: Mapped[int]
    body: Mapped[bytes] = mapped_column(LargeBinary)
