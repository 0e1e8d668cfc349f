"""`dabba orders`: what a person and a script read, and the exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from console.commands.orders import app, status_named
from engine_host.orders.port import OrderStatus

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

pytestmark = pytest.mark.usefixtures("home_folder")


def orders(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def as_json(*arguments: str) -> Any:
    result = orders(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_that_a_move_is_seen_by_the_next_list_and_a_reset_takes_it_back() -> None:
    moved = as_json("move", "KD-4821", "Out-for-Delivery")
    as_json("move", "KD-4821", "delivered")
    listed = as_json("list", "--customer", "C-2291")
    reset = as_json("reset")

    assert (moved["order_id"], moved["status"], moved["customer_name"]) == (
        "KD-4821",
        "out_for_delivery",
        "Meera Joshi",
    )
    assert [(row["order_id"], row["status"], row["tenant_id"]) for row in listed] == [
        ("KD-4821", "delivered", "kamala")
    ]
    assert reset == {"orders": 25}
    assert as_json("list", "--customer", "C-2291")[0]["status"] == "out_for_delivery"


def test_that_people_read_an_aligned_table_in_the_kitchens_time() -> None:
    lines = orders("list").stdout.splitlines()

    assert len(lines) == 27
    column = lines[0].index("status")
    assert all(line[column : column + 6].strip() in {"placed", "prepar", "packed", "out_fo", "delive", "cancel"}
               for line in lines[1:26])  # fmt: skip
    assert lines[-1].endswith("Asia/Kolkata.")


def test_that_a_customer_without_orders_has_none_and_an_unknown_one_is_an_error() -> None:
    none, unknown = orders("list", "--customer", "C-3968"), orders("list", "--customer", "C-0")

    assert (none.exit_code, none.stdout) == (0, "Customer C-3968 has no orders today.\n")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert unknown.stderr.startswith("Customer C-0 is not known")


@pytest.mark.parametrize("arguments", [("KD-1", "packed"), ("KD-4821", "eaten")])
def test_that_a_move_that_can_not_be_made_ends_with_1_and_one_sentence(arguments: tuple[str, str]) -> None:
    result = orders("move", *arguments)

    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1


def test_that_stopped_by_hand_every_command_says_how_to_start_it(home_folder: Path) -> None:
    assert as_json("stop") == {"stopped": True, "did_run": False}

    for command in (("list",), ("move", "KD-4821", "packed"), ("reset",)):
        result = orders(*command)
        assert result.exit_code == 1
        assert "dabba orders serve" in result.stderr
    assert not (home_folder / "demo_orders").exists()


@pytest.mark.parametrize("text", ["out_for_delivery", "Out For Delivery", " out-for-delivery "])
def test_that_a_status_is_understood_however_it_is_typed(text: str) -> None:
    assert status_named(text) is OrderStatus.OUT_FOR_DELIVERY
    assert status_named("eaten") is None
