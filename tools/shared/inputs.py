"""The inputs of commands that run passes: a job or a module, a pipeline, arrays."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from penstock.ir.dialects.builtin import Module
from penstock.meaning.results import name_of
from penstock.passes.base import Pass, PipelineError
from penstock.passes.pipeline import Pipeline, parse_pipeline
from penstock.tools.shared.errors import InputError, UsageError
from penstock.tools.shared.numbers import whole
from penstock.tools.shared.texts import LocatedText, read_text, stage_in

Array = np.ndarray[Any, Any]


def add_module_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("job", metavar="FILE.py[:JOB] | FILE.mlir", help="a job, or a module at a stage to loops")
    add("-p", "--pipeline", metavar="PASSES",
        help="e.g. 'canonicalize,cse'; by default all that lead to stage loops")  # fmt: skip


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--feed", action="append", default=[], metavar="NAME=FILE.npy",
        help="an array for a feed or a variable; the others are drawn at random")  # fmt: skip
    add_seed_argument(parser)


def add_seed_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=whole,
        default=0,
        metavar="N",
        help="the seed of the random inputs (%(default)s)",
    )


def module_and_passes(arguments: argparse.Namespace) -> tuple[Module, list[Pass]]:
    """The verified module that the command line names, and the passes to run on it.

    Raises InputError or `IRError` for a file that is wrong, UsageError for wrong arguments.
    """
    module, rest = _module(arguments.job)
    try:
        return module, rest if arguments.pipeline is None else parse_pipeline(arguments.pipeline)
    except PipelineError as error:
        raise UsageError(str(error)) from error


def _module(target: str) -> tuple[Module, list[Pass]]:
    """The module, and the passes that lead from its stage to `loops`."""
    from penstock.lowering.modules import CODE, pipeline_of, stages_of
    from penstock.tools.shared.userfile import find_job, import_file, split_job, user_errors

    if target == "-" or target.endswith(".mlir"):
        module = read_module(target)
        stage = stage_in(module, target)
    else:
        file, name = split_job(target)
        path = Path(file)
        job = find_job(import_file(path), path, name)
        with user_errors(path):
            module, stage = job.trace().modules["job"], "job"
    every = stages_of(module)
    steps = [one for one in every[every.index(stage) + 1 :] if one not in CODE]
    return module, sum(map(pipeline_of, steps), Pipeline()).passes()


def read_module(path: str) -> Module:
    """The verified module of a file, `-` for standard input.

    Raises InputError if the file is not text, and `IRError` that points into it if it is no module.
    """
    located = LocatedText(*read_text(path))
    module = located.verified()
    located.unlocate(module)
    return module


def arrays_given(words: Sequence[str], module: Module) -> dict[str, Array]:
    """The arrays of `NAME=FILE.npy`, each under the name that `meaning` has for NAME.

    Raises UsageError for arguments of another form and for names that the job lacks, InputError if
    a file holds no array.
    """
    names = [name_of(module.job.argument_attributes(i), f"argument {i}")
             for i in range(len(module.job.arguments))]  # fmt: skip
    known = {name.partition(" ")[2]: name for name in names}
    arrays = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not path:
            raise UsageError(f"--feed takes NAME=FILE.npy, got {word!r}")
        if name not in known:
            raise UsageError(f"--feed: the job has no {name!r}; it takes {', '.join(known)}")
        arrays[known[name]] = read_array(path)
    return arrays


def read_array(path: str) -> Array:
    """The array in a .npy file; InputError if it holds none."""
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, BadZipFile) as error:
        raise InputError(f"{path}: is not an array saved by NumPy: {error}") from error
    if not isinstance(array, np.ndarray):
        raise InputError(f"{path}: holds several arrays: save the one you mean with numpy.save")
    return array
