"""Asks once before an article is deleted, for that can't be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.articles.words import count_text
from console.widgets.buttons import Button
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from console.theme.style import Theme
    from knowledge.article import Article


def derive_warning(article: Article) -> tuple[str, str]:
    """The question, and what follows from a yes."""
    chunks = count_text(article.chunk_count, "chunk")
    loss = f"Its text is removed with its {chunks}, and it answers nothing any more. This can't be undone."
    return f"Delete “{article.text.title}”?", f"{loss} Retire it instead to keep the text."


class DeleteDialog(QDialog):
    """Accepted = delete it. Enter and Esc both mean no."""

    def __init__(self, theme: Theme, article: Article, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.article_id = article.article_id
        question, loss = derive_warning(article)
        self.setWindowTitle("Delete the article")
        self.setFixedWidth(420)
        self.no = Button(theme, "Keep it")
        self.yes = Button(theme, "Delete", "danger", "trash")
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.no.clicked.connect(self.reject)
        self.yes.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(6)
        column.addWidget(Paragraph(theme, (Run(question, weight=600),), px=14, line=20))
        column.addWidget(Paragraph(theme, (Run(loss, "text-2"),)))
        column.addSpacing(10)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        column.addLayout(foot)
