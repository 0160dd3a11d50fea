"""The cache of compiled code: hits, rejected entries, and I/O errors."""

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until

from penstock.codegen import cache
from penstock.codegen.cache import (
    HEADER,
    Store,
    key_of,
    source_digest,
    source_paths,
    sources_changed,
    user_folder,
)

KEY, OTHER = key_of("one"), key_of("other")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def store(tmp_path: Path, told: list[str]) -> Store:
    return Store(tmp_path / "cache", told.append)


def test_another_process_gets_an_entry(store: Store, told: list[str]) -> None:
    assert store.get(KEY) is None
    store.put(KEY, b"code" * 1000)
    store.put(OTHER, b"")
    again = Store(store.folder, told.append)
    assert (again.get(KEY), again.get(OTHER)) == (b"code" * 1000, b"")
    store.put(KEY, b"later")
    assert again.get(KEY) == b"later"
    assert sorted(os.listdir(store.folder)) == sorted([KEY, OTHER])
    assert not told


def test_only_the_user_can_access_the_folder_and_its_files(store: Store) -> None:
    before = os.umask(0)
    try:
        store.put(KEY, b"code")
    finally:
        os.umask(before)
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert (store.folder / KEY).stat().st_mode & 0o777 == 0o600


def test_a_thousand_flipped_bits_are_detected_and_repaired(store: Store, told: list[str]) -> None:
    draw = random.Random(0)
    payload = draw.randbytes(3000)
    for _ in range(1000):
        store.put(KEY, payload)
        path = store.folder / KEY
        content = bytearray(path.read_bytes())
        at = draw.randrange(len(content) * 8)
        content[at // 8] ^= 1 << at % 8
        path.write_bytes(content)
        assert store.get(KEY) is None
        assert not path.exists()
    store.put(KEY, payload)
    assert store.get(KEY) == payload
    assert not told


@pytest.mark.parametrize("length", [0, 1, HEADER.size - 1, HEADER.size, HEADER.size + 5])
def test_a_torn_entry_is_removed(store: Store, length: int) -> None:
    store.put(KEY, b"a payload")
    path = store.folder / KEY
    path.write_bytes(path.read_bytes()[:length])
    assert store.get(KEY) is None
    assert not path.exists()


def test_an_entry_of_another_key_is_refused(store: Store) -> None:
    store.put(KEY, b"code")
    os.rename(store.folder / KEY, store.folder / OTHER)
    assert store.get(OTHER) is None


def test_a_wrong_length_allocates_nothing(store: Store) -> None:
    store.put(KEY, b"code")
    path = store.folder / KEY
    magic, key, _, digest = HEADER.unpack(path.read_bytes()[: HEADER.size])
    path.write_bytes(HEADER.pack(magic, key, 1 << 60, digest) + b"code")
    assert store.get(KEY) is None
    with open(path, "wb") as file:
        file.write(HEADER.pack(magic, key, store.limit, digest))
        file.truncate(HEADER.size + store.limit)
    assert store.get(KEY) is None


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "writable by all"])
def test_files_of_other_users_are_not_read(
    store: Store, told: list[str], tmp_path: Path, kind: str
) -> None:
    store.put(KEY, b"code")
    path = store.folder / KEY
    if kind == "link":
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "writable by all":
        path.chmod(0o666)
    else:
        path.unlink()
        os.mkfifo(path) if kind == "fifo" else path.mkdir()
    assert store.get(KEY) is None
    store.put(OTHER, b"more")
    assert len(told) == (1 if kind == "folder" else 0)


def test_a_folder_writable_by_others_is_not_used(store: Store, told: list[str]) -> None:
    store.folder.mkdir()
    store.folder.chmod(0o777)
    for _ in range(3):
        store.put(KEY, b"code")
        assert store.get(KEY) is None
    assert not os.listdir(store.folder)
    (line,) = told
    assert "may be written by other users, and their code is not run; jobs are compiled" in line
    assert str(store.folder) in line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(store: Store, told: list[str]) -> None:
    store.folder.mkdir(mode=0o700)
    os.chown(store.folder, 4242, 4242)
    store.put(KEY, b"code")
    assert store.get(KEY) is None
    assert not os.listdir(store.folder)
    assert [line.count("belongs to user 4242") for line in told] == [1]


