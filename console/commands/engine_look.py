"""`dabba engine look`: ask a server what it is before anybody attaches to it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import fail, print_json, run


def look(
    url: Annotated[str, typer.Argument(help="Such as https://10.0.0.7:8000.")],
    key: Annotated[str, typer.Option(envvar="DABBA_ENGINE_KEY", help="Its API key; better in this variable.")] = "",
    ca_file: Annotated[Path | None, typer.Option(help="Certificates (PEM) to check it by.")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Do not check its certificate.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what an engine at an address is: version, model, context, and what it lacks. Exit 0 when it can answer."""
    run(_look(url, key, ca_file, insecure, as_json))


async def _look(url: str, key: str, ca_file: Path | None, insecure: bool, as_json: bool) -> None:
    from engine_host.engine.finding import find
    from engine_host.engine.health import EngineProbe
    from engine_host.http import Tls

    try:
        probe = EngineProbe(url, key or None, Tls(ca_file, not insecure))
    except OSError as error:
        fail(f"The certificate file {ca_file} cannot be used: {error}. Correct it.")
    try:
        found = await find(probe, verified=not insecure or not url.startswith("https://"))
    finally:
        await probe.aclose()
    if as_json:
        print_json(asdict(found) | {"missing": list(found.missing)})
        return
    print(found.sentence)
    for sentence in found.missing:
        print(f"  {sentence}")
