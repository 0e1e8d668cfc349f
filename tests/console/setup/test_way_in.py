"""`./dabba` itself, run as a program; only pip is a fake."""

from __future__ import annotations

import json
import shutil
import signal
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.console.setup.checkout import Checkout, make_checkout, wait_until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "a checkout").with_fake_pip()


def test_that_the_packages_of_the_lock_are_installed_and_the_console_is_started(checkout: Checkout) -> None:
    code, seen, said = checkout.run("ask", "where is it?")
    assert (code, seen["module"], seen["arguments"]) == (0, "console.__main__", ["ask", "where is it?"])
    assert seen["prefix"] == str(checkout.environment)
    assert "--require-hashes" in checkout.pip_calls()[0]
    assert checkout.pip_calls()[0].endswith("requirements/console.lock")
    assert "✓ Console packages" in said


def test_that_warnings_of_pip_are_not_shown(checkout: Checkout) -> None:
    _, _, said = checkout.run()
    assert "WARNING" not in said


def test_that_a_second_start_installs_nothing_and_says_nothing(checkout: Checkout) -> None:
    checkout.run()
    code, seen, said = checkout.run("usage")
    assert (code, seen["arguments"], said) == (0, ["usage"], "")
    assert len(checkout.pip_calls()) == 1


def test_that_a_changed_lock_is_installed(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / "requirements" / "console.lock").write_text("tiny==1.1\n", encoding="utf-8")
    assert checkout.run()[0] == 0
    assert len(checkout.pip_calls()) == 2


def test_that_the_tests_get_the_packages_of_the_tests_which_serve_the_console_too(checkout: Checkout) -> None:
    _, seen, _ = checkout.run("test", "lint")
    assert (seen["module"], seen["arguments"]) == ("console.testing", ["lint"])
    assert checkout.pip_calls()[0].endswith("requirements/dev.lock")
    checkout.run()
    assert len(checkout.pip_calls()) == 1


def test_that_packages_for_the_console_do_not_count_for_the_tests(checkout: Checkout) -> None:
    checkout.run()
    checkout.run("test")
    assert len(checkout.pip_calls()) == 2


def test_that_it_can_be_started_from_any_folder_through_a_link(checkout: Checkout, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "bin").mkdir(parents=True)
    (elsewhere / "console").mkdir()
    (elsewhere / "console" / "__main__.py").write_text("raise SystemExit('the wrong console')", encoding="utf-8")
    (elsewhere / "bin" / "dabba").symlink_to("../link")
    (elsewhere / "link").symlink_to(checkout.root / "dabba")
    started = Checkout(elsewhere / "bin").start("here", cwd=elsewhere)
    out, err = started.communicate(timeout=60)
    assert started.returncode == 0, err
    assert json.loads(out)["folder"] == str(elsewhere)


def test_that_a_moved_checkout_is_finished_anew(checkout: Checkout) -> None:
    checkout.run()
    moved = Checkout(checkout.root.with_name("moved"))
    checkout.root.rename(moved.root)
    code, seen, _ = moved.run()
    assert (code, seen["prefix"]) == (0, str(moved.environment))
    assert len(moved.pip_calls()) == 2


def test_that_the_reason_of_pip_becomes_a_sentence(checkout: Checkout) -> None:
    (checkout.pip / "fail").write_text("ERROR: Could not find a version of tiny==1.0", encoding="utf-8")
    code, seen, said = checkout.run()
    assert (code, seen) == (1, {})
    assert "Could not find a version of tiny==1.0. Check the network" in said
    assert "Traceback" not in said
    assert not checkout.marker.exists()
    (checkout.pip / "fail").unlink()
    assert checkout.run()[0] == 0


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_that_an_interrupted_install_ends_pip_and_is_finished_next_time(
    checkout: Checkout, sign: signal.Signals
) -> None:
    (checkout.pip / "hang").touch()
    started = checkout.start()
    wait_until(lambda: (checkout.pip / "pid").exists() and (checkout.pip / "pid").read_text() != "", "pip to run")
    pid = int((checkout.pip / "pid").read_text())
    started.send_signal(sign)
    _, said = started.communicate(timeout=60)
    assert started.returncode == 128 + sign
    assert "Traceback" not in said
    assert not psutil.pid_exists(pid)
    assert not checkout.marker.exists()
    (checkout.pip / "hang").unlink()
    assert checkout.run()[0] == 0
    assert checkout.marker.exists()


def test_that_a_pip_left_behind_by_a_kill_is_waited_for(checkout: Checkout) -> None:
    (checkout.pip / "wait").touch()
    killed = checkout.start()
    wait_until((checkout.pip / "pid").exists, "pip to run")
    killed.kill()
    killed.communicate(timeout=60)
    second = checkout.start()
    line = second.stderr.readline() if second.stderr else ""
    assert "another ./dabba" in line
    assert len(checkout.pip_calls()) == 1
    (checkout.pip / "wait").unlink()
    second.communicate(timeout=60)
    assert second.returncode == 0
    assert len(checkout.pip_calls()) == 2


def test_that_two_started_at_once_install_once(checkout: Checkout) -> None:
    (checkout.pip / "wait").touch()
    both = [checkout.start("first")]
    wait_until((checkout.pip / "pid").exists, "pip to run")
    both.append(checkout.start("second"))
    assert both[1].stderr is not None
    assert "another ./dabba" in both[1].stderr.readline()
    (checkout.pip / "wait").unlink()
    for one in both:
        out, err = one.communicate(timeout=60)
        assert one.returncode == 0, err
        assert json.loads(out)["module"] == "console.__main__"
    assert len(checkout.pip_calls()) == 1


def test_that_variables_for_another_python_are_not_passed_on(checkout: Checkout, tmp_path: Path) -> None:
    code, _, _ = checkout.run(environment={"PYTHONPATH": str(tmp_path), "PYTHONHOME": "/nowhere"})
    assert code == 0


def test_that_a_folder_that_cannot_be_written_is_a_sentence(checkout: Checkout) -> None:
    (checkout.root / ".venv.lock").mkdir()
    code, _, said = checkout.run()
    assert code == 1
    assert "can't be made: Is a directory. Check the folder's permissions" in said


def fake_python(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def path_with(folder: Path) -> str:
    """A PATH with the tools of the script and no Python but those in `folder`."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "readlink"):
        (tools / name).symlink_to(str(shutil.which(name)))
    return f"{folder}:{tools}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("echo 'it is 3.9'", "Dabba Console needs Python 3.11 or newer, python3: it is 3.9."),
        ("echo '3.11 has no venv module'", "apt install python3-venv"),
        ("exit 127", "and python3 can't be run"),
    ],
)
def test_that_a_python_that_does_not_fit_is_explained(tmp_path: Path, body: str, expected: str) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    fake_python(tmp_path / "bin", "python3", body)
    code, _, said = checkout.run(environment={"PATH": path_with(tmp_path / "bin"), "DABBA_PYTHON": ""})
    assert code == 1
    assert expected in said
    assert len(said.splitlines()) == 1
