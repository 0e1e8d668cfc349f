"""Staff hear once of a status word that nobody has given a meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from console.chat.unmapped_watch import UnmappedWatch
from tests.console.chat.made import CALLED, ORDER

if TYPE_CHECKING:
    from console.widgets.notices import Notice


def test_that_a_word_is_told_once_and_another_one_again() -> None:
    told: list[Notice] = []
    watch = UnmappedWatch(told.append)
    oven = replace(CALLED, orders=(), unmapped=("in_oven",))
    watch.look((ORDER, CALLED))
    assert told == []
    watch.look((ORDER, oven))
    watch.look((oven, replace(oven, unmapped=("in_oven", "boxed"))))
    assert [notice.key for notice in told] == ["unmapped in_oven", "unmapped boxed"]
    assert told[0].level == "warn"
    assert "“in_oven”, which is not mapped" in told[0].fact
    assert told[0].detail == "Map it in Settings › Order system."
