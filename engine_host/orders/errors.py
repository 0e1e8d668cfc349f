"""What can go wrong with the bundled order system. `str(error)` is a finished sentence for the person at the desk."""

from __future__ import annotations


class OrderSystemError(Exception):
    """The demo order system can't do what it was asked."""


class OrderSystemStopped(OrderSystemError):
    """It stays stopped, because a person stopped it or served it by hand."""


class OrderSystemFailed(OrderSystemError):
    """It did not start, does not answer or breaks off."""


class OrderSystemRuns(OrderSystemError):
    """A second one was to be served for the same home folder."""


class PortTaken(OrderSystemError):
    """The port that was named is in use."""


class OrderUnknown(OrderSystemError):
    """No order has that number."""


class SeedRefused(OrderSystemError):
    """The file of sample orders can't be read or contradicts itself."""
