"""Run passes on a module of IR and print the result.

Examples:

    penstock opt step.mlir --pipeline 'canonicalize,cse'
    penstock dump train.py:train_job --stage fused | penstock opt - --pipeline 'cse' --timing
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING
from typing import get_origin

from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.record import Record, fields
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.base import Pass, PipelineError, option_text, option_types
from penstock.passes.manager import PassManager
from penstock.passes.pipeline import known_passes, load_pass, parse_pipeline
from penstock.passes.report import Report
from penstock.runtime.printable import printable
from penstock.tools.shared import expected
from penstock.tools.shared.errors import UsageError
from penstock.tools.shared.numbers import whole
from penstock.tools.shared.texts import LocatedText, read_text, write_text

_SPLIT = re.compile(r"^// -----[^\n]*\n?", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", default="-", help="the module; - or none: standard input")
    add("-p", "--pipeline", default="", metavar="PASSES", help="e.g. 'canonicalize,cse'")
    add("-o", "--output", default="-", metavar="FILE", help="where to write (standard output)")
    add("--list-passes", action="store_true", help="list the passes and exit")
    printing = parser.add_argument_group("printing")
    add = printing.add_argument
    add("--generic", action="store_true", help="no custom forms")
    add("--no-locations", action="store_true", help="omit loc(...)")
    checking = parser.add_argument_group("checking")
    add = checking.add_argument
    add(
        "--verify-each",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="verify the module after each pass, not only after the last",
    )
    add("--allow-unregistered", action="store_true", help="accept unregistered operations")
    add(
        "--split-input-file",
        action="store_true",
        help="process the parts between // ----- separately",
    )
    add(
        "--verify-diagnostics",
        action="store_true",
        help="print nothing; fail where errors differ from // expected-error@+1 {{text}}",
    )
    watching = parser.add_argument_group("watching")
    add = watching.add_argument
    add("--print-ir-after-all", action="store_true", help="print after each pass that changed it")
    add(
        "--dump-dir",
        metavar="DIR",
        help="write the module after each such pass into numbered files of a folder",
    )
    add("--timing", action="store_true", help="print how long passes and patterns took")
    add("--statistics", action="store_true", help="print how much passes and patterns changed")
    add(
        "--fuse-report",
        action="store_true",
        help="print for each op that reads another's result whether they were fused, or why not",
    )
    add("--fuel", type=whole, metavar="N", help="stop after N rewrites")


class _Part(Record, frozen=False):
    """A piece of the input between `// -----`, padded with blank lines to keep line numbers."""

    located: LocatedText
    out: str = ""
    found: tuple[Diagnostic, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    if arguments.list_passes:
        print(pass_list(), end="")
        return 0
    try:
        passes = parse_pipeline(arguments.pipeline)
    except PipelineError as error:
        raise UsageError(str(error)) from error
    if arguments.fuse_report and not any(step.fuses for step in passes):
        names = " or ".join(name for name in known_passes() if load_pass(name).fuses)
        raise UsageError(
            f"--fuse-report: the pipeline has no fusion pass; add {names} to --pipeline"
        )
    parts = list(_parts(arguments))
    for part in parts:
        _process(part, passes, arguments)
    if arguments.verify_diagnostics:
        sentences = [
            sentence
            for part in parts
            for sentence in expected.unmet(part.located.text, part.located.source, part.found)
        ]
        print(*sentences, sep="\n", end="\n" if sentences else "", file=sys.stderr)
        return int(bool(sentences))
    for part in parts:
        print(*part.found, sep="\n", end="\n" if part.found else "", file=sys.stderr)
    failed = any(d.severity == "error" for part in parts for d in part.found)
    if not failed or len(parts) > 1:
        write_text(arguments.output, "// -----\n".join(part.out for part in parts))
    return int(failed)


def _parts(arguments: argparse.Namespace) -> Iterator[_Part]:
    text, source = read_text(arguments.file)
    position = 0
    ends = [m.span() for m in _SPLIT.finditer(text)] if arguments.split_input_file else []
    for end, following in [*ends, (len(text), len(text))]:
        lines_before = "\n" * text.count("\n", 0, position)
        own = lines_before + text[position:end]
        yield _Part(LocatedText(own, source, arguments.allow_unregistered))
        position = following


def _process(part: _Part, passes: list[Pass], arguments: argparse.Namespace) -> None:
    """Parse, verify, run and print one part."""
    try:
        module = part.located.parse()
        verify(module)
        report = _manager(passes, arguments).run(module)
    except IRError as error:
        part.found = tuple(part.located.point(error.diagnostics))
        return
    part.located.unlocate(module)
    part.out = print_module(module, arguments.generic, not arguments.no_locations)
    _tell(report, arguments)


def _manager(passes: list[Pass], arguments: argparse.Namespace) -> PassManager:
    return PassManager(
        passes,
        verify_each=arguments.verify_each,
        timing=arguments.timing,
        remarks=arguments.fuse_report,
        fuel=arguments.fuel,
        print_ir_after_all=arguments.print_ir_after_all,
        dump_dir=arguments.dump_dir,
    )


def _tell(report: Report, arguments: argparse.Namespace) -> None:
    if arguments.timing:
        sys.stderr.write(report.timing())
    if arguments.statistics:
        sys.stderr.write(report.statistics())
    if arguments.fuse_report:
        sys.stderr.write("\n".join(map(printable, report.fusion().split("\n"))))
    if report.stopped:
        sys.stderr.write(f"{report.stopped}\n")


def pass_list() -> str:
    """Every pass: the first line of its documentation, its options, and the order it needs."""
    lines = []
    for name in known_passes():
        cls = load_pass(name)
        lines.append(f"{name}\n    {(inspect.getdoc(cls) or '').splitlines()[0]}")
        kinds = option_types(cls)
        for option, default in fields(cls).items():
            kind = kinds[option]
            shown = str(kind) if get_origin(kind) else getattr(kind, "__name__", str(kind))
            needed = default is MISSING
            wanted = "needed" if needed else f"= {option_text(default)}"
            lines.append(f"    {option}: {shown} {wanted}")
        for side, others in (("before", cls.before), ("after", cls.after)):
            lines += [f"    {side} {other}, since {why}" for other, why in others.items() if why]
    return "\n".join(lines) + "\n"
