"""A store of bytes on disk, found by what they were made from: code is not compiled twice.

One file per entry:

    8 bytes   what kind of file this is
    32        the key
    8         the length of the payload, little-endian
    32        SHA-256 of the payload
    ...       the payload

An entry is written under a name of its own and then renamed, so whoever reads sees all of it or
nothing, however many processes write. It is not flushed to the disk, which takes longer than many a
kernel takes to compile: what a power cut leaves torn, like any other damage, is told by the length
and the sum, removed, and made again.

Entries become native code of this process, so the folder is for the user alone, and what another
user owns or could have written is not read.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from struct import Struct
from typing import Protocol

from penstock.ir.record import Record

MAGIC = b"pstkobj\x01"
HEADER = Struct("<8s32sQ32s")

LIMIT = 1 << 29
"""Bytes that the folder may take, unless told otherwise."""
STALE = 3600.0
"""Seconds after which a file that is still being written belongs to a process that was killed."""
# A folder that is full is emptied so far, so that not every entry has it emptied again.
_KEPT = 0.9
# The room that is left is for so many processes; each counts the folder again when its share is
# full.
_SHARES = 16

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_KEY = re.compile("[0-9a-f]{64}")
_numbers = itertools.count()


def key_of(*parts: str | bytes) -> str:
    """The key of what is made from these parts and nothing else: 64 hexadecimal digits.

    >>> key_of("ab", "c") == key_of("a", "bc")
    False
    """
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def source_digest(packages: Iterable[str]) -> str:
    """A digest of the Python sources of packages and of those below them, which stands for the
    version of what they compute; their modules are not imported.

    Raises FileNotFoundError for a package without sources: nothing tells its versions apart.
    """
    digest = sha256()
    for package in packages:
        found = False
        for name, path in _sources(package):
            found = True
            with open(path, "rb", buffering=0) as file:
                content = file.read()
            digest.update(f"{package}{name} {len(content)}\n".encode())
            digest.update(content)
        if not found:
            raise FileNotFoundError(f"package {package} has no sources")
    return digest.hexdigest()


def source_paths(packages: Iterable[str]) -> list[str]:
    """The Python sources of packages and of those below them."""
    return [path for package in packages for _, path in _sources(package)]


def sources_changed(paths: Iterable[str], since: int) -> bool:
    """Whether a source was written or removed since a moment, in nanoseconds of `time_ns`: what was
    loaded then may be of another version than what is there now."""
    now = time.time_ns()
    try:
        # What seems to be of the future was written under another clock, not meanwhile.
        return any(since < os.stat(path).st_ctime_ns <= now for path in paths)
    except FileNotFoundError:
        return True


def _sources(package: str) -> Iterator[tuple[str, str]]:
    """The sources of a package and of those below it, in order: name in the package, and path."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        for root, inner, names in os.walk(folder):
            inner.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                path = os.path.join(root, name)
                yield path[len(folder) :], path


def user_folder(environment: Mapping[str, str]) -> Path | None:
    """Where the user's cache is: `PENSTOCK_CACHE_DIR`, or `penstock` in the folder for caches.

    None where `PENSTOCK_CACHE` is `off`, for a user who has no home, and for a path below a working
    directory that is no more. Raises ValueError where `PENSTOCK_CACHE` is neither `off` nor `on`.
    """
    word = environment.get("PENSTOCK_CACHE", "")
    if word.lower() in ("off", "0"):
        return None
    if word.lower() not in ("", "on", "1"):
        raise ValueError(
            f"PENSTOCK_CACHE is {word!r} in the environment: expected on or off; unset it for on"
        )
    chosen = environment.get("PENSTOCK_CACHE_DIR")
    if chosen:
        try:
            return Path(os.path.expanduser(chosen)).absolute()
        except FileNotFoundError:
            return None
    home = environment.get("XDG_CACHE_HOME", "")
    # The specification of base directories has relative paths ignored.
    folder = home if os.path.isabs(home) else os.path.expanduser("~/.cache")
    return Path(folder) / "penstock" if os.path.isabs(folder) else None


class Entries(Protocol):
    """What keeps bytes by their keys: on disk, as `Store`, or in memory."""

    def get(self, key: str) -> bytes | None:
        """The payload of a key; None where there is none."""

    def put(self, key: str, payload: bytes) -> None:
        """Keep it."""


