"""Tenants, and what each of them used on each of its days."""

from __future__ import annotations

from datetime import date

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class TenantTable(Base):
    __tablename__ = "tenant"

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    note: Mapped[str]
    colour: Mapped[int]
    timezone: Mapped[str]
    order_prefix: Mapped[str]
    phone: Mapped[str]
    daily_tokens: Mapped[int] = mapped_column(BigInteger)
    requests_per_minute: Mapped[int]
    concurrent_requests: Mapped[int]
    longest_question_tokens: Mapped[int]
    longest_answer_tokens: Mapped[int]
    ttft_target_ms: Mapped[int | None]


class UsageDayTable(Base):
    __tablename__ = "usage_day"

    tenant_id: Mapped[str] = mapped_column(ForeignKey("tenant.tenant_id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True, index=True)
    requests: Mapped[int]
    refused: Mapped[int]
    failed: Mapped[int]
    cancelled: Mapped[int]
    prompt_tokens: Mapped[int] = mapped_column(BigInteger)
    cached_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
