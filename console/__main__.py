"""`python -m console`: the `dabba` command."""

from __future__ import annotations


def main() -> None:
    from console.cli import app

    app()


if __name__ == "__main__":
    main()
