"""Find the pass, and in it the first rewrite, after which a job computes another result.

The reference interpreter runs the job before and after passes, in float64, on random inputs. One
binary search finds the pass, another the rewrite. Exit code 1 says that there is a difference, 0
that there is none.

Examples:

    penstock bisect train.py:train_job
    penstock bisect step.mlir --pipeline 'canonicalize,cse' --feed x=x.npy --out wrong/
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from penstock.meaning.bisection import bisect
from penstock.tools.shared.errors import InputError
from penstock.tools.shared.inputs import (
    add_input_arguments,
    add_module_arguments,
    arrays_given,
    module_and_passes,
)
from penstock.tools.shared.progress import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_module_arguments(parser)
    add_input_arguments(parser)
    add = parser.add_argument
    add("--tolerance", type=tolerance, metavar="T",
        help="allowed difference of floats, relative to a result's largest (0.0001, more if "
             "the job uses halves)")  # fmt: skip
    add("--out", metavar="DIR", help="write before.mlir and after.mlir of the rewrite there")
    add("--json", action="store_true", help="print the answer as JSON")


def tolerance(text: str) -> float:
    """A nonnegative number from the command line."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got {text!r}")
    return number


def run(arguments: argparse.Namespace) -> int:
    if arguments.out and Path(arguments.out).is_file():
        raise InputError(f"{arguments.out}: is a file, but --out takes a folder")
    module, passes = module_and_passes(arguments)
    with progress("searching") as tell:
        inputs = arrays_given(arguments.feed, module)
        found = bisect(module, passes, inputs, arguments.seed, arguments.tolerance, tell)
    if found is not None and arguments.out:
        found.write(Path(arguments.out))
    if arguments.json:
        print(json.dumps(None if found is None else found.to_dict(), indent=2))
    else:
        print(f"no difference after any of {len(passes)} passes" if found is None else found)
    return int(found is not None)
