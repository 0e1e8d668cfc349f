"""One start of the console as people start it, on an empty home: prints when its window was painted, then closes it."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from console.app import Console
from storage.paths import Home
from storage.settings import Settings


class Start(QObject):
    """`facts["painted_at"]` is the monotonic time of the first whole paint."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.facts: dict[str, float] = {}
        self._window = console.window
        self._window.painted.connect(self._painted)

    @Slot()
    def _painted(self) -> None:
        self.facts["painted_at"] = time.monotonic()
        self._window.close()


def main() -> int:
    app = QApplication([])
    with tempfile.TemporaryDirectory(prefix="dabba-start-") as folder:
        console = Console(app, Home(Path(folder)).make(), Settings())
        start = Start(console)
        code = console.run()
    print(json.dumps(start.facts))
    return code


if __name__ == "__main__":
    sys.exit(main())
