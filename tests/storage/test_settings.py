"""settings.toml: what is read, what is refused and how it is written."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from storage.errors import HomeUnusable, SettingsError
from storage.paths import Home, home_from_environment
from storage.settings import (
    Appearance,
    KnowledgeSettings,
    MoreEngine,
    Settings,
    load_settings,
    parse_settings,
    save_settings,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_that_a_missing_file_means_the_defaults(home: Home) -> None:
    assert load_settings(home) == Settings()


def test_that_saved_settings_are_read_back(home: Home) -> None:
    settings = Settings(
        appearance=Appearance(theme="dark"), knowledge=KnowledgeSettings(qdrant_url="http://127.0.0.1:6333")
    )
    save_settings(home, settings)
    assert load_settings(home) == settings
    assert home.settings_file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in home.root.iterdir()] == ["settings.toml"]


def test_that_more_engines_are_kept_in_their_order(home: Home) -> None:
    settings = parse_settings("[[engine.more]]\nurl = 'http://10.0.0.7:8000/'\nweight = 2\n[[engine.more]]\n")
    assert settings.engine.more == (MoreEngine(url="http://10.0.0.7:8000", weight=2.0), MoreEngine())
    save_settings(home, settings)
    assert load_settings(home) == settings


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[appearance]\ntheem = 'dark'", ["appearance.theem", "nearest is appearance.theme"]),
        ("theme = 'dark'", ["no setting theme", "nearest is appearance.theme"]),
        ("[appearence]\n", ["appearence", "nearest is appearance"]),
        ("[appearance]\ntheme = 'blue'", ["appearance.theme", '"blue"', '"system", "light" or "dark"']),
        ("[knowledge]\npassages = 0", ["knowledge.passages is 0", "greater than or equal to 1"]),
        ("[knowledge]\npassages = '4'", ["knowledge.passages", "integer"]),
        ("[knowledge]\nchunk_tokens = 100\nchunk_overlap = 100", ["chunk_overlap must be less", "100"]),
        ("[engine]\nenforce_eager = 1", ["engine.enforce_eager is 1", "boolean"]),
        ("[orders]\nbase_url = 'kitchen.example'", ["orders.base_url", "http://"]),
        ("[orders]\nlookup_timeout_s = nan", ["orders.lookup_timeout_s", "finite"]),
        ("[orders]\nclock_tolerance_s = -1", ["orders.clock_tolerance_s is -1", "greater than or equal to 0"]),
        ("[orders.statuses]\nin_oven = 'cooking'", ["orders.statuses", '"in_oven" stands for "cooking"', "preparing"]),
        ("[orders.statuses]\nin_oven = 4", ["orders.statuses.in_oven is 4", "string"]),
        ("[orders.statuses]\n' ' = 'packed'", ["orders.statuses", "1 to 120 characters"]),
        ("[orders.statuses]\nOven = 'packed'\n'oven ' = 'placed'", ["both packed and placed", "case and blanks"]),
        ("[orders]\nstatuses = 'packed'", ['orders.statuses is "packed"', "[orders.statuses]"]),
        ("[orders.fields]\nexpected = 'eta'", ["orders.fields", '"expected" is no field', "expected_at"]),
        ("[orders.fields]\nexpected_at = 'eta..latest'", ["orders.fields", '"eta..latest"', "eta.latest"]),
        ("[orders.fields]\nexpected_at = ''", ["orders.fields", "no field name"]),
        ("[orders.fields]\nexpected_at = 'as_of'", ["expected_at and as_of both read", '"as_of"']),
        ("[orders.fields]\nplaced_at = 't'\nas_of = 't'", ["placed_at and as_of both read", '"t"']),
        ("[engine]\nmore = 2", ["engine.more is 2", "list"]),
        ("[[engine.more]]\nurl = 'gpu-box'", ["engine.more.0.url", "http://"]),
        ("[[engine.more]]\n[[engine.more]]\nnumber = 2", ["engine", "the number 2"]),
        ("[[engine.more]]\nweight = 0", ["engine.more.0.weight is 0", "greater than 0"]),
        ("[kitchen]\ntimezone = 'Poona'", ["kitchen.timezone", '"Poona"', "Asia/Kolkata"]),
        ("[kitchen]\ntimezone = '../../etc/passwd'", ["kitchen.timezone"]),
        ("[storage]\ndatabase_url = 'mysql://x'", ["storage.database_url", "postgresql://"]),
        ("engine = 3", ["engine is 3", "[engine]"]),
        ("version = 2", ["version 2", "reads version 1"]),
        ("[appearance\n", ["not valid TOML", "line 1"]),
        ("[appearance]\ntheme = 'x'\n[knowledge]\npassages = 0", ["appearance.theme", "1 more"]),
    ],
)
def test_that_a_wrong_value_is_named_with_what_is_allowed(text: str, parts: list[str]) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings(text)
    sentence = str(refused.value)
    assert all(part in sentence for part in parts), sentence
    assert sentence.startswith("settings.toml")
    assert sentence.endswith(".")
    assert "Error" not in sentence


def test_that_a_whole_number_is_fine_for_seconds() -> None:
    assert parse_settings("[orders]\nlookup_timeout_s = 3").orders.lookup_timeout_s == 3.0


def test_that_the_words_and_names_of_another_order_system_are_read_back(home: Home) -> None:
    orders = parse_settings(
        "[orders.statuses]\n'In Oven' = 'preparing'\n[orders.fields]\norders = 'data.list'\n"
        "expected_at = 'eta.latest'\ntotal.amount = 'bill.sum'\n'items.name' = 'title'\n"
    ).orders
    assert orders.statuses == {"In Oven": "preparing"}
    assert orders.fields == {
        "orders": "data.list", "expected_at": "eta.latest", "total.amount": "bill.sum", "items.name": "title",
    }  # fmt: skip
    save_settings(home, Settings(orders=orders))
    assert load_settings(home).orders == orders


def test_that_a_file_that_is_not_text_is_refused_with_the_place(home: Home) -> None:
    home.make().settings_file.write_bytes(b"# ok\n\xff")
    with pytest.raises(SettingsError, match="byte 6 is not UTF-8"):
        load_settings(home)


def test_that_a_failed_write_leaves_the_old_file(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    save_settings(home, Settings())

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("storage.files.os.fsync", full)
    with pytest.raises(SettingsError, match="No space left on device"):
        save_settings(home, Settings(appearance=Appearance(theme="dark")))
    assert load_settings(home) == Settings()
    assert len(list(home.root.iterdir())) == 1


WRITER = """
import itertools, sys
from pathlib import Path
from storage.paths import Home
from storage.settings import Appearance, Settings, save_settings
for n in itertools.count():
    save_settings(Home(Path(sys.argv[1])), Settings(appearance=Appearance(theme="dark" if n % 2 else "light")))
    print(n, flush=True)
"""


def test_that_a_killed_writer_leaves_a_whole_file(home: Home) -> None:
    for lines in (1, 4, 9):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(home.root)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        for _ in range(lines):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert load_settings(home).appearance.theme in {"dark", "light"}


def test_that_the_home_is_named_by_the_environment(home_folder: Path) -> None:
    assert home_from_environment().root == home_folder


def test_that_an_empty_name_means_the_platforms_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DABBA_HOME", " ")
    assert home_from_environment().root.name == "dabba"


def test_that_the_home_is_private_to_its_owner(home: Home) -> None:
    home.make()
    folders = [home.root, *home.root.iterdir()]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    assert len(folders) == 8


def test_that_a_home_that_is_a_file_is_refused_with_a_next_step(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(HomeUnusable, match=r"can't be made: .*DABBA_HOME"):
        Home(tmp_path / "home").make()
