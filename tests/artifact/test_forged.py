"""Forged artifacts with correct checksums, loaded with `rebuild=True`: each is refused in one
sentence, or runs within its own memory.

15 forgeries by default; PENSTOCK_ARTIFACT_FORGERIES sets the number, PENSTOCK_FUZZ_SEED the first
seed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FORGERIES = int(os.environ.get("PENSTOCK_ARTIFACT_FORGERIES", "15"))
SEED = int(os.environ.get("PENSTOCK_FUZZ_SEED", "0"))
FORGER = Path(__file__).with_name("forging.py")

OUT_OF_BOUNDS = """
import sys
sys.path.insert(0, sys.argv[1])
import ctypes
import numpy as np
from forging import Guarded
Guarded.at_the_end = sys.argv[2] == "end"
array, address = Guarded.allocate((3, 16), np.dtype(np.float32))
array[...] = 1
print(array.sum(), flush=True)
ctypes.c_float.from_address(address + (array.nbytes if Guarded.at_the_end else -4)).value
"""


@contextmanager
def forger() -> Iterator[subprocess.Popen[str]]:
    """A process, ready to try seeds. Its folder is removed with it."""
    command = [sys.executable, str(FORGER)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=os.environ | {"TMPDIR": folder},
        ) as child,
    ):  # fmt: skip
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            yield child
        finally:
            child.kill()


def outcomes(seeds: list[int]) -> dict[int, dict[str, Any]]:
    """The outcome of each seed. After a crash a new process continues with the next seed."""
    found: dict[int, dict[str, Any]] = {}
    while len(found) < len(seeds):
        with forger() as child:
            assert child.stdin is not None
            assert child.stdout is not None
            for seed in seeds[len(found) :]:
                print(seed, file=child.stdin, flush=True)
                line = child.stdout.readline()
                if not line:
                    found[seed] = {"ended": child.wait()}
                    break
                found[seed] = json.loads(line)
    return found


def test_guard_pages_catch_out_of_bounds_reads() -> None:
    """The basis of the other tests: an out-of-bounds access on either side crashes the process."""
    for end in ("begin", "end"):
        command = [sys.executable, "-c", OUT_OF_BOUNDS, str(FORGER.parent), end]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.stdout, done.returncode) == ("48.0\n", -11), done.stderr


def test_forgeries_are_refused_or_stay_in_bounds() -> None:
    found = outcomes([SEED + number for number in range(FORGERIES)])
    ended = {seed: what for seed, what in found.items() if "ended" in what}
    differing = {seed: what for seed, what in found.items() if what.get("differing")}
    refused = [what["refused"] for what in found.values() if "refused" in what]
    ran = len(found) - len(ended) - len(refused)
    print(
        f"{len(found)} forgeries: {len(refused)} refused, {ran} ran; {len(ended)} ended a process, "
        f"{len(differing)} read what the arena held before"
    )
    assert not ended
    assert not differing
    assert not any("\n" in sentence for sentence in refused)
    crashes = ("broke off", "failed with", "ended with signal")
    assert not any(crash in s for s in refused for crash in crashes), refused
    assert ran > FORGERIES // 4, "hardly a forgery was well enough made to be compiled"
    assert len(refused) > FORGERIES // 10
