"""The list of conversations, derived: grouped by day, each row with the tenant's colour and its mark."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from console.chat.words import NOBODY
from console.widgets.list_rows import Heading, ListRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date, datetime, tzinfo

    from console.theme.tokens import ColorToken
    from storage.queries.review import ReviewList
    from storage.records import Conversation, Tenant


def derive_rows(
    listing: ReviewList, tenants: Mapping[str, Tenant], now: datetime, zone: tzinfo
) -> tuple[Heading | ListRow, ...]:
    """Rows newest first, under "Today", "Yesterday" or the date."""
    rows: list[Heading | ListRow] = []
    day = None
    today = now.astimezone(zone).date()
    for conversation in listing.conversations:
        at = conversation.last_at.astimezone(zone)
        if at.date() != day:
            day = at.date()
            rows.append(Heading(day_name(day, today)))
        tenant = tenants.get(conversation.tenant_id)
        rows.append(
            ListRow(
                key=conversation.conversation_id,
                title=person(conversation),
                time=f"{at:%H:%M}",
                second=" ".join(conversation.last_question.split()),
                series=tenant.colour if tenant else 0,
                icon=mark(conversation, listing.disliked),
            )
        )
    return tuple(rows)


def day_name(day: date, today: date) -> str:
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return f"{day:%A} {day.day} {day:%B}" + ("" if day.year == today.year else f" {day.year}")


def person(conversation: Conversation) -> str:
    return conversation.customer_name or conversation.customer_id or NOBODY


def mark(conversation: Conversation, disliked: Iterable[str]) -> tuple[str, ColorToken] | None:
    """The one icon of a row: what staff should look at first."""
    if conversation.conversation_id in disliked:
        return ("thumb-down", "error")
    if conversation.flagged:
        return ("flag", "accent-ink")
    return ("eye-off", "warn") if conversation.has_withheld else None


def derive_empty(segment: str, search: str) -> str:
    """What the list says when no conversation is in it."""
    if search:
        return f"No conversation matches “{search}”."
    if segment == "review":
        return "Nothing to review. A flag or a thumb down puts a conversation here."
    if segment == "withheld":
        return "No sentence was withheld."
    return "No conversations yet. Type a question below as any customer."
