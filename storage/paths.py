"""The home folder: where everything lies that this program keeps."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from storage.errors import HomeUnusable


@dataclass(frozen=True, slots=True)
class Home:
    """Names every file and folder below `root`. Makes nothing until `make` is called."""

    root: Path

    @property
    def settings_file(self) -> Path:
        return self.root / "settings.toml"

    @property
    def alerts_file(self) -> Path:
        return self.root / "alerts.toml"

    @property
    def secrets_file(self) -> Path:
        return self.root / "secrets.json"

    @property
    def database_file(self) -> Path:
        return self.root / "dabba.sqlite3"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def engine_runtime(self) -> Path:
        return self.root / "engine-runtime"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def downloads(self) -> Path:
        return self.root / "downloads"

    @property
    def run(self) -> Path:
        """Files that live as long as a process: who runs, on which port."""
        return self.root / "run"

    @property
    def pictures(self) -> Path:
        return self.root / "pictures"

    def make(self) -> Home:
        """Create the folders that are missing, readable by their owner only. Raises HomeUnusable."""
        folders = (self.vectors, self.models, self.engine_runtime, self.logs, self.downloads, self.run, self.pictures)
        for folder in (self.root, *folders):
            try:
                folder.mkdir(mode=0o700, parents=folder == self.root, exist_ok=True)
            except OSError as error:
                raise HomeUnusable(
                    f"The folder {folder} can't be made: {error.strerror}. "
                    "Make room there, or set DABBA_HOME to a folder that you may write."
                ) from error
        if not os.access(self.root, os.W_OK | os.X_OK):
            raise HomeUnusable(
                f"The folder {self.root} can't be written: you have no right to. "
                "Change its permissions, or set DABBA_HOME to a folder that you may write."
            )
        return self


def home_from_environment() -> Home:
    """`DABBA_HOME`, else the platform's data folder of this user."""
    named = os.environ.get("DABBA_HOME", "").strip()
    return Home(Path(named).expanduser().absolute() if named else user_data_path("dabba", appauthor=False))
