"""Checks that commands can write their output files, before the work is done."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence


def check_places(paths: Sequence[str | None]) -> None:
    """Raise OSError now, not after all steps, if an output file cannot be written."""
    for path in filter(None, paths):
        place = os.path.realpath(path)
        if os.path.isdir(place):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not os.path.isdir(os.path.dirname(place)):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