class Store(Record, frozen=False):
    """Entries in a folder of the user's, which is made when first needed.

    No trouble with the folder is an error. What keeps entries from being read or written is told
    once, by `tell`, and then the store does without.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store(Path(folder.name) / "penstock", print)
    >>> key = key_of("a text", "some options")
    >>> store.put(key, b"code")
    >>> store.get(key), store.get(key_of("another text"))
    (b'code', None)
    >>> folder.cleanup()
    """

    folder: Path
    tell: Callable[[str], object]
    limit: int = LIMIT
    """Bytes; beyond it, the entries that were not used for longest go."""
    _checked: bool | None = None
    _writes: bool = True
    _told: bool = False
    _share: float = 0
    """Bytes that it may write before it counts the folder again."""

    def get(self, key: str) -> bytes | None:
        """The payload of a key; None where there is none, or none that is whole."""
        if not self._usable():
            return None
        path = self.folder / key
        try:
            descriptor = os.open(path, _READ)
        except FileNotFoundError:
            return None
        except OSError as error:
            # What passes, such as a want of descriptors, says nothing of the entry.
            if error.errno in (errno.EACCES, errno.EISDIR, errno.ELOOP, errno.ENXIO):
                self._discard(path, error)
            return None
        trouble, payload = None, None
        try:
            payload = _payload(descriptor, key, self.limit)
            if payload is not None and self._writes:
                # By this time of use the oldest entries are told.
                with contextlib.suppress(OSError):
                    os.utime(descriptor)
        except OSError as error:
            trouble = error
        finally:
            os.close(descriptor)
        if payload is None:
            self._discard(path, trouble)
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Keep a payload under a key, in place of what is there; the last of several stays."""
        if not (self._writes and self._usable()):
            return
        whole = HEADER.pack(MAGIC, bytes.fromhex(key), len(payload), sha256(payload).digest())
        if len(whole) + len(payload) > self.limit * _KEPT:
            return
        temporary = self.folder / f".{key}.{os.getpid()}.{next(_numbers)}.{os.urandom(6).hex()}"
        try:
            _write(temporary, whole + payload)
            os.replace(temporary, self.folder / key)
            self._share -= len(whole) + len(payload)
            # One key in 16: else each short process would count the folder at its first entry.
            if key[0] == "0" and self._share <= 0:
                self.trim()
        except OSError as error:
            self._writes = False
            self._complain(f"cannot be written: {error.strerror or error}")
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    def trim(self) -> None:
        """Remove what was not used for longest, until the folder is well within its limit.

        Files that a killed process left half-written go, too. What is no entry stays.
        """
        if not self._usable():
            return
        now = time.time()
        entries = []
        for entry in os.scandir(self.folder):
            with contextlib.suppress(FileNotFoundError):
                found = entry.stat(follow_symlinks=False)
                if entry.name.startswith("."):
                    if now - found.st_mtime > STALE:
                        os.unlink(entry.path)
                elif _KEY.fullmatch(entry.name):
                    entries.append((found.st_mtime_ns, found.st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        if total > self.limit:
            for _, size, path in sorted(entries):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
                total -= size
                if total <= self.limit * _KEPT:
                    break
        # Others may write as much meanwhile.
        self._share = (self.limit - total) / _SHARES

    def _usable(self) -> bool:
        """Whether the folder is there, the user's own, and closed to what others write."""
        if self._checked is None:
            try:
                os.makedirs(self.folder.parent, exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self.folder, 0o700)
                found = os.stat(self.folder)
                if not stat.S_ISDIR(found.st_mode):
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
                trouble = distrust(found)
                if trouble:
                    trouble += ", and their code is not run"
            except FileExistsError:
                # Where a folder above it is a file.
                trouble = f"cannot be used: {os.strerror(errno.ENOTDIR)}"
            except OSError as error:
                trouble = f"cannot be used: {error.strerror or error}"
            self._checked = not trouble
            if trouble:
                self._complain(trouble)
        return self._checked

    def _discard(self, path: Path, error: OSError | None = None) -> None:
        """Remove an entry that cannot be read or is not whole; it will be made again."""
        if not self._writes:
            return
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        except OSError as second:
            self._writes = False
            reason = error or second
            self._complain(
                f"has a damaged entry that cannot be removed: {reason.strerror or reason}"
            )

    def _complain(self, trouble: str) -> None:
        if not self._told:
            self._told = True
            self.tell(
                f"the cache of compiled code in {self.folder} {trouble}; jobs are compiled anew. "
                "PENSTOCK_CACHE_DIR names another folder, PENSTOCK_CACHE=off uses none"
            )


def distrust(found: os.stat_result) -> str:
    """Why what that folder or file holds may not be the user's own; nothing where it is."""
    if found.st_uid != os.geteuid():
        return f"belongs to user {found.st_uid}"
    return "may be written by other users" if found.st_mode & _OTHERS_WRITE else ""


def _payload(descriptor: int, key: str, limit: int) -> bytes | None:
    """What an open file holds for a key, after every check; None where one fails."""
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or distrust(found):
        return None
    if not HEADER.size <= found.st_size <= limit:
        return None
    with open(descriptor, "rb", closefd=False) as file:
        header = file.read(HEADER.size)
        if len(header) != HEADER.size:
            return None
        magic, entry, length, digest = HEADER.unpack(header)
        if magic != MAGIC or entry.hex() != key or length != found.st_size - HEADER.size:
            return None
        payload = file.read(length)
    return payload if len(payload) == length and sha256(payload).digest() == digest else None


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, _WRITE, 0o600)
    with open(descriptor, "wb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]
