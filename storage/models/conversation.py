"""Conversations and their turns. A turn carries all that is known of one question and its answer."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class ConversationTable(Base):
    __tablename__ = "conversation"

    conversation_id: Mapped[str] = mapped_column(primary_key=True)
    tenant_id: Mapped[str] = mapped_column(ForeignKey("tenant.tenant_id"))
    customer_id: Mapped[str | None]
    customer_name: Mapped[str]
    started_at: Mapped[datetime]
    last_at: Mapped[datetime] = mapped_column(index=True)
    last_question: Mapped[str]
    turns: Mapped[int]
    has_withheld: Mapped[bool]
    flagged: Mapped[bool]


class TurnTable(Base):
    """`usage_day` is fixed when the turn opens, so that a turn's tokens always count on one and the same day.

    `abandoned` says that nobody settled the turn: its process was gone, or seemed to be. `unknown` names why it did not
    know; "" when it knew, None when it was kept before that was. `ix_turn_usage` holds all that usage is added up from:
    the rows themselves are long.
    """

    __tablename__ = "turn"
    __table_args__ = (
        Index("ix_turn_conversation_id_asked_at", "conversation_id", "asked_at"),
        Index(
            "ix_turn_usage", "usage_day", "tenant_id", "asked_at", "conversation_id", "engine_run", "outcome",
            "abandoned", "unknown", "withheld", "prompt_tokens", "cached_tokens", "output_tokens", "lookup_ms",
            "prefill_ms", "decode_ms", "ttft_ms",
        ),
    )  # fmt: skip

    turn_id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversation.conversation_id"))
    tenant_id: Mapped[str] = mapped_column(ForeignKey("tenant.tenant_id"))
    customer_id: Mapped[str | None]
    customer_name: Mapped[str]
    question: Mapped[str]
    asked_at: Mapped[datetime] = mapped_column(index=True)
    usage_day: Mapped[date]
    engine_run: Mapped[str | None] = mapped_column(index=True)

    outcome: Mapped[str] = mapped_column(index=True)
    abandoned: Mapped[bool]
    unknown: Mapped[str | None]
    language: Mapped[str]
    answer: Mapped[str]
    events: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    withheld: Mapped[int]
    feedback: Mapped[int]
    prompt_tokens: Mapped[int]
    cached_tokens: Mapped[int]
    output_tokens: Mapped[int]

    queue_ms: Mapped[float | None]
    retrieve_ms: Mapped[float | None]
    lookup_ms: Mapped[float | None]
    prefill_ms: Mapped[float | None]
    decode_ms: Mapped[float | None]
    gate_ms: Mapped[float | None]
    first_text_ms: Mapped[float | None]
    ttft_ms: Mapped[float | None]
    inter_token_ms: Mapped[float | None]
    total_ms: Mapped[float | None]
    client_ms: Mapped[float | None]


class TurnShareTable(Base):
    """What another engine run than the turn's own did for it. The turn's tokens hold these too."""

    __tablename__ = "turn_share"

    turn_id: Mapped[str] = mapped_column(ForeignKey("turn.turn_id"), primary_key=True)
    engine_run: Mapped[str] = mapped_column(primary_key=True, index=True)
    prompt_tokens: Mapped[int]
    cached_tokens: Mapped[int]
    output_tokens: Mapped[int]
