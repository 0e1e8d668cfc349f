"""`dabba orders`: serve the bundled order system by hand, look at its orders, move one, start its day again."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from console.commands.output import fail, print_json, print_table, run
from engine_host.orders.port import Order, OrderStatus

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from engine_host.orders.demo.book import DemoCustomer
    from engine_host.orders.demo.client import DemoAddress
    from engine_host.orders.demo_process import DemoOrders

app = typer.Typer(help="The bundled demo order system.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="0: the last one, or any free one.", min=0, max=65535)] = 0,
) -> None:
    """Serve it in the foreground until Ctrl+C; from then on it stays stopped until it is served again."""
    logging.basicConfig(format="%(message)s")
    logging.getLogger("engine_host.orders.demo").setLevel(logging.INFO)
    run(_serve(port))


@app.command()
def stop(as_json: Json = False) -> None:
    """Stop it, whoever started it; it stays stopped until `dabba orders serve`."""
    run(_stop(as_json))


@app.command("list")
def list_orders(
    customer: Annotated[str, typer.Option(help="Only the orders of this customer, e.g. C-2291.")] = "",
    as_json: Json = False,
) -> None:
    """Show the orders of the day as they stand now."""
    run(_list(customer, as_json))


@app.command()
def move(
    order: Annotated[str, typer.Argument(help="The order's number, e.g. KD-4821.")],
    status: Annotated[str, typer.Argument(help=f"One of: {', '.join(OrderStatus)}.")],
    as_json: Json = False,
) -> None:
    """Move an order by hand; it follows its plan no more."""
    run(_move(order, status, as_json))


@app.command()
def reset(as_json: Json = False) -> None:
    """Start the day again: every order is where the sample day begins."""
    run(_reset(as_json))


@asynccontextmanager
async def _demo() -> AsyncGenerator[DemoOrders, None]:
    from engine_host.orders.demo_process import DemoOrders
    from storage.paths import home_from_environment

    demo = DemoOrders(home_from_environment().make())
    try:
        yield demo
    finally:
        await demo.close()


async def _serve(port: int) -> None:
    def say(address: DemoAddress) -> None:
        print(f"The demo order system takes questions at {address.base_url}. Ctrl+C stops it.", flush=True)

    async with _demo() as demo:
        await demo.serve_forever(port, say)
    print("The demo order system is stopped. `dabba orders serve` starts it again.")


async def _stop(as_json: bool) -> None:
    async with _demo() as demo:
        did_run = await demo.stop()
    if as_json:
        print_json({"stopped": True, "did_run": did_run})
    else:
        fact = "is stopped" if did_run else "did not run; it stays stopped"
        print(f"The demo order system {fact}. `dabba orders serve` starts it again.")


async def _list(customer: str, as_json: bool) -> None:
    async with _demo() as demo:
        customers = {known.customer_id: known for known in await demo.customers()}
        orders = await demo.list_orders()
    if customer and customer not in customers:
        fail(f"Customer {customer} is not known to the demo order system. `dabba orders list` shows the customers.")
    wanted = [order for order in orders if customer in ("", order.customer_id)]
    if as_json:
        print_json([as_object(order, customers.get(order.customer_id)) for order in wanted])
    elif wanted:
        _print_people(wanted, customers)
    else:
        print(f"Customer {customer} has no orders today.")


async def _move(order_id: str, wanted: str, as_json: bool) -> None:
    status = status_named(wanted)
    if status is None:
        fail(f"{wanted} is not a status of an order. Choose one of: {', '.join(OrderStatus)}.")
    async with _demo() as demo:
        order = await demo.move(order_id, status)
        customers = {known.customer_id: known for known in await demo.customers()}
    if as_json:
        print_json(as_object(order, customers.get(order.customer_id)))
    else:
        _print_people([order], customers)


async def _reset(as_json: bool) -> None:
    async with _demo() as demo:
        await demo.reset()
        count = len(await demo.list_orders())
    if as_json:
        print_json({"orders": count})
    else:
        print(f"The day of the demo order system starts now with {count} orders.")


def status_named(text: str) -> OrderStatus | None:
    """The status that a person means: case, blanks and dashes do not matter."""
    name = text.strip().lower().replace("-", "_").replace(" ", "_")
    return OrderStatus(name) if name in set(OrderStatus) else None


def as_object(order: Order, customer: DemoCustomer | None) -> dict[str, Any]:
    """The order as the order API writes it, with the customer's name and tenant."""
    from engine_host.orders.wire import order_fields

    who = {"customer_name": customer.name, "tenant_id": customer.tenant_id} if customer else {}
    return order_fields(order) | who


def _print_people(orders: list[Order], customers: dict[str, DemoCustomer]) -> None:
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    zone = ZoneInfo(load_settings(home_from_environment()).kitchen.timezone)
    header = ("order", "customer", "name", "tenant", "status", "since", "expected", "courier", "items")
    print_table(header, [_row(order, customers.get(order.customer_id), zone) for order in orders])
    print(f"As of {_clock(orders[0].as_of, zone, seconds=True)} {zone.key}.")


def _row(order: Order, customer: DemoCustomer | None, zone: ZoneInfo) -> tuple[str, ...]:
    return (
        order.order_id,
        order.customer_id,
        customer.name if customer else "–",
        customer.tenant_id if customer else "–",
        order.status.value,
        _clock(order.status_changed_at, zone),
        _clock(order.expected_at, zone) if order.expected_at else "–",
        order.courier_first_name or "–",
        ", ".join(f"{item.quantity} × {item.name}" for item in order.items),
    )


def _clock(moment: datetime, zone: ZoneInfo, *, seconds: bool = False) -> str:
    return f"{moment.astimezone(zone):{'%H:%M:%S' if seconds else '%H:%M'}}"
