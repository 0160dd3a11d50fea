"""Runs a failure again that was kept; as a program, in a process that the failure may crash.

    python -m penstock.tools.fuzz.again failures/program-17/program.mlir [FILE.py ...]

Files that define the user's ops are imported first. Exit code 1 says that it still fails.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from penstock.ir.dialects.builtin import Module
from penstock.passes.pipeline import Pipeline
from penstock.runtime.store import safetensors
from penstock.tools.fuzz.slopes import wrong_slope
from penstock.tools.fuzz.trial import Failure, failure_of
from penstock.tools.fuzz.ways import Way
from penstock.tools.shared.errors import InputError
from penstock.tools.shared.inputs import read_module
from penstock.tools.shared.userfile import import_file


def main(path: str, imports: Sequence[str]) -> int:
    for file in imports:
        import_file(Path(file))
    kept = read(Path(path))
    return int(again(kept.module, kept.inputs, kept.way) is not None)


def again(module: Module, inputs: Mapping[str, Any], way: Way | None) -> Failure | None:
    """What is wrong with a program now."""
    if way is not None:
        return failure_of(module, dict(inputs), way)
    wrong = wrong_slope(module, inputs)
    return Failure("wrong gradient", None, wrong, module, dict(inputs)) if wrong else None


def read(path: Path) -> Failure:
    """The failure recorded with this `program.mlir`; InputError or `IRError` if a file is wrong."""
    module = read_module(str(path))
    beside = path.parent / "failure.json"
    try:
        told = json.loads(beside.read_text(encoding="utf-8"))
        inputs = dict(safetensors.load(path.parent / "inputs.safetensors"))
        way = _way(told["way"]) if told["way"] else None
        return Failure(str(told["kind"]), way, str(told["message"]), module, inputs)
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise InputError(
            f"{path}: is not a failure that `penstock fuzz` kept: {beside.name} or "
            f"inputs.safetensors beside it is missing or malformed: {error!r}"
        ) from error


def _way(told: Mapping[str, Any]) -> Way:
    mesh = tuple(int(extent) for extent in told["mesh"])
    return Way(**{**told, "pipeline": Pipeline.parse(told["pipeline"]), "mesh": mesh})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
