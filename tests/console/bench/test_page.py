"""The page of benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.page import write_section
from console.bench.report import judge

if TYPE_CHECKING:
    from pathlib import Path


def test_that_a_bench_replaces_its_own_section_and_leaves_the_others(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    write_section(page, judge("gate", {"ms": 1.0}, {}), "dabba bench gate", "The gate.")
    write_section(page, judge("bridge", {"stall_ms": 20.0}, {"stall_ms": "<= 16.7"}), "dabba bench bridge", "Stalls.")
    write_section(page, judge("bridge", {"stall_ms": None}, {"stall_ms": "<= 16.7"}), "dabba bench bridge", "Stalls.")
    text = page.read_text(encoding="utf-8")
    assert text.count("## bridge") == 1
    assert text.count("## gate") == 1
    assert "| stall_ms | not measured | <= 16.7 | missed |" in text