def test_a_folder_that_cannot_be_created_is_one_warning(tmp_path: Path, told: list[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "cache", told.append)
    for _ in range(3):
        store.put(KEY, b"code")
        assert store.get(KEY) is None
    assert [line.count("cannot be used: Not a directory; ") for line in told] == [1]


# Root may write anywhere, so root switches to another user first.
READ_ONLY = """
import os, sys
from pathlib import Path
from penstock.codegen.cache import Store, key_of
folder, told = Path(sys.argv[1]), []
if os.geteuid() == 0:
    os.chown(folder, 4242, 4242)
    for path in folder.iterdir():
        os.chown(path, 4242, 4242)
    folder.chmod(0o500)
    os.seteuid(4242)
folder.chmod(0o500)
store = Store(folder, told.append)
for _ in range(3):
    assert store.get(key_of("one")) == b"code"
    store.put(key_of("other"), b"more")
    assert store.get(key_of("other")) is None
assert len(os.listdir(folder)) == 1
print(*told, sep="\\n")
"""


def test_a_read_only_folder_is_read_with_one_warning() -> None:
    # Below a folder that everybody may enter, unlike pytest's own.
    result = subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True)
    folder = Path(result.stdout.strip())
    Store(folder, print).put(KEY, b"code")
    try:
        lines = run(READ_ONLY, folder)
    finally:
        folder.chmod(0o700)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    assert [line.count("cannot be written: Permission denied") for line in lines] == [1]


def test_a_full_disk_is_one_warning_and_leaves_no_file(store: Store, told: list[str]) -> None:
    store.put(KEY, b"code")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        for _ in range(3):
            store.put(OTHER, bytes(100_000))
            assert store.get(OTHER) is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.get(KEY) == b"code"
    assert os.listdir(store.folder) == [KEY]
    assert [line.count("cannot be written: File too large") for line in told] == [1]


def test_the_folder_is_bounded_and_keeps_recent_entries(tmp_path: Path) -> None:
    size = HEADER.size + 1000
    store = Store(tmp_path / "cache", print)
    keys = [key_of(str(number)) for number in range(30)]
    for age, key in enumerate(keys):
        store.put(key, bytes(1000))
        os.utime(store.folder / key, ns=(age, age))
    store.get(keys[0])
    (store.folder / "tiles.json").write_bytes(bytes(20 * size))
    store.limit = 10 * size
    store.trim()
    assert (store.folder / "tiles.json").exists(), "it is no entry"
    left = {key for key in keys if (store.folder / key).exists()}
    assert left == {keys[0], *keys[-8:]}


