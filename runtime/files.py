"""Atomic file writes: a kill at any moment leaves the old file or the new one."""

import ctypes
import errno
import os

__all__ = ["exchange", "replace"]

_HERE = -100  # AT_FDCWD of fcntl.h
_EXCHANGE = 2  # RENAME_EXCHANGE of linux/fs.h

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def replace(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under a temporary name, flush it to disk, and rename it into place.

    It replaces the file at the path, following a link, and keeps its permissions. Raises OSError if
    the disk refuses, leaving nothing behind.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     replace(f"{folder}/a", b"new")
    ...     os.listdir(folder)
    ['a']
    """
    place = os.path.realpath(path)
    try:
        if os.path.isdir(place):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if os.path.exists(place) and not os.path.isfile(place):
            # A device or a pipe: there is no file to rename over.
            with open(place, "wb", buffering=0) as device:
                _write(device.fileno(), data)
        else:
            _replace(place, data)
    except OSError as error:
        # Name the user's file in the error, not the temporary one, and no second file.
        error.filename = os.fspath(path)
        del error.filename2
        raise


def _replace(place: str, data: bytes) -> None:
    folder = os.path.dirname(place)
    temporary = os.path.join(folder, f".penstock-{os.urandom(8).hex()}")
    try:
        descriptor = os.open(temporary, _CREATE, 0o666)
        try:
            _write(descriptor, data)
            if os.path.exists(place):
                os.fchmod(descriptor, os.stat(place).st_mode & 0o777)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(temporary, place)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
    flush_folder(folder)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def flush_folder(folder: str) -> None:
    """Flush the entries of a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def exchange(one: str, other: str) -> None:
    """Exchange the names of two files or folders in one step.

    Raises OSError if there is no such file, or the file system cannot do this.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("a", "b"):
    ...         os.mkdir(f"{folder}/{name}")
    ...     os.mkdir(f"{folder}/a/inner")
    ...     exchange(f"{folder}/a", f"{folder}/b")
    ...     os.listdir(f"{folder}/b")
    ['inner']
    """
    library = ctypes.CDLL(None, use_errno=True)
    code = errno.ENOSYS
    if hasattr(library, "renameat2"):  # glibc 2.28
        names = os.fsencode(one), os.fsencode(other)
        if library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0:
            return
        code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL):
        raise OSError(code, "this file system cannot replace a folder in one step", other)
    raise OSError(code, os.strerror(code), one, None, other)
