"""The command `penstock`: one module of `penstock.tools` per subcommand, imported on use.

Exit codes: 0 done, 1 the input is wrong, 2 the command line is wrong, 130 interrupted. Set
PENSTOCK_DEBUG=1 to see the traceback of an error inside penstock.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.tools.shared.errors import (
    InputError,
    UsageError,
    UserTraceback,
    hint,
    in_shell,
    near,
)

if TYPE_CHECKING:
    from penstock.tools.shared.program import Program

COMMANDS = {
    "compile": ("penstock.tools.compile", "compile jobs into one file that needs no compiler"),
    "show": ("penstock.tools.show", "print what is in such a file; nothing of it is executed"),
    "run": ("penstock.tools.run", "run a job of such a file on arrays in .npy files"),
    "profile": ("penstock.tools.profile", "show where the time of a job goes"),
    "opt": ("penstock.tools.opt", "run passes on a module of IR and print it"),
    "dump": ("penstock.tools.dump", "print a stage of a job that a Python file defines"),
    "explore": ("penstock.tools.explore", "show a job at every stage on one page"),
    "diff": ("penstock.tools.diff", "show how two modules of IR differ"),
    "repro": ("penstock.tools.failures.repro", "run the reproducer of a failed pass again"),
    "reduce": ("penstock.tools.failures.reduce", "shrink a module that makes something fail"),
    "bisect": ("penstock.tools.failures.bisect", "find the pass and rewrite that break a job"),
    "fuzz": ("penstock.tools.fuzz.command", "try random jobs of all ops, compiled in several ways"),
    "tune": ("penstock.tools.tune", "measure which tiles a job's contractions run fastest with"),
    "ops": ("penstock.tools.ops", "print the reference of ops, made from their classes"),
    "help": ("penstock.tools.help", "print the help of a command, or a man page of all"),
    "completion": ("penstock.tools.completion", "print what makes bash, zsh or fish complete"),
}
"""Subcommand -> module with `add_arguments(parser)` and `run(arguments) -> int`, and a summary."""
OUTPUTS = {"output": "", "out": "", "save_variables": "load_variables", "save": "artifact"}
"""Options that name an output file -> the input option whose file it may replace, to continue."""

_A_FILE = re.compile(r"file|FILE|PATH|DIR|[AB]\.mlir")
"""Matches metavars in the help that stand for a file name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default the process's own; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        return _report(UsageError("standard output is closed: redirect it, or write to /dev/null"))
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has closed the pipe.
        _drop_output()
        return 0
    except KeyboardInterrupt:
        print("penstock: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("PENSTOCK_DEBUG") == "1":
            raise
        code = _report(error)
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return code


def _drop_output() -> None:
    """Redirect output, so that flushing the buffer doesn't fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else "--help"
    if name in COMMANDS:
        module = import_module(COMMANDS[name][0])
        parser = parser_of(name)
        split = getattr(module, "split", None)
        mine, others = split(words[1:]) if split else (words[1:], [])
        try:
            parsed, left = parser.parse_known_args(mine)
            if left:
                parser.error(f"unrecognized arguments: {' '.join(left)}{_advice(parser, left)}")
        except SystemExit as leaving:
            return leaving.code if isinstance(leaving.code, int) else 2
        _check_named(parser, parsed)
        _keep_inputs(parsed)
        parsed.words, parsed.program = others, program
        parsed.command_line = ["-m", __spec__.name, name, *mine]
        with _training(parsed.run_script):
            if parsed.imports:
                from penstock.tools.shared.userfile import import_file

                for file in parsed.imports:
                    import_file(Path(file))
            code: int = module.run(parsed)
            return code
    if name in ("-h", "--help"):
        print(overview())
        return 0
    if name == "--version":
        print(f"penstock {version()}")
        return 0
    raise UsageError(f"there is no command {name!r}: {hint(name, COMMANDS)}")


@contextmanager
def _training(allowed: bool) -> Iterator[None]:
    """Within it, files that are imported may train, if allowed."""
    if not allowed:
        yield
        return
    from penstock.process import imported_script

    imported_script.may_train = True
    try:
        yield
    finally:
        imported_script.may_train = False


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of a command's words."""
    module = import_module(COMMANDS[name][0])
    parser = argparse.ArgumentParser(
        prog=f"penstock {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    add = parser.add_argument
    add("--import", action="append", default=[], dest="imports", metavar="FILE.py",
        help="a file that defines ops or passes, to be imported first")  # fmt: skip
    add("--run-script", action="store_true",
        help="let a file that is imported train; otherwise that is an error")  # fmt: skip
    return parser


def program() -> Program:
    """All commands."""
    from penstock.tools.shared.program import Program

    summaries = {name: summary for name, (_, summary) in COMMANDS.items()}
    return Program(version(), overview(), summaries, parser_of)


def version() -> str:
    """The version of the installed distribution."""
    from importlib import metadata

    return metadata.version("penstock")


def _advice(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> str:
    """`; did you mean --stage?` for the first unknown option, if a known one is close."""
    known = [option for action in parser._actions for option in action.option_strings]
    mistyped = next((word for word in unknown if word.startswith("-")), "").partition("=")[0]
    return f"; {near(mistyped, known)}" if near(mistyped, known) else ""


def _check_named(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Refuse an empty file name, which the system would take for the current folder."""
    for action in parser._actions:
        value = getattr(arguments, action.dest, None)
        paths = value if isinstance(value, list) else [value]
        if "" in paths and _A_FILE.match(str(action.metavar or action.dest)):
            raise UsageError(f"{'/'.join(action.option_strings) or action.dest}: names no file")


def _keep_inputs(arguments: argparse.Namespace) -> None:
    """Refuse to overwrite a file that is read: a slip must not destroy somebody's work."""
    files = {name: _files(value) for name, value in vars(arguments).items()}
    for output, state in OUTPUTS.items():
        for name, read in files.items():
            for path, identity in files.get(output, {}).items():
                if name not in OUTPUTS and name != state and identity in read.values():
                    raise UsageError(f"{path} is read, and would be lost: write another file")


def _files(value: object) -> dict[str, tuple[int, int]]:
    """The existing files that an option's words name (`x=a.npy`, `train.py:job`), by path."""
    found = {}
    for word in value if isinstance(value, list) else [value]:
        if isinstance(word, str):
            for path in (word, word.partition("=")[2], word.rpartition(":")[0]):
                if os.path.isfile(path):
                    state = os.stat(path)
                    found[path] = state.st_dev, state.st_ino
    return found


def overview() -> str:
    """What `penstock --help` prints."""
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:{width}}  {summary}" for name, (_, summary) in COMMANDS.items())
    return (
        "usage: penstock <command> ...\n\n"
        "Compile jobs ahead of time, and look at every stage between.\n\n"
        f"commands:\n{rows}\n\n"
        "penstock help <command> tells more; penstock --version prints the version."
    )


def _report(error: Exception) -> int:
    """Show an error without a traceback; returns its exit code."""
    from penstock.ir.diagnostics import IRError
    from penstock.runtime.artifacts.artifact_error import ArtifactError
    from penstock.runtime.printable import printable

    if isinstance(error, UsageError):
        print(printable(f"penstock: {error}"), file=sys.stderr)
        return 2
    if isinstance(error, IRError):
        print(error, file=sys.stderr)  # several lines, each of which is printable
    elif isinstance(error, UserTraceback):
        print("\n".join(map(printable, str(error).split("\n"))), file=sys.stderr)
    elif isinstance(error, InputError | ArtifactError):
        print(printable(in_shell(str(error))), file=sys.stderr)
    elif isinstance(error, OSError):
        print(
            printable(
                f"penstock: {error.filename or 'input or output'}: {error.strerror or error}"
            ),
            file=sys.stderr,
        )
    else:
        print(
            printable(f"penstock: failed with {type(error).__name__}: {error}; ")
            + "PENSTOCK_DEBUG=1 shows where",
            file=sys.stderr,
        )
    return 1


if __name__ == "__main__":
    sys.exit(main())
