"""The files and jobs that commands are given; outputs are checked before the work is done."""

from __future__ import annotations

import argparse
import errno
import os
from collections.abc import Sequence


def take_job(arguments: argparse.Namespace) -> None:
    """Let `FILE.pstk:JOB` name a job of an artifact, as `--job JOB` does."""
    path, colon, job = arguments.artifact.rpartition(":")
    if colon and path.endswith(".pstk") and arguments.job is None:
        arguments.artifact, arguments.job = path, job


def check_places(paths: Sequence[str | None]) -> None:
    """Raise OSError now, not after all steps, if an output file cannot be written."""
    for path in filter(None, paths):
        place = os.path.realpath(path)
        if os.path.isdir(place):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not os.path.isdir(os.path.dirname(place)):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
