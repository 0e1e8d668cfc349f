"""First schema: tenants, usage, conversations, turns, articles, chunks and engine events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIMES = ("queue", "retrieve", "lookup", "prefill", "decode", "gate", "first_text", "ttft", "inter_token", "total")


def upgrade() -> None:
    _tenants()
    _conversations()
    _turns()
    _articles()
    _engine_events()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _tokens(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _milliseconds(name: str) -> sa.Column[float]:
    double: sa.Double[float] = sa.Double()
    return sa.Column(name, double, nullable=True)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _tenants() -> None:
    op.create_table(
        "tenant",
        *(_text(name) for name in ("tenant_id", "name", "note")),
        _count("colour"),
        *(_text(name) for name in ("timezone", "order_prefix", "phone")),
        _tokens("daily_tokens"),
        *(_count(name) for name in ("requests_per_minute", "concurrent_requests")),
        *(_count(name) for name in ("longest_question_tokens", "longest_answer_tokens")),
        sa.PrimaryKeyConstraint("tenant_id", name="pk_tenant"),
    )
    op.create_table(
        "usage_day",
        _text("tenant_id"),
        sa.Column("day", sa.Date(), nullable=False),
        *(_count(name) for name in ("requests", "refused", "failed", "cancelled")),
        *(_tokens(name) for name in ("prompt_tokens", "cached_tokens", "output_tokens")),
        sa.PrimaryKeyConstraint("tenant_id", "day", name="pk_usage_day"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.tenant_id"], name="fk_usage_day_tenant_id"),
    )
    op.create_index("ix_usage_day_day", "usage_day", ["day"])


def _conversations() -> None:
    op.create_table(
        "conversation",
        *(_text(name) for name in ("conversation_id", "tenant_id")),
        _text("customer_id", null=True),
        _text("customer_name"),
        *(_moment(name) for name in ("started_at", "last_at")),
        _text("last_question"),
        _count("turns"),
        *(_flag(name) for name in ("has_withheld", "flagged")),
        sa.PrimaryKeyConstraint("conversation_id", name="pk_conversation"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.tenant_id"], name="fk_conversation_tenant_id"),
    )
    op.create_index("ix_conversation_last_at", "conversation", ["last_at"])


def _turns() -> None:
    op.create_table(
        "turn",
        *(_text(name) for name in ("turn_id", "conversation_id", "tenant_id")),
        _text("customer_id", null=True),
        *(_text(name) for name in ("customer_name", "question")),
        _moment("asked_at"),
        sa.Column("usage_day", sa.Date(), nullable=False),
        _text("engine_run", null=True),
        _text("outcome"),
        _flag("abandoned"),
        *(_text(name) for name in ("language", "answer")),
        sa.Column("events", sa.JSON(), nullable=False),
        *(_count(name) for name in ("withheld", "feedback")),
        *(_count(name) for name in ("prompt_tokens", "cached_tokens", "output_tokens")),
        *(_milliseconds(f"{name}_ms") for name in TIMES),
        sa.PrimaryKeyConstraint("turn_id", name="pk_turn"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.conversation_id"], name="fk_turn_conversation_id"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenant.tenant_id"], name="fk_turn_tenant_id"),
    )
    op.create_index("ix_turn_conversation_id_asked_at", "turn", ["conversation_id", "asked_at"])
    for column in ("asked_at", "engine_run", "outcome"):
        op.create_index(f"ix_turn_{column}", "turn", [column])


def _articles() -> None:
    op.create_table(
        "article",
        *(_text(name) for name in ("article_id", "source_name", "title", "owner", "audience")),
        sa.Column("tenants", sa.JSON(), nullable=False),
        _text("language"),
        *(sa.Column(name, sa.Date(), nullable=True) for name in ("valid_from", "valid_to")),
        *(_text(name) for name in ("body", "source_hash", "meta_hash", "status")),
        *(_count(name) for name in ("generation", "chunk_count")),
        _moment("updated_at"),
        sa.PrimaryKeyConstraint("article_id", name="pk_article"),
    )
    op.create_index("ix_article_source_name", "article", ["source_name"])
    op.create_table(
        "chunk",
        _text("article_id"),
        *(_count(name) for name in ("generation", "ordinal")),
        sa.Column("heading_path", sa.JSON(), nullable=False),
        _text("text"),
        *(_count(name) for name in ("start", "end", "tokens")),
        *(_text(name) for name in ("text_hash", "point_id")),
        sa.PrimaryKeyConstraint("article_id", "generation", "ordinal", name="pk_chunk"),
        sa.ForeignKeyConstraint(["article_id"], ["article.article_id"], name="fk_chunk_article_id", ondelete="CASCADE"),
        sa.UniqueConstraint("point_id", name="uq_chunk_point_id"),
    )


def _engine_events() -> None:
    op.create_table(
        "engine_event",
        _count("event_id"),
        _moment("at"),
        *(_text(name) for name in ("kind", "subject", "text")),
        sa.PrimaryKeyConstraint("event_id", name="pk_engine_event"),
    )
    op.create_index("ix_engine_event_at", "engine_event", ["at"])
