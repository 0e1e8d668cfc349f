"""A process that does one operation on a library and kills itself when a step is reached."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import knowledge.llama_parts  # noqa: F401 - here once, for all children
from knowledge.library import Library
from knowledge.publish_hands import Step
from storage.database import Database
from storage.paths import Home
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder
from tests.knowledge.crashing import OPERATIONS, stopping


def run_and_be_killed(root: str, operation: str, step: str) -> None:
    asyncio.run(_run(Home(Path(root)), operation, Step(step)))


async def _run(home: Home, operation: str, step: Step) -> None:
    db = await Database.open(home)
    settings = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, chunk_overlap=10, threshold=0.3))
    library = await Library.open(db, home, settings, ZoneInfo("Asia/Kolkata"), WordEmbedder)
    library._writing._hands = stopping(library, step, partial(os.kill, os.getpid(), signal.SIGKILL))
    await OPERATIONS[operation][1](library, "late.md")
