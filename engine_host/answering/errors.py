"""What can keep a question from being opened as a turn. Each exception carries a finished sentence."""

from __future__ import annotations


class AnsweringError(Exception):
    """Root of this room's errors; `str(e)` is fit for whoever asks."""


class UnknownTenant(AnsweringError):
    """There is no such tenant, so nothing can be counted for it."""


class UnknownConversation(AnsweringError):
    """The tenant has no such conversation."""
