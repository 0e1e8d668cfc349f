"""Errors of the bridge, and which errors carry a sentence that people may read."""

from __future__ import annotations

from typing import Final

OUR_PACKAGES: Final = frozenset({"console", "engine_host", "knowledge", "storage"})


class BridgeError(Exception):
    """Root of the bridge's errors. `str(error)` is a sentence for people."""


class UnexpectedFaultError(BridgeError):
    """Stands in for an error that no room foresaw; the original is its `__cause__` and is in the crash report."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} stopped: the program has a fault. A report is in the log folder; try again.")


def is_ours(error: BaseException) -> bool:
    """True when a room raised `error` on purpose, so that its text is a finished sentence."""
    return any(kind.__module__.split(".", 1)[0] in OUR_PACKAGES for kind in type(error).__mro__)


def presentable(error: BaseException, what: str) -> Exception:
    """`error` itself when it is one of ours, else an UnexpectedFaultError caused by it."""
    if isinstance(error, Exception) and is_ours(error):
        return error
    fault = UnexpectedFaultError(what)
    fault.__cause__ = error
    return fault
