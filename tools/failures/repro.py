"""Run a reproducer again: the file that a failed pass wrote, with the pipeline it names.

Exit code 1 says that it fails in the same way, 0 that it no longer fails, and 2 that the file is no
reproducer. A failure of another kind is shown, with exit code 1.

Examples:

    penstock repro bufferize-0c5b1f2a77.mlir
    penstock repro failed.mlir --json
"""

from __future__ import annotations

import argparse
import json
import shlex
from dataclasses import asdict, dataclass

from penstock.ir.diagnostics import IRError
from penstock.ir.verify.verifier import verify
from penstock.passes.base import PipelineError
from penstock.passes.manager import run_pipeline
from penstock.passes.reproducer import FAILED, RUN
from penstock.runtime.printable import printable
from penstock.tools.shared.errors import UsageError
from penstock.tools.shared.texts import LocatedText, read_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="the reproducer")
    add("--json", action="store_true", help="print {reproduces, expected, found} as JSON")


@dataclass(frozen=True)
class Outcome:
    """The result of running a reproducer again."""

    reproduces: bool
    expected: str
    """The first line of the recorded failure."""
    found: str
    """The first line of the failure now; empty if there is none."""
    details: str
    """The whole failure now, with its location and notes."""


def run(arguments: argparse.Namespace) -> int:
    outcome = repro(arguments.file)
    if arguments.json:
        print(json.dumps(asdict(outcome), indent=2))
    elif outcome.reproduces:
        print(f"{outcome.details}\nIt fails as it did.")
    elif outcome.found:
        print(f"{outcome.details}\nIt fails, but not as it did: {printable(outcome.expected)}")
    else:
        print(f"It no longer fails: {printable(outcome.expected)}")
    return int(bool(outcome.found))


def repro(path: str) -> Outcome:
    """Run the reproducer in a file again; UsageError if the file is none."""
    text, source = read_text(path)
    words = {key: _line(text, key) for key in (FAILED, RUN)}
    if None in words.values():
        raise UsageError(
            f"{source} is not a reproducer: expected lines that begin with {FAILED!r} and {RUN!r}; "
            "to run passes on a module use penstock opt"
        )
    pipeline, fuel = _command(words[RUN] or "", source)
    expected = words[FAILED] or ""
    located = LocatedText(text, source)
    try:
        module = located.parse()
        verify(module)
        run_pipeline(module, pipeline, fuel=fuel)
    except PipelineError as error:
        raise UsageError(f"{source}: {error}") from error
    except IRError as error:
        found = error.diagnostics[0].message.splitlines()[0]
        details = "\n".join(map(str, located.point(error.diagnostics)))
        return Outcome(found == expected, expected, found, details)
    return Outcome(False, expected, "", "")


def _line(text: str, begin: str) -> str | None:
    lines = (line for line in text.splitlines() if line.startswith(begin))
    found = next(lines, None)
    return None if found is None else found.removeprefix(begin).strip()


def _command(command: str, source: str) -> tuple[str, int | None]:
    """Pipeline and fuel in the command of a reproducer."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--pipeline")
    parser.add_argument("--fuel", type=int)
    try:
        known, _ = parser.parse_known_args(shlex.split(command))
    except (ValueError, argparse.ArgumentError) as error:
        raise UsageError(
            f"{source} is not a reproducer: its command is {command!r}: {error}"
        ) from error
    if known.pipeline is None:
        raise UsageError(
            f"{source} is not a reproducer: its command {command!r} names no --pipeline"
        )
    return known.pipeline, known.fuel
