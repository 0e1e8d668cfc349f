"""A small kitchen for the Articles page: real database, real library and index; only the embedder is a border."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

from console.bridge.loop_thread import LoopThread
from console.page_context import PageContext
from knowledge.library import Library
from knowledge.watching import FolderWatch
from storage.database import Database
from storage.queries.tenants import upsert_tenant
from storage.records import Quota, Tenant
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice
    from storage.paths import Home

ZONE = ZoneInfo("Asia/Kolkata")
QUOTA = Quota(20_000_000, 240, 40, 1024, 512)
KAMALA = Tenant("kamala", "Kamala Dabba", "own", 1, "Asia/Kolkata", "KD", QUOTA, "020 5550 0142")
MERIDIAN = Tenant("meridian", "Meridian Offices", "offices", 3, "Asia/Kolkata", "MO", QUOTA, "")
SETTINGS = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, chunk_overlap=10, threshold=0.3, passages=2))


@dataclass
class Rooms:
    """The rooms of the house that the Articles page uses."""

    home: Home
    settings: Settings
    database: Database
    library: Library
    watching: FolderWatch


@dataclass
class Desk:
    """The kitchen with a bridge; everything asynchronous runs in its loop."""

    theme: Theme
    qtbot: QtBot
    home: Home
    articles: Path
    embedder: WordEmbedder = field(default_factory=WordEmbedder)
    notices: list[Notice] = field(default_factory=list)
    faults: list[tuple[BaseException, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bridge = LoopThread(lambda error, where: self.faults.append((error, where)))
        self.bridge.start()
        self.rooms: Rooms = self.run(self._open())
        house = cast("Any", self.rooms)
        self.context = PageContext(self.theme, self.bridge, house, self.notices.append, lambda _key: None)

    def run(self, work: Any) -> Any:
        """Run a coroutine to its end and return its value."""
        call = self.bridge.submit(work)
        self.until(lambda: not call.running)
        return cast("Any", call.outcome).value

    def until(self, true: Any) -> None:
        self.qtbot.waitUntil(true, timeout=60_000)

    def write(self, name: str, body: str, **matter: str) -> Path:
        """Writes an article's file: `write("late.md", "Body.", tenants="kamala")`."""
        path = self.articles / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{key}: {value}\n" for key, value in matter.items())
        path.write_text(f"---\n{lines}---\n\n{body}\n", encoding="utf-8")
        return path

    def fill(self, *paths: Path) -> None:
        """Import files without the page."""
        self.run(self.rooms.library.add_paths(paths, lambda _row: None))

    def close(self) -> None:
        if self.embedder.hold:
            self.embedder.hold.set()
        self.bridge.add_closer("watched folder", self.rooms.watching.close, 20)
        self.bridge.add_closer("library", self.rooms.library.close, 20)
        self.bridge.add_closer("database", self.rooms.database.close, 20)
        report = self.bridge.stop()
        assert report.joined
        assert not self.faults

    async def _open(self) -> Rooms:
        database = await Database.open(self.home)
        for tenant in (KAMALA, MERIDIAN):
            await database.run(lambda session, new=tenant: upsert_tenant(session, new))
        library = await Library.open(database, self.home, SETTINGS, ZONE, lambda: self.embedder)
        return Rooms(self.home, SETTINGS, database, library, FolderWatch(library, self.home, None))