def test_a_store_trims_itself(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache", print, limit=20_000)
    for number in range(400):
        store.put(key_of(str(number)), bytes(1000))
    # On average it is trimmed every 16 entries.
    assert len(os.listdir(store.folder)) < 120


def test_a_folder_with_room_is_seldom_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting takes as long as there are entries. A count is good for a share of the room."""
    counts, plain = [], os.scandir

    def scandir(folder: Path) -> Iterator[os.DirEntry[str]]:
        counts.append(folder)
        return plain(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    for limit, most in ((1 << 29, 1), (1_000_000, 16)):
        store = Store(tmp_path / str(limit), print, limit)
        counts.clear()
        for number in range(400):
            store.put(f"0{key_of(str(number))[1:]}", bytes(1000))
        assert 1 <= len(counts) <= most


def test_an_entry_beyond_the_limit_is_not_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache", print, limit=1000)
    store.put(KEY, bytes(1000))
    assert store.get(KEY) is None


def test_leftovers_of_killed_processes_are_removed_after_an_hour(store: Store) -> None:
    store.put(KEY, b"code")
    old, new = store.folder / f".{KEY}.1.0.aa", store.folder / f".{KEY}.2.0.bb"
    for path in (old, new):
        path.write_bytes(b"half")
    past = time.time() - cache.STALE - 60
    os.utime(old, (past, past))
    store.trim()
    assert (old.exists(), new.exists(), (store.folder / KEY).exists()) == (False, True, True)


def test_parts_of_a_key_are_delimited() -> None:
    keys = {key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("abc", ""), key_of()}
    assert len(keys) == 5
    assert key_of("a") == key_of(b"a")
    assert key_of("\ud800") != key_of("\ud801")


def test_the_digest_of_sources_sees_every_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "a_package_of_ours"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('it is not imported')")
    (package / "inner" / "module.py").write_text("x = 1")
    monkeypatch.syspath_prepend(tmp_path)
    seen = [source_digest([package.name]) for _ in range(2)]
    (package / "inner" / "module.py").write_text("x = 2")
    seen.append(source_digest([package.name]))
    (package / "inner" / "module.py").rename(package / "inner" / "other.py")
    seen.append(source_digest([package.name]))
    assert seen[0] == seen[1]
    assert len(set(seen)) == 3
    with pytest.raises(FileNotFoundError, match="package no_such_package has no sources"):
        source_digest(["no_such_package"])


def test_changed_sources_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / f"package{os.getpid()}_written"
    (package / "inner").mkdir(parents=True)
    for path in (package / "__init__.py", package / "inner" / "module.py"):
        path.write_text("x = 1")
    monkeypatch.syspath_prepend(tmp_path)
    begun = os.stat(package / "inner" / "module.py").st_ctime_ns
    paths = source_paths([package.name])
    assert len(paths) == 2
    assert not sources_changed(paths, begun)
    assert sources_changed(paths, begun - 1)

    def rewritten() -> bool:
        path.write_text("x = 2")
        os.utime(path, ns=(0, 0))
        return sources_changed(paths, begun)

    # Timestamps of file systems may have a resolution of 10 ms.
    until(rewritten, "a source is written anew, and says to be old")
    monkeypatch.setattr(time, "time_ns", lambda: begun)
    assert not sources_changed(paths, begun), "what another clock wrote says nothing"
    path.unlink()
    assert sources_changed(paths, begun)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"PENSTOCK_CACHE_DIR": "here", "XDG_CACHE_HOME": "/x"}, "here"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/penstock"),
        ({"XDG_CACHE_HOME": "not/absolute"}, os.path.expanduser("~/.cache/penstock")),
        ({"PENSTOCK_CACHE": "off", "PENSTOCK_CACHE_DIR": "here"}, None),
        ({"PENSTOCK_CACHE_DIR": "~/here"}, os.path.expanduser("~/here")),
    ],
)
def test_the_cache_folder(environment: dict[str, str], folder: str | None) -> None:
    assert user_folder(environment) == (Path(folder).absolute() if folder else None)


def test_a_cache_below_a_deleted_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert user_folder({"PENSTOCK_CACHE_DIR": "here"}) is None


# Each process puts and gets the same few keys; the payload tells which key it belongs to.
MANY = """
import random, sys
from pathlib import Path
from penstock.codegen.cache import Store, key_of
draw = random.Random(int(sys.argv[2]))
store, got = Store(Path(sys.argv[1]), print, limit=2_000_000), 0
for _ in range(60):
    word = str(draw.randrange(8))
    if draw.random() < 0.1:
        store.trim()
    found = store.get(key_of(word))
    if found is None:
        store.put(key_of(word), word.encode() * draw.randrange(1, 300_000))
    else:
        got += 1
        assert set(found.decode()) == {word}, "an entry is a mixture"
print(got)
"""


def run(script: str, *arguments: object) -> list[str]:
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_sixteen_processes_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    children = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", MANY, str(folder), str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(16)
    ]
    answers = [child.communicate(timeout=120) for child in children]
    assert [child.returncode for child in children] == [0] * 16, answers
    # There were no warnings, and the entries were used.
    counts = [int(out) for out, _ in answers]
    assert sum(counts) > 16 * 16
