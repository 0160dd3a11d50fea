"""Shrink a module while it is still wrong: a pass fails, or a result is wrong.

The failure is determined first. If the pipeline fails, the same pass must go on failing for the
same reason. Otherwise the results of the reference interpreter before and after the pipeline must
differ. With --test, the given command, called with the module's file, must fail. The smallest
module is printed.

Examples:

    penstock reduce step.mlir --pipeline 'canonicalize,cse' -o small.mlir
    penstock reduce train.py:train_job
    penstock reduce step.mlir --test ./is_broken.sh
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.meaning.bisection import bisect, wrong_result
from penstock.passes.base import Pass
from penstock.passes.manager import run_pipeline
from penstock.tools.shared.errors import InputError, UsageError
from penstock.tools.shared.inputs import add_module_arguments, add_seed_argument, module_and_passes
from penstock.tools.shared.progress import progress
from penstock.tools.shared.shrink import count, kind_of, shrink
from penstock.tools.shared.texts import write_text

Wrong = Callable[[Module], bool]
"""Whether a module still has the defect that is looked for."""

TEST_SECONDS = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_module_arguments(parser)
    add = parser.add_argument
    add("--test", metavar="COMMAND", help="a command that fails for a wrong module")
    add_seed_argument(parser)
    add("-o", "--output", default="-", metavar="FILE", help="where to write (standard output)")


def run(arguments: argparse.Namespace) -> int:
    module, passes = module_and_passes(arguments)
    with progress("looking for what is wrong") as tell:
        if arguments.test:
            what, wrong = _of_test(module, arguments.test)
        else:
            what, wrong = _of_passes(module, passes, arguments.seed, tell)
        small = reduce(module, wrong, tell)
    print(f"{count(module)} ops became {count(small)}: {what}", file=sys.stderr)
    write_text(arguments.output, print_module(small))
    return 0


def reduce(
    module: Module, wrong: Wrong, tell: Callable[[str], object] = lambda text: None
) -> Module:
    """The smallest module found for which `wrong` holds, as it does for the given one.

    It removes ops and replaces their results by feeds; it removes results, arguments, attributes
    and functions; and it shrinks extents. The module verifies after every step.
    """
    return shrink(module, wrong, tell)


def _of_passes(
    module: Module, passes: Sequence[Pass], seed: int, tell: Callable[[str], object]
) -> tuple[str, Wrong]:
    """The defect, and a function that says whether another module has it."""
    failure = _failure(module, passes)
    if failure:
        return failure, lambda other: kind_of(_failure(other, passes)) == kind_of(failure)
    found = bisect(module, passes, seed=seed, tell=tell)
    if found is None:
        raise InputError(
            f"nothing is wrong: {len(passes)} passes run, and the results are what the interpreter "
            "computes; give another --pipeline, or a --test"
        )
    used = passes[: found.position]
    return str(found.difference), lambda other: _differs(other, used, seed)


def _failure(module: Module, passes: Sequence[Pass]) -> str:
    """How the pipeline fails, "" if it does not."""
    try:
        # A failing pass must not write a reproducer for each module that is tried.
        run_pipeline(cast(Module, module.clone()), passes, pristine=module, reproduce=False)
    except IRError as error:
        first = error.diagnostics[0]
        note = next((n for n in first.notes if n.startswith("in pass ")), "")
        return f"{note.partition(';')[0]}: {first.message.splitlines()[0]}"
    return ""


def _differs(module: Module, passes: Sequence[Pass], seed: int) -> bool:
    try:
        return wrong_result(module, passes, seed) is not None
    except (IRError, InputError):
        # Another failure than the one looked for.
        return False


def _of_test(module: Module, command: str) -> tuple[str, Wrong]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--test {command!r} is not a command: {error}") from error
    code = _tested(module, words)
    if code == 0:
        raise InputError(f"nothing is wrong: {command} ends with 0 for the module as it is")
    return f"{command} ends with {code}", lambda other: _tested(other, words) == code


def _tested(module: Module, words: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        path = Path(folder) / "module.mlir"
        path.write_text(print_module(module), encoding="utf-8")
        try:
            done = subprocess.run(
                [*words, str(path)], capture_output=True, timeout=TEST_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return -1
    return done.returncode
