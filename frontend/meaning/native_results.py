"""Runs one step of a job at stage `loops` as machine code, in a process of its own.

    python -m penstock.meaning.native_results job.mlir INPUTS RESULTS

INPUTS and RESULTS are folders with an array per name, in the format of checkpoints.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.runtime import FileVariable, checkpoint
from penstock.typing import Numpy

if TYPE_CHECKING:
    from penstock.loaded.loading import LoadedJob

Array = np.ndarray[Any, Any]


def arrays(folder: str | Path) -> dict[str, Array]:
    """The arrays of a folder by name."""
    found = checkpoint.get(folder)
    assert not isinstance(found, FileVariable)
    return {name: variable.numpy() for name, variable in found.items()}


def step(text: str, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The results of one step by name: fetches, variables, and what is watched."""
    from penstock.loaded.loading import compile as compile_text

    return steps_of(compile_text(text), inputs, 1)[0]


def steps_of(job: LoadedJob, inputs: Mapping[str, Array], count: int) -> list[dict[str, Array]]:
    """The results of each of `count` steps of a compiled job, all with the same feeds."""
    job.load_variables(_of_kind(inputs, "variable"))
    watched: dict[str, Array] = {}
    ends = [job.watch(tap.name, _keeping(watched, f"watch {tap.name}")) for tap in job.taps]
    feeds = _of_kind(inputs, "feed")
    try:
        return [{**_results(job, feeds), **watched} for _ in range(count)]
    finally:
        for end in ends:
            end()


def _results(job: LoadedJob, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """What a step returns, and the variables after it."""
    results = job(**feeds)
    fetches = job.fetches
    if not isinstance(results, dict):
        listed = results if isinstance(results, tuple) else (results,)
        results = dict(zip([fetch.name for fetch in fetches], listed, strict=False))
    found = {f"fetch {name}": array for name, array in results.items()}
    return found | {f"variable {name}": array for name, array in job.variables().items()}


def _of_kind(named: Mapping[str, Array], kind: str) -> dict[str, Array]:
    return {n.partition(" ")[2]: a for n, a in named.items() if n.startswith(f"{kind} ")}


def _keeping(found: dict[str, Array], name: str) -> Callable[[Any], None]:
    def keep(blob: Numpy) -> None:
        found[name] = np.asarray(blob)

    return keep


if __name__ == "__main__":
    source, given, target = sys.argv[1:]
    checkpoint.save(target, step(Path(source).read_text(encoding="utf-8"), arrays(given)))
