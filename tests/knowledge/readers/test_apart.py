from __future__ import annotations

import pytest

from knowledge.errors import ReadRefused
from knowledge.readers.apart import Apart
from tests.knowledge.readers.pdfs import pdf, text_page

PDF = pdf(text_page((12, "A late dabba is free.")))


def test_that_one_process_serves_many_files_and_ends() -> None:
    with Apart() as apart:
        first = apart.parse("pdf", PDF)
        child = apart._child
        assert apart.parse("pdf", PDF) == first
        assert child is not None
        assert apart._child is child
    assert child.returncode == 0
    apart.close()


def test_that_a_refusal_leaves_the_process_running() -> None:
    with Apart() as apart:
        for _ in range(2):
            with pytest.raises(ReadRefused, match="It is damaged"):
                apart.parse("pdf", b"%PDF-")
        child = apart._child
        assert child is not None
        assert child.poll() is None


def test_that_a_file_that_takes_too_long_is_refused_and_the_next_one_is_read() -> None:
    with Apart(limit_s=0.5) as apart:
        with pytest.raises(ReadRefused, match=r"Reading it took longer than 0\.5 s\. Split it"):
            apart.parse("html", b"<p>" + b"<i><p>" * 1_900 + b"<span>x</span>" * 120_000)
        with pytest.raises(ReadRefused, match="It is of a kind"):
            apart.parse("odt", b"")


def test_that_a_file_that_ends_its_process_is_refused_and_the_next_one_is_read() -> None:
    with Apart() as apart:
        apart.parse("pdf", PDF)
        assert apart._child is not None
        apart._child.kill()
        apart._child.wait()
        with pytest.raises(ReadRefused, match="needs more memory than a file may"):
            apart.parse("pdf", PDF)
        assert "late dabba" in apart.parse("pdf", PDF).body
