"""Reads the feeds of a job from .npy files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zipfile import BadZipFile

import numpy as np

from penstock.runtime.artifacts.sized import SizedJob
from penstock.runtime.description import Argument
from penstock.runtime.execution.job import Job
from penstock.tools.shared.errors import InputError, UsageError, hint

Array = np.ndarray[Any, Any]


class Feed:
    """An array for each step, or a list of one for each rank: the same, or in turn the entries of
    an array with one more dimension."""

    def __init__(self, array: Array, is_batched: bool, is_own: bool = False) -> None:
        self._array = array
        self._is_batched = is_batched
        self._is_own = is_own
        self.entries = len(array) if is_batched else 1

    def at(self, step: int) -> Any:
        found = self._array[step % self.entries] if self._is_batched else self._array
        return list(found) if self._is_own else found


def read_feeds(
    job: Job | SizedJob, words: Sequence[str], made: Callable[[Argument], Array] | None = None
) -> tuple[list[Feed], Job]:
    """The feeds of the job, read from the files that the command line names, and the job of their
    size. `made` makes those that are not named, which otherwise is an error. A file for a feed of
    which each rank gets its own has the arrays of all ranks, along one more dimension ahead."""
    paths: dict[str, str] = {}
    names = [feed.name for feed in job.feeds]
    for entry in words:
        name, equals, path = entry.partition("=")
        if not equals or not path:
            raise UsageError(f"--feed takes NAME=FILE.npy, got {entry!r}")
        if name not in names:
            raise UsageError(f"job {job.name!r} has no feed {name!r}: {hint(name, names)}")
        if name in paths:
            raise UsageError(f"feed {name} was given twice")
        paths[name] = path
    for feed in job.feeds:
        if feed.name not in paths and made is None:
            raise UsageError(f"feed {feed.name} is missing: add --feed {feed.name}=FILE.npy")
    own = {feed.name: ranks for feed in job.feeds if (ranks := job.ranks_of(feed))}
    arrays = [
        _read(paths[feed.name])
        if made is None or feed.name in paths
        else np.stack([made(feed)] * own[feed.name])
        if feed.name in own
        else made(feed)
        for feed in job.feeds
    ]
    if isinstance(job, SizedJob):
        shapes = [
            array.shape[1:] if feed.name in own else array.shape
            for feed, array in zip(job.feeds, arrays, strict=True)
        ]
        job = _of_size(job, shapes)
    pairs = zip(job.feeds, arrays, strict=True)
    return [
        _feed(feed, array, paths.get(feed.name, ""), own.get(feed.name)) for feed, array in pairs
    ], job


def _of_size(job: SizedJob, shapes: Sequence[tuple[int, ...]]) -> Job:
    """The job for arrays of these shapes, some of which may have one more dimension ahead."""
    pairs = list(zip(job.feeds, shapes, strict=True))
    asked = [shape[1:] if len(shape) == len(feed.shape) + 1 else shape for feed, shape in pairs]
    try:
        return job.of_shapes(asked)
    except ValueError as error:
        raise InputError(str(error)) from None


def _feed(feed: Argument, array: Array, path: str, ranks: int | None) -> Feed:
    shape = feed.shape if ranks is None else (ranks, *feed.shape)
    if array.shape[1:] == shape and array.ndim == len(shape) + 1:
        if not len(array):
            raise InputError(f"{path}: has no entry for feed {feed.name}")
        return Feed(array, True, ranks is not None)
    if array.shape != shape:
        of_ranks = "" if ranks is None else f", an array for each of {ranks} ranks"
        raise InputError(
            f"{path}: feed {feed.name} is of shape {shape}{of_ranks}, or has one more dimension "
            f"ahead, got shape {array.shape}"
        )
    return Feed(array, False, ranks is not None)


def _read(path: str) -> Array:
    try:
        found = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, BadZipFile) as error:
        # For a file that is not its own, NumPy's message is about pickles.
        raise InputError(
            f"{path}: is no .npy file that holds plain numbers; write one with numpy.save"
        ) from error
    if not isinstance(found, np.ndarray):
        raise InputError(f"{path}: holds several arrays; put each into a .npy file of its own")
    return found
