"""`python -m console`: the `dabba` command."""

from __future__ import annotations

import errno
import io
import os
import sys

INTERRUPTED = 130
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a letter that the terminal lacks must not end a command
    try:
        from console.cli import app
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    try:
        app()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        print(f"The command broke off: {error.strerror}. Make room there, then run it again.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)  # what Python would still write at its end meets the same full disk


if __name__ == "__main__":
    main()
