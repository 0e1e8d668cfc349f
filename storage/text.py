"""Text from outside as the house can keep, search, send and print it."""

from __future__ import annotations

import re

# PostgreSQL refuses NUL in text, and no database takes half of a surrogate pair; customers and models send both.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` with each character that a database can't keep replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """`text` for a list or a terminal: line ends, other control characters and halves of pairs become U+FFFD."""
    return _NOT_IN_A_LINE.sub("\ufffd", text)
