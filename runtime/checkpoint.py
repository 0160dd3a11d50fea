"""Checkpoints: a folder with one folder per variable and an empty `snapshot_done`.

A checkpoint is written under a temporary name beside its target, flushed to disk, and renamed into
place in one step. So a kill at any moment leaves a whole checkpoint or none, never a part, and
touches no older one. The next save beside it removes what a killed process left behind.

A variable's folder has its name, with every character except letters, digits and `_-.` written as
`%` and its UTF-8 bytes in hexadecimal. The first letter of `snapshot_done`, and the dot of a name
that begins with one, are escaped too. No name leads out of the checkpoint.
"""

import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from penstock.runtime.file_variable import FileVariable, is_variable, meta_text, part_name
from penstock.runtime.files import exchange, flush_folder

__all__ = ["checked", "get", "save", "saving", "write_part", "write_variable"]

Array = np.ndarray[Any, Any]

_DONE = "snapshot_done"
_TEMPORARY = ".penstock-saving-"
_LOCK = ".lock"
_NAME_LIMIT = 255


def save(
    folder: str | os.PathLike[str], arrays: Mapping[str, Array], *, overwrite: bool = False
) -> None:
    """Write arrays by name as a checkpoint; `folder` must not exist or be empty.

    With `overwrite`, it may also be a checkpoint, which is replaced in one step. Raises ValueError
    if the folder is anything else, or for a name or an array that a checkpoint cannot hold, and
    OSError if the disk refuses. In both cases no part of a checkpoint is left behind.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save(folder, {"bias": np.array([3, 4], np.float32)})
    ...     get(folder)["bias"].numpy().tolist()
    [3.0, 4.0]
    """
    entries = [(checked(name, array), array) for name, array in arrays.items()]
    with saving(folder, overwrite=overwrite) as temporary:
        for name, array in entries:
            write_variable(os.path.join(temporary, name), array)


@contextmanager
def saving(folder: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[str]:
    """A folder to write variables in, which becomes the checkpoint at the end of the `with`.

    Errors are those of `save`; if the `with` raises, no part of a checkpoint is left behind.
    """
    place = os.path.realpath(folder)
    _check_free(place, folder, overwrite)
    parent = os.path.dirname(place)
    _make_folders(parent)
    _sweep(parent)
    with _temporary_folder(parent) as temporary:
        yield temporary
        _write(os.path.join(temporary, _DONE), b"")
        flush_folder(temporary)
        try:
            os.rename(temporary, place)
        except OSError:
            _check_free(place, folder, overwrite)
            if not os.path.isdir(place):
                raise
            # The old checkpoint is then the temporary folder, which is removed.
            exchange(temporary, place)
    flush_folder(parent)


def _check_free(place: str, folder: str | os.PathLike[str], overwrite: bool) -> None:
    if not os.path.lexists(place) or (os.path.isdir(place) and not os.listdir(place)):
        return
    is_checkpoint = os.path.isfile(os.path.join(place, _DONE))
    if overwrite and not is_checkpoint:
        raise ValueError(
            f"{os.fspath(folder)!r} is not a checkpoint, so it is not replaced; save into a new "
            "folder"
        )
    if not overwrite:
        advice = ", or pass overwrite=True" if is_checkpoint else ""
        raise ValueError(
            f"Non-empty directory {os.fspath(folder)!r} already exists; save into a new "
            f"folder{advice}"
        )


def get(folder: str | os.PathLike[str]) -> dict[str, FileVariable] | FileVariable:
    """The variables of a checkpoint by name, or the one whose own folder this is.

    Values are read on demand. Raises ValueError if there is no such folder or the checkpoint is not
    complete.

    >>> get("missing")
    Traceback (most recent call last):
    ValueError: there is no checkpoint at 'missing': not a folder; check the path
    """
    path = os.fspath(folder)
    if not os.path.isdir(path):
        raise ValueError(f"there is no checkpoint at {path!r}: not a folder; check the path")
    if is_variable(path):
        return FileVariable(path)
    names = sorted(os.listdir(path))
    if _DONE not in names:
        raise ValueError(
            f"{path!r} has no {_DONE!r}, so it is not a checkpoint, or an incomplete one; use one "
            "that was saved to its end"
        )
    variables: dict[str, FileVariable] = {}
    for name in names:
        entry = os.path.join(path, name)
        if name == _DONE or name.startswith(".") or not os.path.isdir(entry):
            continue
        if not is_variable(entry):
            raise ValueError(
                f"{path!r} is damaged: variable {name!r} has no 'out' file; use another checkpoint"
            )
        if unquote(name) in variables:
            raise ValueError(
                f"{path!r} is damaged: it holds variable {unquote(name)!r} twice; "
                "use another checkpoint"
            )
        variables[unquote(name)] = FileVariable(entry)
    return variables


def checked(name: object, array: object) -> str:
    """The name of a variable's folder; an error if a checkpoint cannot hold the variable."""
    if not isinstance(name, str):
        raise TypeError(f"a variable's name must be a string, got {name!r}; use one")
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"variable {name!r} cannot be saved: expected a NumPy array, "
            f"got a {type(array).__name__}; convert it first"
        )
    try:
        meta_text(array.shape, array.dtype)
        return _encoded(name)
    except ValueError as error:
        raise ValueError(f"variable {name!r} cannot be saved: {error}") from error


