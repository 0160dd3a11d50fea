"""kill -9 while compiled code is cached: readers get a whole entry or nothing.

Two processes write at the same time; every pair of system calls to die before is tried.
PENSTOCK_CACHE_KILLS sets a minimum number of kills, reached by repeating rounds.
"""

import itertools
import os
from pathlib import Path

from stopping import Victims

from penstock.codegen.cache import HEADER, Store, key_of

KILLS = int(os.environ.get("PENSTOCK_CACHE_KILLS", "60"))
WORDS = ("a", "b")

# The limit is so low that entries are removed, too.
WRITER = """
from pathlib import Path
from penstock.codegen.cache import Store, key_of

def work(folder, words, sizes):
    store = Store(Path(folder), say, limit=50_000)
    store.put(key_of(words[0]), words[0].encode() * sizes[0])
    arm()
    for word, size in zip(words[1:], sizes[1:]):
        store.put(key_of(word), word.encode() * size)
        store.trim()
"""


def test_a_kill_corrupts_no_entry(tmp_path: Path) -> None:
    """Partial files have other names than entries."""
    told: list[str] = []
    store = Store(tmp_path / "cache", told.append)
    kills = torn = read = 0
    calls: set[str] = set()

    def checked() -> None:
        nonlocal torn, read
        for half in store.folder.glob(".*"):
            torn += 1
            half.unlink()
        for word in WORDS:
            path = store.folder / key_of(word)
            there = path.exists()
            payload = store.get(key_of(word))
            assert (payload is not None) == there, "an entry was corrupt"
            if payload is not None:
                read += 1
                assert payload == word.encode() * (path.stat().st_size - HEADER.size)

    with Victims(WRITER) as one, Victims(WRITER) as other:
        alone = 0
        while one.killed_at(alone + 1, str(store.folder), "ab", [30_000] * 2)[0]:
            alone += 1
            kills += 1
            checked()
        points = range(1, alone + 1)
        for number, pair in enumerate(itertools.cycle(itertools.product(points, points))):
            if kills >= KILLS and number >= len(points) ** 2:
                break
            sizes = [20_000 + 1_000 * (number % 7) + 5_000 * place for place in range(2)]
            one.begin(pair[0], str(store.folder), "ab", sizes)
            other.begin(pair[1], str(store.folder), "ba", sizes[::-1])
            for call, said in (one.end(), other.end()):
                kills += bool(call)
                calls.add(call)
                assert not said
            checked()
    print(f"{kills} kills, {torn} in the middle of a write; {read} entries read, 0 corrupt")
    assert {"open", "write", "replace", "unlink"} <= calls
    assert torn > len(points), "the calls of a write are not seen"
    assert read > kills
    assert not told
