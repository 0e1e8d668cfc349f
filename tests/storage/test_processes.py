"""Several processes on one database: the console, a command, and one that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta

from storage.database import Database
from storage.queries.conversations import conversation, conversation_turns
from storage.queries.turns import close_abandoned
from storage.queries.usage import usage_by_day, usage_today
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import NOON, furnish

WRITER = """
import asyncio, sys
from storage.database import Database
from storage.queries.turns import open_turn, settle_turn
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import ending, question

async def main(url, name, turns):
    db = await Database.open(url)
    print("open", flush=True)
    sys.stdin.readline()
    for n in range(turns):
        await db.run(lambda s: open_turn(s, question(f"{name}-{n}")))
        print(n, flush=True)
        await db.run(lambda s: settle_turn(s, ending(f"{name}-{n}", TurnOutcome.ANSWERED, TokenUse(10, 5, 1))))
    await db.close()

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def writer(url: str, name: str, turns: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", WRITER, url, name, str(turns)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_line(one: subprocess.Popen[str]) -> None:
    assert one.stdout
    assert one.stdout.readline(), one.communicate()[1]


def go(one: subprocess.Popen[str]) -> None:
    assert one.stdin
    one.stdin.write("go\n")
    one.stdin.flush()


async def test_that_two_processes_open_and_write_one_new_database_at_the_same_time(url: str) -> None:
    writers = [writer(url, name, turns=100) for name in ("console", "command")]
    for one in writers:
        wait_for_line(one)
    database = await Database.open(url)
    await database.run(furnish)
    for one in writers:
        go(one)
    ends = [one.communicate(timeout=90) for one in writers]
    assert [(one.returncode, err) for one, (_, err) in zip(writers, ends, strict=True)] == [(0, ""), (0, "")]

    usage = await database.run(lambda s: usage_today(s, "kamala", NOON))
    turns = await database.run(lambda s: conversation_turns(s, "talk-kamala"))
    talk = await database.run(lambda s: conversation(s, "talk-kamala"))
    await database.close()
    assert usage.requests == talk.turns == len(turns) == 200
    assert usage.tokens == TokenUse(2000, 1000, 200)
    assert all(turn.settled for turn in turns)


async def test_that_a_killed_process_leaves_turns_that_are_closed_and_counted_once(url: str) -> None:
    database = await Database.open(url)
    await database.run(furnish)
    for number, lines in enumerate((1, 5, 20)):
        one = writer(url, f"life-{number}", turns=100_000)
        go(one)
        for _ in range(1 + lines):
            wait_for_line(one)
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
