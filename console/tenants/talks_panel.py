"""The conversations of the picked tenant that used most tokens in the chosen period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.tenants.amounts import amount_text
from console.tenants.period import PERIODS
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.record_table import RecordTable
from storage.usage_records import ConversationUse

if TYPE_CHECKING:
    from console.tenants.reading import TalksRead
    from console.theme.style import Theme
    from storage.records import Tenant

HELP: Final = (
    "The ten conversations of this tenant that used most tokens, in and out, on the days of the period above. One that "
    "stands far above the others is long, or asked by a program: look at it on the Chat page."
)
NOTHING: Final = "No conversation used a token in this period."
READING: Final = "Reading…"


class TalksPanel(Panel):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Top conversations", help_text=HELP, padding=0)
        self.table = RecordTable[ConversationUse](
            theme, COLUMNS, lambda one: one.conversation_id, empty=READING, small=True, at_bottom=True,
            name="Top conversations",
        )  # fmt: skip
        self.body.setSpacing(0)
        self.body.addWidget(self.table, 1)

    def show_talks(self, tenant: Tenant | None, period: str, read: TalksRead | None) -> None:
        """What was read for another tenant or period is not shown."""
        self.set_title(f"Top conversations of {tenant.name}" if tenant else "Top conversations")
        self.set_unit(PERIODS[period].lower())
        fits = read is not None and tenant is not None and (read.tenant_id, read.period) == (tenant.tenant_id, period)
        self.table.set_empty(NOTHING if fits else READING if tenant else NOTHING)
        self.table.set_records(read.talks if read is not None and fits else ())


COLUMNS: Final = (
    Column[ConversationUse]("who", "customer", 128, text=lambda r: r.customer_name or "not signed in", strength="text"),
    Column[ConversationUse]("question", "last question", text=lambda r: " ".join(r.last_question.split())),
    Column[ConversationUse](
        "turns", "turns", 56, "right", text=lambda r: f"{r.turns:,}", sort=lambda r: r.turns, strength="text"
    ),
    Column[ConversationUse](
        "tokens", "tokens", 76, "right", text=lambda r: amount_text(r.tokens.prompt + r.tokens.output),
        sort=lambda r: r.tokens.prompt + r.tokens.output, strength="text",
    ),
)  # fmt: skip
