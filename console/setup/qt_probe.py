"""Run as a program by the doctor, apart from it: Qt can end the process in which it does not work.

Prints one JSON object: the version, what 1,000 calls take from `None`, the platform, and who draws Devanagari.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    import PySide6
    from PySide6.QtGui import QFontDatabase, QGuiApplication, QPainterPath

    from console.theme.fonts import load_fonts

    app = QGuiApplication(sys.argv[:1])
    load_fonts()
    path, before = QPainterPath(), sys.getrefcount(None)
    for step in range(1000):
        path.moveTo(step, step)
    taken = before - sys.getrefcount(None)
    found = {
        "version": PySide6.__version__,
        "none_taken": taken,
        "platform": app.platformName(),
        "families": sorted(set(QFontDatabase.families()) & {"Inter", "JetBrains Mono", "Noto Sans Devanagari"}),
        "devanagari": QFontDatabase.families(QFontDatabase.WritingSystem.Devanagari),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
