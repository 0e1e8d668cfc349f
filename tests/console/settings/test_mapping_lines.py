"""A mapping as lines, and back."""

from __future__ import annotations

import pytest

from console.settings.mapping_lines import fault_of, lines_of, pairs_of

EXAMPLE = "in_oven = preparing"


@pytest.mark.parametrize("ours_first", [False, True])
def test_that_a_mapping_comes_back_from_its_lines(ours_first: bool) -> None:
    kept = {"expected_at": "eta.latest", "total.amount": "sum"}
    assert pairs_of(lines_of(kept, ours_first=ours_first), ours_first=ours_first) == kept


def test_that_theirs_stands_at_the_left_and_blanks_do_not_count() -> None:
    assert lines_of({"expected_at": "eta"}, ours_first=True) == "eta = expected_at"
    assert lines_of({"in_oven": "preparing"}) == "in_oven = preparing"
    assert pairs_of("\n  Out on road=out_for_delivery \n\n a=b = packed\n") == {
        "Out on road": "out_for_delivery",
        "a=b": "packed",
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("in_oven = preparing\n\nboxed = packed", ""),
        ("in_oven = preparing\nboxed packed", "Line 2 is “boxed packed”: write it as in_oven = preparing."),
        ("\n= packed", "Line 2 is “= packed”: write it as in_oven = preparing."),
        ("boxed =", "Line 1 is “boxed =”: write it as in_oven = preparing."),
        ("boxed = packed\nBOXED = placed", "Line 2 says again what line 1 says of “BOXED”."),
    ],
)
def test_that_the_first_line_that_can_not_be_read_is_named(text: str, fault: str) -> None:
    assert fault_of(text, EXAMPLE) == fault


def test_that_one_of_our_fields_is_read_from_one_place() -> None:
    assert fault_of("eta = expected_at\nlate = expected_at", EXAMPLE, ours_first=True).endswith("of “expected_at”.")
    assert fault_of("eta = expected_at\neta = placed_at", EXAMPLE, ours_first=True) == ""
