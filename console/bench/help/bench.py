"""The help bench: every question of the sample kitchen through the whole house, with the real engine or without one."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import aclosing, asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.bench.help.figures import (
    ANSWER_TARGETS,
    WRITING_TARGETS,
    figures_of,
    reasons_of,
    wrongly_withheld,
)
from console.bench.help.turns import Answered, turn_of
from console.bench.report import BenchResult, judge
from console.bench.sample_house import DAY, furnish
from console.house import open_house
from engine_host.answering.events import Question
from engine_host.engine.session import EngineSession
from engine_host.engine.writers import SessionWriters
from knowledge.evaluate import read_questions
from storage.paths import Home
from storage.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from console.bench.help.turns import HelpTurn
    from console.house import House
    from engine_host.answering.help_way import WriterSource
    from knowledge.evaluate import KnownQuestion

EMBEDDED, NONE = "embedded", "none"
AT_ONCE: Final = 4


class NoWriter:
    """No engine: passages are quoted."""

    run = None

    async def writer(self) -> None:
        return None


async def run_help_bench(engine: str, home: Home, extra: Path | None = None, verbose: bool = False) -> BenchResult:
    """`home` lends its models and its engine; its database and articles are not touched.

    `extra` is a file of more questions about the sample kitchen, asked instead. Raises EngineRoomError, KnowledgeError
    or StorageError when the house can't be opened.
    """
    questions = read_questions(extra) if extra else _sample_questions()
    async with _writers(engine, home) as writers, _house(home, writers) as house:
        turns = await _ask_all(house, questions)
    _tell(turns, verbose)
    targets = ANSWER_TARGETS if engine == NONE else {**ANSWER_TARGETS, **WRITING_TARGETS}
    return judge("help", figures_of(turns), targets)


def _sample_questions() -> tuple[KnownQuestion, ...]:
    with as_file(files("assets") / "sample_kitchen") as folder:
        return tuple(one for path in sorted(folder.glob("questions.*.jsonl")) for one in read_questions(path))


@asynccontextmanager
async def _writers(engine: str, home: Home) -> AsyncGenerator[WriterSource]:
    """The engine that the home runs already, else a new one that ends with this bench; or none."""
    if engine == NONE:
        yield NoWriter()
        return
    from console.commands.starting import default_profile, say_steps

    session = EngineSession(home, load_settings(home))
    session.state.watch(say_steps())
    try:
        if not await session.adopt():
            await session.start(await default_profile(session.settings))
        yield SessionWriters(session)
    finally:
        await session.close()


@asynccontextmanager
async def _house(home: Home, writers: WriterSource) -> AsyncGenerator[House]:
    """A house of its own with the sample kitchen, whose tenants may ask without end."""
    with tempfile.TemporaryDirectory(prefix="dabba-help-") as folder:
        own = Home(Path(folder))
        own.models.symlink_to(home.models, target_is_directory=True)
        house = await open_house(own, lambda _session, _settings: writers, today=lambda: DAY)
        try:
            await furnish(house)
            yield house
        finally:
            await house.close()


async def _ask_all(house: House, questions: Sequence[KnownQuestion]) -> list[HelpTurn]:
    articles = await house.library.articles()
    names = {one.article_id: Path(one.text.source_name).stem for one in articles}
    left: Iterator[KnownQuestion] = iter(questions)
    turns: list[HelpTurn] = []

    async def work() -> None:
        for question in left:
            asked = Question(question.text, question.tenant_id, token=None)
            async with aclosing(house.turns.answer(asked)) as events:
                turns.append(turn_of(question, [event async for event in events], names))

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return sorted(turns, key=lambda turn: turn.question.question_id)


def _tell(turns: Sequence[HelpTurn], verbose: bool) -> None:
    """On stderr: why sentences were withheld and, when asked, every turn that was not answered right."""
    for reason, count in reasons_of(one for turn in turns for one in turn.written).most_common():
        print(f"  withheld {count} x: {reason}", file=sys.stderr)
    if not verbose:
        return
    for turn in turns:
        wanted = turn.answered in {Answered.GENERATED, Answered.QUOTED}
        if wanted != bool(turn.question.articles) or turn.answered is Answered.OTHERWISE:
            print(f"  {turn.question.question_id} {turn.answered.value}: {turn.question.text}", file=sys.stderr)
            right = ", ".join(sorted(turn.question.articles))
            print(f"      {' '.join(turn.shown)!r}, right: {right}", file=sys.stderr)
    for turn, sentence in wrongly_withheld(turns):
        print(f"  {turn.question.question_id} {sentence.reason}: {sentence.text!r}", file=sys.stderr)