def _encoded(name: str) -> str:
    """A variable's name as the name of its folder; `unquote` reverses it."""
    if not name:
        raise ValueError("its name is empty; give it one")
    encoded = quote(name, safe="").replace("~", "%7E")
    if name == _DONE or name.startswith("."):
        encoded = f"%{ord(name[0]):02X}{encoded[1:]}"
    if len(encoded) > _NAME_LIMIT:
        raise ValueError(
            f"its folder's name would have {len(encoded)} characters, and {_NAME_LIMIT} is the "
            "limit; give it a shorter name"
        )
    return encoded


def write_variable(folder: str, array: Array) -> None:
    """Write a variable into a new folder."""
    os.mkdir(folder)
    _write(os.path.join(folder, "out"), _bytes(array))
    _write(os.path.join(folder, "meta"), meta_text(array.shape, array.dtype).encode())
    flush_folder(folder)


def write_part(
    folder: str, part: Array, origin: Sequence[int], whole: Sequence[int], *, is_first: bool
) -> None:
    """Write a part of a variable into its folder, which others may have made; the first one also
    writes `meta`."""
    os.makedirs(folder, exist_ok=True)
    _write(os.path.join(folder, part_name(origin, part.shape)), _bytes(part))
    if is_first:
        _write(os.path.join(folder, "meta"), meta_text(whole, part.dtype).encode())
    flush_folder(folder)


def _bytes(array: Array) -> memoryview:
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    # As bytes, since the buffer protocol has no letter for bfloat16.
    return little.reshape(-1).view(np.uint8).data


def _write(path: str, data: bytes | memoryview) -> None:
    with open(path, "xb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())


def _make_folders(folder: str) -> None:
    """Make a folder and its parents, and flush their entries to disk."""
    if not os.path.isdir(folder):
        above = os.path.dirname(folder)
        _make_folders(above)
        os.makedirs(folder, exist_ok=True)
        flush_folder(above)


@contextmanager
def _temporary_folder(parent: str) -> Iterator[str]:
    """A new folder to write in; it is removed at the end unless it was renamed."""
    with _new_lock(parent) as lock:
        folder = lock.name.removesuffix(_LOCK)
        try:
            os.mkdir(folder)
            yield folder
        finally:
            _discard(lock.name)


def _sweep(parent: str) -> None:
    """Remove the temporary folders of dead processes, whose locks died with them."""
    for name in os.listdir(parent):
        if name.startswith(_TEMPORARY) and name.endswith(_LOCK):
            path = os.path.join(parent, name)
            try:
                lock = open(path, "r+b", buffering=0)  # noqa: SIM115
            except OSError:
                continue  # its owner has just finished, or is another user
            with lock:
                if _take(lock) is True:
                    _discard(path)


def _new_lock(parent: str) -> FileIO:
    """A new lock file, locked: it shows that the owner of the temporary folder is alive."""
    while True:
        lock = open(  # noqa: SIM115
            os.path.join(parent, _TEMPORARY + secrets.token_hex(8) + _LOCK), "xb", buffering=0
        )
        # A sweep may have intervened: then it holds the lock, or has removed the file.
        if _take(lock) is not False and os.fstat(lock.fileno()).st_nlink:
            return lock
        lock.close()


def _take(lock: FileIO) -> bool | None:
    """Take a lock: False if another process holds it, None if the file system has no locks.

    Without locks nothing is swept, since nobody can tell whether the owner is alive.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
            return None
        lock.close()
        raise
    return True


def _discard(lock: str) -> None:
    """Remove a temporary folder and, once it is gone, its lock; the caller holds the lock."""
    folder = lock.removesuffix(_LOCK)
    shutil.rmtree(folder, ignore_errors=True)
    if not os.path.lexists(folder):
        os.unlink(lock)
