"""kill -9 while compiled code is cached: whoever reads gets all of an entry or nothing.

60 kills by default; PENSTOCK_CACHE_KILLS asks for more.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from penstock.codegen.cache import HEADER, Store, key_of

KILLS = int(os.environ.get("PENSTOCK_CACHE_KILLS", "60"))
WORDS = ("a", "b", "c", "d")

WRITER = """
import random, sys
from pathlib import Path
from penstock.codegen.cache import Store, key_of
draw, store = random.Random(), Store(Path(sys.argv[1]), print)
print("begun", flush=True)
while True:
    word = draw.choice("abcd")
    store.put(key_of(word), word.encode() * draw.randrange(1 << 20, 4 << 20))
"""


def started(folder: Path) -> subprocess.Popen[bytes]:
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"begun\n"
    return child


def test_a_kill_corrupts_no_entry(tmp_path: Path) -> None:
    """Two writers at a time; what they half wrote is told from entries by its name."""
    draw = random.Random(3)
    told: list[str] = []
    store = Store(tmp_path / "cache", told.append)
    kills = torn = read = 0
    while kills < KILLS:
        children = [started(store.folder) for _ in range(2)]
        time.sleep(draw.uniform(0.0, 0.05))
        for child in children:
            child.kill()
        for child in children:
            assert child.wait(30) == -9, "it ended by itself"
            assert child.stdout is not None
            child.stdout.close()
            kills += 1
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
    print(f"{kills} kills, {torn} in the middle of a write; {read} entries read, 0 corrupt")
    assert torn >= KILLS // 20, "hardly a kill came in the middle of a write"
    assert read > KILLS
    assert not told
