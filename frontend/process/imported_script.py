"""A file that a command imports for its jobs neither trains nor replaces checkpoints, unasked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from penstock.basics.errors import located

may_train = False
"""Whether the user asked for the whole file to run."""


class _State:
    path: Path | None = None


@contextmanager
def imported(path: Path) -> Iterator[None]:
    """Within it, the file is imported by a command."""
    before, _State.path = _State.path, path
    try:
        yield
    finally:
        _State.path = before


def refuse_in_import(what: str) -> None:
    """Raise a located RuntimeError if a command imports the file that does `what`."""
    if _State.path is not None and not may_train:
        raise located(
            RuntimeError,
            f"{what} while {_State.path} is only imported, for the jobs it defines; put such lines "
            'under if __name__ == "__main__":, or run the whole file first with --run-script',
        )
