"""Build random jobs of all registered ops, compile each in several ways, and compare the results.

Program N is the same on every run, so a search can continue from the number at which it stopped.
Each job is compiled with the fewest passes, with the usual ones and with passes in another order;
some also through the text of each stage, for another processor or on other threads. All must agree
with the reference interpreter in float64, within a tolerance for rounding that is measured for each
program; gradients must agree with differences of the losses. A job that fails is reduced, and kept
in a folder with its inputs. Exit code 1 says that one did.

Examples:

    penstock fuzz --programs 500
    penstock fuzz --programs 50000 --seed 1 --jobs 4
    penstock fuzz --ops 'flow.reduce_*' --ops flow.add --programs 200
    penstock fuzz --schedules 3 --programs 200
    penstock fuzz --ranks 3 --programs 200
    penstock fuzz --again failures/program-17/program.mlir
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from penstock.ir.text.lexer import nearest_op
from penstock.tools.fuzz.again import again, read
from penstock.tools.fuzz.calls import chosen
from penstock.tools.fuzz.workers import Tally, Workers
from penstock.tools.shared.errors import InputError, UsageError
from penstock.tools.shared.numbers import whole
from penstock.tools.shared.progress import progress

RARE = 5
"""How many of the rarest ops the summary names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--programs", type=whole, default=500, metavar="N", help="how many (%(default)s)")
    add(
        "--seed",
        type=whole,
        default=1,
        metavar="N",
        help="the seed of the first program (%(default)s)",
    )
    add("--jobs", type=whole, default=1, metavar="N", help="processes to run them on (%(default)s)")
    add("--ops", action="append", default=[], metavar="NAME",
        help="only these ops, and those that adapt operands to them: a name or a glob")  # fmt: skip
    add("--schedules", type=whole, default=0, metavar="N",
        help="compile each for the simulated GPU instead, with N random schedules")  # fmt: skip
    add("--ranks", type=whole, default=0, metavar="N",
        help="share each among ranks instead, in N random ways")  # fmt: skip
    add("--out", default="failures", metavar="DIR", help="where failures go (%(default)s)")
    add("--again", metavar="FILE.mlir", help="run a saved failure again")


def run(arguments: argparse.Namespace) -> int:
    if arguments.again:
        return _again(Path(arguments.again))
    if not chosen(arguments.ops):
        near = nearest_op(arguments.ops[0], [cls.name for cls in chosen(())])
        hint = f"did you mean {near}?" if near else "penstock ops lists them"
        raise UsageError(f"--ops: there is no op {' or '.join(arguments.ops)}: {hint}")
    if not arguments.jobs:
        raise UsageError("--jobs: expected at least one process")
    if Path(arguments.out).is_file():
        raise InputError(f"{arguments.out}: is a file, but --out takes a folder")
    _check_folder(Path(arguments.out))
    first, count = arguments.seed, arguments.programs
    workers = Workers(
        arguments.jobs, Path(arguments.out), arguments.ops, arguments.imports,
        arguments.schedules, arguments.ranks,
    )  # fmt: skip
    started = time.monotonic()
    with progress("starting") as tell:

        def show(tally: Tally) -> None:
            pace = tally.programs / (time.monotonic() - started)
            tell(f"{tally.programs} of {count} programs, {len(tally.failures)} failures, "
                 f"{pace:.1f} a second")  # fmt: skip

        seeds = iter(range(first, first + count))
        try:
            workers.run(seeds, show)
        except KeyboardInterrupt:
            reached = min([*workers.open, next(seeds, first + count)])
            print(_summary(workers.tally), f"go on with --seed {reached}", sep="\n")
            raise
    print(_summary(workers.tally))
    return int(bool(workers.tally.failures))


def _check_folder(folder: Path) -> None:
    """Raise InputError now, and not at the first failure, if the folder cannot be made."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    try:
        with TemporaryDirectory(dir=place):
            pass
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None


def _again(path: Path) -> int:
    kept = read(path)
    found = again(kept.module, kept.inputs, kept.way)
    print(f"was {kept}\n is {found or 'right'}")
    return int(found is not None)


def _summary(tally: Tally) -> str:
    share = ""
    if tally.elements:
        share = f", of which rounding leaves {tally.known / tally.elements:.2%} to be judged"
    lines = [
        f"{tally.programs} programs, {tally.compiled} compilations, {tally.elements} elements "
        f"compared{share}: {len(tally.failures)} failures"
    ]
    if tally.ops:
        rare = ", ".join(f"{name} {count}" for name, count in tally.ops.most_common()[-RARE:])
        lines.append(f"{tally.ops.total()} ops of {len(tally.ops)} kinds; the rarest: {rare}")
    if tally.followed:
        lines.append(
            f"{tally.followed} random schedules of groups were followed, {tally.refused} refused"
        )
    for seed, message, command in sorted(tally.failures):
        lines += [f"program {seed}: {message}", f"    {command}"]
    return "\n".join(lines)
