"""The process that parses: a line of JSON and bytes in, a line of JSON out, until its input closes. See `apart`.

What goes wrong in a parser ends the process, and with it that file only: nothing is caught here but refusals.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from knowledge.errors import ReadRefused
from knowledge.readers.apart import LARGEST_MEMORY

if TYPE_CHECKING:
    from typing import BinaryIO

    from knowledge.readers.record import Extract


def main() -> None:
    limit_s = float(sys.argv[1])
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints would garble the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which closes our input
    sys.setrecursionlimit(20_000)  # Word files and pages nest deeper than Python's default
    _limit_memory()
    while line := asked.readline():
        faulthandler.dump_traceback_later(limit_s, exit=True)  # ends us even from within a library's C code
        answer = _answer(json.loads(line), asked)
        faulthandler.cancel_dump_traceback_later()
        told.write(json.dumps(answer).encode() + b"\n")
        told.flush()


def _answer(head: dict[str, Any], asked: BinaryIO) -> dict[str, Any]:
    data = asked.read(head["size"])
    try:
        found = _parse(head["kind"], data)
    except ReadRefused as refused:
        return {"refused": str(refused)}
    return {
        "body": found.body,
        "encoding": found.encoding,
        "title": found.title,
        "language": found.language,
        "notes": [(note.sentence, note.flag) for note in found.notes],
    }


def _parse(kind: str, data: bytes) -> Extract:
    match kind:
        case "pdf":
            from knowledge.readers.pdf import extract_pdf

            return extract_pdf(data)
        case "docx":
            from knowledge.readers.word import extract_word

            return extract_word(data)
        case "html":
            from knowledge.readers.web_page import extract_web_page

            return extract_web_page(data)
        case _:
            raise ReadRefused(f"It is of a kind that is not read: {kind}. Save it as Markdown.")


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = LARGEST_MEMORY if hard == resource.RLIM_INFINITY else min(hard, LARGEST_MEMORY)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


if __name__ == "__main__":
    main()
