"""Show how two modules of IR differ, giving equal values equal numbers.

Locations are ignored unless they are asked for, and so is the order of functions. Exit code 0 says
that the modules are equal, 1 that they are not.

Examples:

    penstock diff dumps/04-canonicalize.mlir dumps/05-cse.mlir
    penstock dump train.py:train_job --stage grad | penstock diff before.mlir -
"""

from __future__ import annotations

import argparse
import json
import os
import sys

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.ir.text_diff import text_diff
from penstock.tools.shared.errors import UsageError
from penstock.tools.shared.inputs import read_module

_COLORS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("before", metavar="A.mlir", help="a module; - is standard input")
    add("after", metavar="B.mlir", help="another one")
    add("--locations", action="store_true", help="compare loc(...), too")
    add("--generic", action="store_true", help="no custom forms")
    add("--json", action="store_true", help="print {equal, added, removed, diff} as JSON")


def run(arguments: argparse.Namespace) -> int:
    names = arguments.before, arguments.after
    if names == ("-", "-"):
        raise UsageError("A.mlir and B.mlir are both -: standard input is one module, name a file")
    first, second = map(read_module, names)
    found = diff(first, second, arguments.generic, arguments.locations, names)
    if arguments.json:
        print(json.dumps({"equal": not found, **_counts(found), "diff": found}, indent=2))
    elif found:
        print(_colored(found) if _shows_colors() else found)
    return int(bool(found))


def diff(
    before: Module,
    after: Module,
    generic: bool = False,
    locations: bool = False,
    names: tuple[str, str] = ("before", "after"),
) -> str:
    """A unified diff of two modules, "" if they are equal.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> one = parse_module("func.func @f(%x: index) -> index { return %x : index }")
    >>> diff(one, one)
    ''
    """
    first, second = (print_module(module, generic, locations) for module in (before, after))
    return text_diff(first, second, *names)


def _shows_colors() -> bool:
    """Whether standard output is a terminal with colours that the user wants: no-color.org."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwanted


def _counts(found: str) -> dict[str, int]:
    lines = found.splitlines()[2:]
    return {
        word: sum(line.startswith(sign) for line in lines)
        for word, sign in (("added", "+"), ("removed", "-"))
    }


def _colored(found: str) -> str:
    return "\n".join(
        f"{_COLORS[line[0]]}{line}\x1b[0m" if line[:1] in _COLORS else line
        for line in found.splitlines()
    )
