"""Imports a user's file, and shows its errors as the user's own."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from penstock.ir.diagnostics import IRError
from penstock.process.imported_script import imported
from penstock.tools.shared.errors import InputError, UsageError, UserTraceback, hint

if TYPE_CHECKING:
    from penstock.graphs.graph import Graph
    from penstock.jobs.job import JobFunction

    Job = JobFunction[..., Any] | Graph


def import_file(path: Path) -> ModuleType:
    """The module that a file defines, under a name that is not `__main__`.

    Modules beside it can be imported, as when it is run as a script. Raises InputError with the
    user's own traceback.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    # Read it first, so that the system and not the import reports a file that cannot be read.
    path.open("rb").close()
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else "user_file"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    own_arguments, sys.argv = sys.argv, [str(path)]
    try:
        with user_errors(path), imported(path):
            spec.loader.exec_module(module)
    finally:
        sys.argv = own_arguments
    return module


@contextmanager
def user_errors(path: Path) -> Iterator[None]:
    """Turn an exception of the user's code inside the `with` into an InputError that shows
    where."""
    try:
        yield
    except SystemExit as error:
        raise InputError(
            f"{path}: ended the process while it was imported; guard the code to run with "
            'if __name__ == "__main__":'
        ) from error
    except (IRError, InputError, UsageError):
        raise
    except Exception as error:
        if os.environ.get("PENSTOCK_DEBUG") == "1":
            raise
        shown = users_traceback(error)
        at_a_place = shown.startswith(("Traceback", "  File")) or str(path) in shown
        raise UserTraceback(shown if at_a_place else f"{path}: {shown}") from error


def users_traceback(error: Exception) -> str:
    """The traceback without the frames of this package and of the import machinery."""
    shown = traceback.TracebackException.from_exception(error)
    frames = zip(traceback.walk_tb(error.__traceback__), shown.stack, strict=False)
    users = [summary for (frame, _), summary in frames if _is_users(frame)]
    shown.stack = traceback.StackSummary.from_list(users)
    if not users and isinstance(error, TypeError | ValueError | RuntimeError):
        return str(error)  # our own errors need no traceback
    lines = shown.format(chain=False) if users else shown.format_exception_only()
    return "".join(lines).rstrip()


def _is_users(frame: FrameType) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] not in ("penstock", "importlib", "functools", "contextlib")


def split_job(target: str) -> tuple[str, str]:
    """File and job of `train.py:train_job`; the job may be left out with its colon.

    >>> split_job("train.py:train_job")
    ('train.py', 'train_job')
    """
    file, names = split_jobs(target)
    if len(names) > 1:
        raise UsageError(f"{target} names {len(names)} jobs: name one")
    return file, "".join(names)


def split_jobs(target: str) -> tuple[str, list[str]]:
    """File and jobs of `train.py:train_job,predict_job`; no jobs without a colon.

    >>> split_jobs("train.py:train_job,predict_job")
    ('train.py', ['train_job', 'predict_job'])
    """
    if target.endswith(":"):
        raise UsageError(
            f"the name of the job is missing after the colon of {target}; write "
            f"{target}JOB, or {target[:-1]} where the file defines one job"
        )
    match = re.fullmatch(r"(.*):(\w+(?:,\w+)*)", target)
    if match and not match[1]:
        raise UsageError(f"the file is missing before the colon of {target}")
    return (match[1], match[2].split(",")) if match else (target, [])


def find_job(module: ModuleType, path: Path, name: str) -> Job:
    """The job of that name in a user's module; without a name, the only one."""
    jobs = find_jobs(module, path, [name] if name else [])
    if len(jobs) > 1:
        names = ", :".join(_jobs(module))
        raise UsageError(f"{path} defines several jobs: add one of :{names}")
    return jobs[0]


def find_jobs(module: ModuleType, path: Path, names: Sequence[str]) -> list[Job]:
    """The jobs of these names in a user's module, in order; without names, all of them."""
    jobs = _jobs(module)
    if not jobs:
        raise InputError(f"{path}: defines no job; decorate one with @flow.global_function()")
    for name in names:
        if name not in jobs:
            advice = hint(name, jobs, "it defines")
            raise InputError(f"{path}: there is no job {name!r}: {advice}")
    return [jobs[name] for name in dict.fromkeys(names)] or list(jobs.values())


def _jobs(module: ModuleType) -> dict[str, Job]:
    """Job functions by their names, and graphs by the names of their variables."""
    from penstock.jobs.job import JobFunction

    # A file that makes graphs has loaded this.
    graphs: Any = sys.modules.get("penstock.graphs.graph")
    found: dict[str, Job] = {}
    for word, value in vars(module).items():
        if isinstance(value, JobFunction):
            found[value.name] = value
        elif graphs is not None and isinstance(value, graphs.Graph):
            found[word] = value
    return found
