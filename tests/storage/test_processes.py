"""Several processes on one SQLite file: the console, a command, and one that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from storage.database import Database
from storage.paths import Home
from storage.queries.conversations import conversation, conversation_turns
from storage.queries.turns import close_abandoned
from storage.queries.usage import usage_by_day, usage_today
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import NOON, furnish

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import asyncio, sys
from pathlib import Path
from storage.database import Database
from storage.paths import Home
from storage.queries.tenants import all_tenants
from storage.queries.turns import open_turn, settle_turn
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import ending, furnish, question

async def main(root, name, turns):
    db = await Database.open(Home(Path(root)))
    await db.run(lambda s: None if all_tenants(s) else furnish(s))
    print("open", flush=True)
    sys.stdin.readline()
    for n in range(turns):
        await db.run(lambda s: open_turn(s, question(f"{name}-{n}")))
        print(n, flush=True)
        await db.run(lambda s: settle_turn(s, ending(f"{name}-{n}", TurnOutcome.ANSWERED, TokenUse(10, 5, 1))))
    await db.close()

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def writer(home: Home, name: str, turns: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", WRITER, str(home.root), name, str(turns)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


async def test_that_two_processes_open_and_write_one_new_file_at_the_same_time(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    writers = [writer(home, name, turns=100) for name in ("console", "command")]
    for one in writers:
        assert one.stdout
        assert one.stdout.readline() == "open\n"
    for one in writers:
        assert one.stdin
        one.stdin.write("go\n")
        one.stdin.flush()
    ends = [one.communicate(timeout=90) for one in writers]
    assert [(one.returncode, err) for one, (_, err) in zip(writers, ends, strict=True)] == [(0, ""), (0, "")]

    database = await Database.open(home)
    usage = await database.run(lambda s: usage_today(s, "kamala", NOON))
    turns = await database.run(lambda s: conversation_turns(s, "talk-kamala"))
    talk = await database.run(lambda s: conversation(s, "talk-kamala"))
    await database.close()
    assert usage.requests == talk.turns == len(turns) == 200
    assert usage.tokens == TokenUse(2000, 1000, 200)
    assert all(turn.settled for turn in turns)


async def test_that_a_killed_process_leaves_turns_that_are_closed_and_counted_once(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    database = await Database.open(home)
    await database.run(furnish)
    for number, lines in enumerate((1, 5, 20)):
        one = writer(home, f"life-{number}", turns=100_000)
        assert one.stdin
        assert one.stdout
        one.stdin.write("go\n")
        one.stdin.flush()
        for _ in range(1 + lines):
            one.stdout.readline()
        one.send_signal(signal.SIGKILL)
        one.communicate(timeout=30)
    await database.run(lambda s: close_abandoned(s, NOON + timedelta(minutes=1)))
    turns = await database.run(lambda s: conversation_turns(s, "talk-kamala"))
    (usage,) = await database.run(lambda s: usage_by_day(s, NOON.date(), NOON.date()))
    await database.close()
    outcomes = [turn.settled.outcome for turn in turns if turn.settled]
    answered = outcomes.count(TurnOutcome.ANSWERED)
    assert len(outcomes) == len(turns) == usage.requests
    assert usage.failed == len(turns) - answered <= 3
    assert usage.tokens == TokenUse(10 * answered, 5 * answered, answered)
