"""Older interfaces to checkpoints: `CheckPoint` and `SimpleCheckPointManager`."""

from __future__ import annotations

import os

from penstock import checkpoint
from penstock.basics.notices import tell_once
from penstock.checkpoint import load_variables
from penstock.runtime import FileVariable


class CheckPoint:
    """Deprecated: use `flow.checkpoint` and `flow.load_variables`."""

    def __init__(self) -> None:
        tell_once(
            "CheckPoint",
            "flow.train.CheckPoint is deprecated; use flow.checkpoint.save and flow.load_variables",
        )

    def init(self) -> None:
        """Does nothing: variables are initialised when the session starts."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all variables as a checkpoint."""
        checkpoint.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Overwrite variables with those of a checkpoint."""
        load_variables(_by_name(path))


class SimpleCheckPointManager:
    """Numbered checkpoints `<prefix>0`, `<prefix>1`, ... in one folder."""

    def __init__(self, root_path: str | os.PathLike[str], prefix: str = "snapshot_") -> None:
        self._root = os.fspath(root_path)
        self._prefix = prefix

    def list_checkpoints(self) -> list[str]:
        """The names of the existing checkpoints, oldest first."""
        if not os.path.isdir(self._root):
            return []
        numbers = [
            int(name.removeprefix(self._prefix))
            for name in os.listdir(self._root)
            if name.startswith(self._prefix) and name.removeprefix(self._prefix).isdecimal()
        ]
        return [f"{self._prefix}{number}" for number in sorted(numbers)]

    def latest_checkpoint(self) -> str | None:
        """The path of the newest checkpoint; None if there is none."""
        names = self.list_checkpoints()
        return os.path.join(self._root, names[-1]) if names else None

    def initialize_or_restore(self) -> None:
        """Load the newest checkpoint; without one, variables stay as initialised."""
        latest = self.latest_checkpoint()
        if latest is not None:
            load_variables(_by_name(latest))

    def save(self) -> None:
        """Write all variables as the next checkpoint."""
        names = self.list_checkpoints()
        number = int(names[-1].removeprefix(self._prefix)) + 1 if names else 0
        checkpoint.save(os.path.join(self._root, f"{self._prefix}{number}"))


def _by_name(path: str | os.PathLike[str]) -> dict[str, FileVariable]:
    found = checkpoint.get(path)
    if isinstance(found, FileVariable):
        return {os.path.basename(os.path.normpath(os.fspath(path))): found}
    variables: dict[str, FileVariable] = found
    return variables
