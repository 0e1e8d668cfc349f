"""Publishing: drafts, versions and receipts of articles; the hash of an article's text apart from its metadata's."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WORDS = ("source_name", "title", "owner", "audience", "language", "body", "source_hash")


def upgrade() -> None:
    _columns_of_articles()
    _drafts()
    _versions()
    _receipts()
    _first_versions()


def _columns_of_articles() -> None:
    with op.batch_alter_table("article") as table:
        table.add_column(sa.Column("text_hash", sa.Text(), nullable=True))
    names = ("article_id", "body", "text_hash")
    article = sa.table("article", *(sa.column(name, sa.Text()) for name in names))
    connection = op.get_bind()
    for article_id, body in connection.execute(sa.select(article.c.article_id, article.c.body)).all():
        digest = hashlib.sha256(body.encode()).hexdigest()
        connection.execute(article.update().where(article.c.article_id == article_id).values(text_hash=digest))
    with op.batch_alter_table("article") as table:
        table.alter_column("text_hash", existing_type=sa.Text(), nullable=False)
    op.create_index("ix_article_text_hash", "article", ["text_hash"])


def _text_columns() -> tuple[sa.Column[object], ...]:
    return (
        *(_text(name) for name in WORDS),
        sa.Column("tenants", sa.JSON(), nullable=False),
        *(sa.Column(name, sa.Date(), nullable=True) for name in ("valid_from", "valid_to")),
    )


def _text(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _drafts() -> None:
    op.create_table(
        "article_draft",
        _text("article_id"),
        *_text_columns(),
        _moment("saved_at"),
        _text("saved_by"),
        sa.PrimaryKeyConstraint("article_id", name="pk_article_draft"),
        sa.ForeignKeyConstraint(
            ["article_id"], ["article.article_id"], name="fk_article_draft_article_id", ondelete="CASCADE"
        ),
    )


def _versions() -> None:
    op.create_table(
        "article_version",
        _text("article_id"),
        sa.Column("number", sa.Integer(), nullable=False),
        *_text_columns(),
        _text("how"),
        _moment("made_at"),
        _text("made_by"),
        sa.PrimaryKeyConstraint("article_id", "number", name="pk_article_version"),
        sa.ForeignKeyConstraint(
            ["article_id"], ["article.article_id"], name="fk_article_version_article_id", ondelete="CASCADE"
        ),
    )


def _receipts() -> None:
    op.create_table(
        "deletion_receipt",
        *(_text(name) for name in ("receipt_id", "article_id", "title", "source_name")),
        sa.Column("points_before", sa.Integer(), nullable=False),
        sa.Column("points_after", sa.Integer(), nullable=True),
        sa.Column("probes", sa.JSON(), nullable=False),
        _moment("deleted_at"),
        _text("deleted_by"),
        sa.PrimaryKeyConstraint("receipt_id", name="pk_deletion_receipt"),
    )
    op.create_index("ix_deletion_receipt_deleted_at", "deletion_receipt", ["deleted_at"])


def _first_versions() -> None:
    """Every article that was published so far has its text of now as its first version."""
    names = ", ".join((*WORDS, "tenants", "valid_from", "valid_to"))
    op.execute(
        f"INSERT INTO article_version (article_id, number, {names}, how, made_at, made_by) "  # noqa: S608 - constants
        f"SELECT article_id, 1, {names}, 'imported', updated_at, '' FROM article WHERE status <> 'draft'"
    )
