"""What a database of before publishing brings along."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from alembic import command
from sqlalchemy import text

from storage.connect import database_url, make_engine
from storage.database import Database
from storage.migrate import alembic_config
from storage.queries.article_history import versions_of
from storage.queries.articles import chunks_of, get_article

if TYPE_CHECKING:
    from sqlalchemy import Connection

OLD = """
INSERT INTO article (article_id, source_name, title, owner, audience, tenants, language, body, source_hash, meta_hash,
                     status, generation, chunk_count, updated_at)
VALUES ('a1', 'late.md', 'Late', 'Leela', 'customers', '["kamala"]', 'en', 'Late is free.', 's1', 'm1',
        'published', 3, 1, '2026-11-30 12:00:00')
"""
OLD_CHUNK = """
INSERT INTO chunk (article_id, generation, ordinal, heading_path, text, start, "end", tokens, text_hash, point_id)
VALUES ('a1', 3, 0, '[]', 'Late is free.', 0, 13, 5, 'h', 'p')
"""


def make_old(url: str) -> None:
    engine = make_engine(database_url(url), 1.0, foreign_keys=False)
    with engine.begin() as connection:
        _upgrade_to(connection, "0001")
        connection.execute(text(OLD))
        connection.execute(text(OLD_CHUNK))
    engine.dispose()


def _upgrade_to(connection: Connection, revision: str) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def test_that_an_article_of_before_keeps_its_pieces_and_gets_its_first_version(url: str) -> None:
    make_old(url)
    database = await Database.open(url)
    article = await database.run(lambda session: get_article(session, "a1"))
    assert article.generation == 3
    assert article.text_hash == hashlib.sha256(b"Late is free.").hexdigest()
    assert len(await database.run(lambda session: chunks_of(session, "a1"))) == 1
    (version,) = await database.run(lambda session: versions_of(session, "a1"))
    assert (version.number, version.how, version.made_by) == (1, "imported", "")
    assert (version.text.body, version.text.tenants, version.made_at) == (
        "Late is free.",
        ("kamala",),
        article.updated_at,
    )
    await database.close()
