"""`python -m console`: the `dabba` command."""

from __future__ import annotations

import io
import sys

INTERRUPTED = 130


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a letter that the terminal lacks must not end a command
    try:
        from console.cli import app
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    app()


if __name__ == "__main__":
    main()
