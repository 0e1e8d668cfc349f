"""Asks once before an article is deleted, for that can't be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.articles.danger_dialog import DangerDialog
from console.articles.words import count_text
from console.widgets.buttons import Button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.theme.style import Theme
    from knowledge.article import Article


def derive_warning(article: Article) -> tuple[str, str]:
    """The question, and what follows from a yes."""
    chunks = count_text(article.chunk_count, "chunk")
    loss = f"Its text is removed with its {chunks}, and it answers nothing any more. This can't be undone."
    return f"Delete “{article.text.title}”?", f"{loss} Retire it instead to keep the text."


class DeleteDialog(DangerDialog):
    """Accepted = delete it."""

    def __init__(self, theme: Theme, article: Article, parent: QWidget | None = None) -> None:
        no, yes = Button(theme, "Keep it"), Button(theme, "Delete", "danger", "trash")
        super().__init__(theme, ("Delete the article", *derive_warning(article)), no, yes, parent)
        self.article_id = article.article_id
