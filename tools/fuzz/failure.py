"""Reduces a failure, and writes the files that reproduce it.

A folder has `program.mlir`, the smallest job found that fails in the same way, at stage `job`;
`whole.mlir`, the job it was reduced from; `inputs.safetensors`, the values of its arguments; and
`failure.json`, which says how it is compiled and what is wrong.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record, fields, replace
from penstock.ir.text.printer import print_module
from penstock.runtime.store import safetensors
from penstock.tools.fuzz.again import again
from penstock.tools.fuzz.trial import Failure, cut_inputs
from penstock.tools.shared.shrink import kind_of, shrink

ENDS = "process ends"
NEVER = "never ends"
AGAIN = "penstock.tools.fuzz.again"
"""The program that runs a failure again."""
MOST_SECONDS = 60
"""Timeout for a run in a separate process."""


class Kept(Record):
    """Where a failure was written, and the command that runs it again."""

    folder: str
    command: str


def made_small(
    failure: Failure,
    seed: int,
    imports: Sequence[str] = (),
    tell: Callable[[str], object] = lambda text: None,
) -> Failure:
    """The same failure in the smallest program found.

    `imports` are files that define the user's ops, which other processes need, too.
    """
    apart = failure.kind in (ENDS, NEVER)
    best = failure

    def wrong(module: Module) -> bool:
        nonlocal best
        try:
            inputs = cut_inputs(module, failure.inputs, seed)
            if apart:
                candidate = replace(failure, module=module, inputs=inputs)
                found = _apart(candidate, imports)
            else:
                found = again(module, inputs, failure.way)
        except (IRError, ValueError, ArithmeticError):
            # Another failure than the one looked for.
            return False
        if found is None or (found.kind, kind_of(found.message)) != (
            failure.kind, kind_of(failure.message) if failure.kind == "exception" else
            kind_of(found.message),
        ):  # fmt: skip
            return False
        best = found
        return True

    shrink(failure.module, wrong, tell)
    return best


def _apart(failure: Failure, imports: Sequence[str]) -> Failure | None:
    """The failure, if its program still crashes its process or never ends."""
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        write(failure, Path(folder), failure.module)
        words = [sys.executable, "-m", AGAIN, f"{folder}/program.mlir", *imports]
        try:
            done = subprocess.run(words, capture_output=True, timeout=MOST_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return failure if failure.kind == NEVER else None
        return failure if failure.kind == ENDS and done.returncode not in (0, 1) else None


def importing(imports: Sequence[str]) -> list[str]:
    """The command line options that import these files first."""
    return [f"--import={file}" for file in imports]


def write(failure: Failure, folder: Path, whole: Module, imports: Sequence[str] = ()) -> Kept:
    """Write the files of a failure."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in (("program", failure.module), ("whole", whole)):
        (folder / f"{name}.mlir").write_text(print_module(module), encoding="utf-8")
    safetensors.save(folder / "inputs.safetensors", failure.inputs)
    way = failure.way
    compiled = way and {name: getattr(way, name) for name in fields(way)}
    told = {
        "kind": failure.kind,
        "message": failure.message,
        "way": compiled and {**compiled, "pipeline": str(compiled["pipeline"])},
    }
    (folder / "failure.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    words = ["penstock", "fuzz", "--again", str(folder / "program.mlir"), *importing(imports)]
    return Kept(str(folder), shlex.join(words))
