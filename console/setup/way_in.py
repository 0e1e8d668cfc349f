"""What `./dabba` runs: makes the environment ready, then becomes the console. Standard library only.

Started by a bare Python with the checkout as the first entry of `sys.path`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from console.setup.environment import Kind, environment_python, is_ready

_FOREIGN_PYTHON = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")


def main() -> NoReturn:
    """Never returns: replaces this process with the console or the tests, or exits with a sentence."""
    root, arguments = Path(sys.path[0]), sys.argv[1:]
    testing = arguments[:1] == ["test"]
    kind: Kind = "dev" if testing else "console"
    if not is_ready(root, kind):
        from console.setup.install import make_ready_or_exit

        make_ready_or_exit(root, kind)
    target = ["console.testing", *arguments[1:]] if testing else ["console", *arguments]
    python = str(environment_python(root))
    # -P: a folder named `console` in the current directory must not be taken for ours
    os.execve(python, [python, "-P", "-m", *target], own_environment())  # noqa: S606 - no shell is meant


def own_environment() -> dict[str, str]:
    """Our environment variables without those that point Python to other packages."""
    return {name: value for name, value in os.environ.items() if name not in _FOREIGN_PYTHON}
