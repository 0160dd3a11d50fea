"""Runs trials in a separate process: reads program numbers, writes a line of JSON for each.

python -m penstock.tools.fuzz.worker FOLDER [--schedules=N] [--ranks=N] [--import=FILE.py] [OP...]
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from penstock.tools.fuzz.calls import chosen
from penstock.tools.fuzz.failure import made_small, write
from penstock.tools.fuzz.trial import trial
from penstock.tools.shared.userfile import import_file


def main(folder: str, words: Sequence[str]) -> None:
    """Serve until the input ends, which the parent may do at any time."""
    imports = [word.removeprefix("--import=") for word in words if word.startswith("--import=")]
    for file in imports:
        import_file(Path(file))
    schedules, shares = (
        sum(int(word.removeprefix(flag)) for word in words if word.startswith(flag))
        for flag in ("--schedules=", "--ranks=")
    )
    only = chosen([word for word in words if not word.startswith("--")])
    seeds: SimpleQueue[int] = SimpleQueue()
    threading.Thread(target=_listen, args=[seeds], daemon=True).start()
    while True:
        seed = seeds.get()
        outcome = trial(seed, only, lambda way: _say(way=way), schedules, shares)
        told: dict[str, Any] = {
            "compiled": outcome.compiled, "elements": outcome.elements, "known": outcome.known,
            "ops": Counter(outcome.ops), "followed": outcome.followed,
            "refused": len(outcome.refusals),
        }  # fmt: skip
        if outcome.failure is not None:
            _say(way="")
            small = made_small(outcome.failure, seed, imports)
            kept = write(small, Path(folder) / f"program-{seed}", outcome.failure.module, imports)
            told |= {"message": str(small), "command": kept.command}
        _say(seed=seed, done=True, **told)


def _listen(seeds: SimpleQueue[int]) -> None:
    """Read numbers; at the end of the input, exit at once and abandon the current trial."""
    # Not from `sys.stdin`, whose lock Python needs at exit.
    while line := os.read(0, 1 << 12):
        for word in line.split():
            seeds.put(int(word))
    os._exit(0)


def _say(**words: Any) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
