"""Print the help of a command, or all of it as a man page.

Examples:

    penstock help compile
    penstock help --man | man -l -
    penstock help --man > ~/.local/share/man/man1/penstock.1
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from penstock.tools.shared.errors import UsageError, hint
from penstock.tools.shared.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("command", nargs="?", metavar="COMMAND", help="the command; without one, all are listed")
    add("--man", action="store_true", help="print a man page of all commands")


def run(arguments: argparse.Namespace) -> int:
    command, program = arguments.command, arguments.program()
    if arguments.man:
        if command:
            raise UsageError("--man prints all commands: leave out the COMMAND")
        print(man_page(program))
    elif command:
        if command not in program.commands:
            raise UsageError(f"there is no command {command!r}: {hint(command, program.commands)}")
        print(program.parser_of(command).format_help(), end="")
    else:
        print(program.overview)
    return 0


def man_page(program: Program) -> str:
    """The help of all commands as a page for man (see man(7) for its macros)."""
    lines = [
        f'.TH PENSTOCK 1 "" "penstock {program.version}" "User Commands"',
        ".SH NAME",
        "penstock \\- compile jobs ahead of time, and look at every stage between",
        ".SH SYNOPSIS",
        ".B penstock",
        "\\fICOMMAND\\fR ...",
    ]
    for name, summary in program.commands.items():
        parser = program.parser_of(name)
        lines += [f'.SH "PENSTOCK {name.upper()}"', f"{_escaped(summary)}.", ".PP", ".nf"]
        lines += [_escaped(line) for line in parser.format_usage().splitlines()]
        lines += [".fi", ".PP", *_text(parser.description or "")]
        for action in parser._actions:
            lines += [".TP", f"\\fB{_escaped(_invocation(action))}\\fR"]
            lines += [_escaped(_help_of(action, parser))]
    return "\n".join(lines)


def _invocation(action: argparse.Action) -> str:
    words = ", ".join(action.option_strings)
    value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
    return f"{words} {value}".strip()


def _help_of(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return " ".join(parser._get_formatter()._expand_help(action).split()) if action.help else ""


def _text(description: str) -> Iterator[str]:
    """Paragraphs; those that are indented keep their lines."""
    for paragraph in description.strip().split("\n\n"):
        kept = paragraph.startswith("    ")
        yield from ([".nf"] if kept else [])
        yield from map(_escaped, paragraph.splitlines())
        yield from ([".fi", ".PP"] if kept else [".PP"])


def _escaped(line: str) -> str:
    """A line whose characters mean themselves to man."""
    text = line.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)
