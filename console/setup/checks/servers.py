"""What this program talks to: the ports of this machine, the order system, a Qdrant server, the package index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.setup.checks.check import Check
from console.setup.machine import answers

if TYPE_CHECKING:
    from console.setup.machine import Machine
    from storage.settings import Settings


def check_ports(machine: Machine) -> Check:
    """The engine and the demo order system take any free port of 127.0.0.1."""
    if machine.loopback:
        return Check("Ports", True, "free ports on 127.0.0.1; no fixed port is used")
    step = "Allow this program to listen on 127.0.0.1, or attach to an engine by its address."
    return Check("Ports", False, "No port of 127.0.0.1 can be opened.", step)


def check_index(machine: Machine, everything_is_set_up: bool) -> Check:
    """The package index matters until the set-up is finished."""
    index = machine.index
    if index.reachable:
        return Check("Package index", True, f"{index.url} answers")
    if everything_is_set_up:
        return Check("Package index", True, f"{index.url} does not answer, and nothing more is needed from it")
    fact = f"{index.url} does not answer: {index.reason}."
    return Check("Package index", False, fact, "Check the network or pip's settings, then run ./dabba.")


async def check_orders(settings: Settings) -> Check:
    url = settings.orders.base_url
    if url is None:
        return Check("Order system", True, "none configured: the bundled demo order system is used")
    reason = await answers(url)
    if reason is None:
        return Check("Order system", True, f"{url} answers")
    step = "Start it, or correct orders.base_url in settings.toml."
    return Check("Order system", False, f"{url} does not answer: {reason}.", step)


async def check_qdrant(url: str) -> Check:
    reason = await answers(url)
    if reason is None:
        return Check("Article index", True, f"the Qdrant server at {url} answers")
    step = "Start it, or remove knowledge.qdrant_url from settings.toml."
    return Check("Article index", False, f"The Qdrant server at {url} does not answer: {reason}.", step)
