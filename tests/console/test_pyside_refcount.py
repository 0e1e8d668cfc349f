"""The installed PySide6 must not lose references to None: a release that does ends the interpreter."""

from __future__ import annotations

import sys

from PySide6.QtGui import QPainterPath


def test_that_a_call_without_a_result_keeps_the_references_of_none() -> None:
    path = QPainterPath()
    before = sys.getrefcount(None)
    for _ in range(1000):
        path.moveTo(0, 0)
    assert abs(sys.getrefcount(None) - before) < 500, "PySide6 loses a reference to None a call. Pin another version."
