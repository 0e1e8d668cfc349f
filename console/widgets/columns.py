"""The columns of a table as data: what each cell says, how wide, how strong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from console.theme.tokens import ColorToken
    from console.widgets.pill import PillMark

R = TypeVar("R")
Strength = Literal["name", "text", "text-2", "text-3", "strong"]


# Without slots: in 3.11 a frozen generic dataclass with slots cannot be made as Column[Record](…).
@dataclass(frozen=True)
class Column(Generic[R]):
    """One column of a RecordTable.

    width: px; 0 takes what the others leave. text: the words. second: more words in `text-3` after them.
    pill, icon, series: what is drawn before or instead of the words. ink: a colour for this record, else None.
    paint: draws the cell itself, for bars. sort: what to sort by, else the text; None disables sorting of a column
    without text.
    """

    key: str
    title: str
    width: int = 0
    align: Literal["left", "right"] = "left"
    text: Callable[[R], str] | None = None
    second: Callable[[R], str] | None = None
    pill: Callable[[R], PillMark | None] | None = None
    icon: Callable[[R], tuple[str, ColorToken] | None] | None = None
    series: Callable[[R], int] | None = None
    ink: Callable[[R], ColorToken | None] | None = None
    paint: Callable[[QPainter, QRectF, R], None] | None = None
    sort: Callable[[R], Any] | None = None
    strength: Strength = "text-2"
    mono: bool = False
    help_text: str = ""

    def sort_value(self, record: R) -> Any:
        return self.sort(record) if self.sort else self.words(record).casefold()

    def words(self, record: R) -> str:
        """What the cell says, for sorting, searching and screen readers."""
        if self.text is not None:
            return self.text(record)
        mark = self.pill(record) if self.pill is not None else None
        return mark.text if mark is not None else ""
