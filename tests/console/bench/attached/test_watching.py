"""A console that watches, as the bench sees it: up, under way, and gone; and ones that misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.bench.attached import watching as room
from console.bench.attached.watching import ConsoleSpoilt, watching
from storage.paths import Home

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import psutil

UNTIL_TOLD = "import sys; print('watching', flush=True); sys.stdin.read(); "


@pytest.fixture
def act_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Puts a module with this code in the place of the console."""

    def act(code: str) -> None:
        (tmp_path / "console_stand_in.py").write_text(code, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(room, "PROGRAM", "console_stand_in")

    return act


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


async def test_that_a_console_is_told_to_end_and_reports(act_as: Callable[[str], None], home: Home) -> None:
    act_as(UNTIL_TOLD + "print('{\"scrapes_a_second\": 1.0}')")
    async with watching(home, 0.0) as one:
        one.begin()
        assert one.process.is_running()
        assert one.cpu_share() >= 0
    assert one.facts == {"scrapes_a_second": 1.0}
    assert not one.process.is_running()


async def watch(home: Home, seen: list[psutil.Process], breaks: Exception | None = None) -> None:
    async with watching(home, 0.0) as one:
        seen.append(one.process)
        if breaks:
            raise breaks


@pytest.mark.parametrize(("code", "sentence"), [
    ("raise KeyError('kitchen')", "before it showed a figure: KeyError: 'kitchen'."),
    ("print('{\"error\": \"There is no engine.\"}')", "before it showed a figure: There is no engine."),
    (UNTIL_TOLD + "sys.exit(3)", "did not end cleanly: it said nothing."),
    (UNTIL_TOLD + "print('{\"faults\": [\"a task was left\"]}'); sys.exit(4)", "not end cleanly: a task was left."),
])  # fmt: skip
async def test_that_a_console_that_fails_is_said(
    act_as: Callable[[str], None], home: Home, code: str, sentence: str
) -> None:
    act_as(code)
    with pytest.raises(ConsoleSpoilt) as told:
        await watch(home, [])
    assert str(told.value).endswith(sentence)


async def test_that_a_console_does_not_outlive_a_stretch_that_failed(act_as: Callable[[str], None], home: Home) -> None:
    act_as(UNTIL_TOLD)
    seen: list[psutil.Process] = []
    with pytest.raises(RuntimeError, match="the load broke"):
        await watch(home, seen, RuntimeError("the load broke"))
    assert not seen[0].is_running()


async def test_that_the_real_console_without_a_house_says_why(home: Home) -> None:
    (home.root / "settings.toml").write_text("engine = 3", encoding="utf-8")
    with pytest.raises(ConsoleSpoilt, match=r"before it showed a figure: .*engine"):
        await watch(home, [])
