"""`flow.compile`: a job from the text of any stage from `job` to `loops`.

The job needs neither its Python source nor a session. Its variables are initialised as the module
says, and belong to it alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from penstock.artifacts.sources import Source
from penstock.basics.errors import kind_of, located
from penstock.ir.attributes import IntegerAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import RANKS, SIGNATURE
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify
from penstock.jobs.live_variables import load_into
from penstock.jobs.watching import handler_of
from penstock.lowering.modules import Modules
from penstock.runtime import FileVariable, VariableStore
from penstock.runtime.execution.job import Job
from penstock.runtime.execution.points import Pattern
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled
from penstock.stages.ranks import own_rank, runnable

Array = np.ndarray[Any, np.dtype[Any]]


class LoadedJob(Job):
    """A compiled job with variables of its own: call it with arrays, one per feed."""

    def __init__(
        self, stages: Compiled, callouts: Mapping[str, Callable[..., Any]] | None = None
    ) -> None:
        self.stages = stages
        try:
            super().__init__(runnable(stages, callouts or {}), VariableStore())
        except (TypeError, ValueError) as error:
            raise located(type(error), str(error)) from None

    def __repr__(self) -> str:
        return f"<loaded {super().__repr__()[1:]}"

    def watch(
        self, pattern: Pattern, handler: Callable[[Any], object] | str | None = None
    ) -> Callable[[], None]:
        """Call the handler, as `flow.watch` does, at the watch points that match the pattern.

        A pattern is a name, a glob, a line such as `train.py:21`, or a list of these. The returned
        object ends the watching. Raises a located ValueError if nothing matches.
        """
        return super().watch(pattern, handler_of("watch", handler))

    def variables(self) -> dict[str, Array]:
        """Copies of its variables, by name."""
        return dict(self._store.items())

    def load_variables(self, values: Mapping[str, Array | FileVariable]) -> None:
        """Overwrite variables by name, all or (on an error) none.

        Raises a located RuntimeError for an unknown name, ValueError for another shape or dtype. If
        the values come from a checkpoint, the log lists the variables that got none.
        """
        load_into(self._store, values, "load_variables", ignore_unknown=False)

    def source(self) -> Source:
        """The source for compiling it ahead of time, with the current values of its variables."""
        return Source(self.name, lambda: self.stages.modules, self.variables)

    def _error(self, kind: type[Exception], text: str) -> Exception:
        return located(kind, text)


def compile(
    text_or_path: str | os.PathLike[str],
    *,
    callouts: Mapping[str, Callable[..., Any]] | None = None,
) -> LoadedJob:
    """A job from the text of a stage from `job` to `loops`, or from a file that holds one.

    `callouts` has the Python functions that it calls out to, by name.

    Raises `penstock.ir.diagnostics.IRError`, with the line of the text and a caret, for invalid
    text, and a located ValueError for a file that cannot be read.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return x * x
    >>> text = job.lower().as_text("loops")
    >>> flow.compile(text)(np.array([1, 2, 3], np.float32))
    array([1., 4., 9.], dtype=float32)
    """
    if isinstance(text_or_path, str) and "{" in text_or_path:
        text, source = text_or_path, "<text>"
    elif isinstance(text_or_path, str) and "\n" in text_or_path:
        raise located(
            ValueError,
            "flow.compile takes the text of a stage from job to loops, and this text holds no "
            "module; assembly cannot be compiled again",
        )
    elif isinstance(text_or_path, str | os.PathLike):
        source = os.fspath(text_or_path)
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise located(
                ValueError,
                f"flow.compile cannot read {source!r} ({error}); give the text of a module or the "
                "path of a file that holds one",
            ) from None
    else:
        raise located(
            TypeError,
            f"flow.compile takes the text of a module or a path, got {kind_of(text_or_path)}",
        )
    if "module" not in text and "define " in text:
        raise located(
            ValueError,
            "flow.compile takes the text of a stage from job to loops, and this is LLVM IR; give "
            "the text of an earlier stage",
        )
    module = parse_module(text, source)
    verify(module)
    tapped = any(op.name == "job.watchable" for op in module.walk())
    name = module.job.sym_name
    modules = own_rank(name, Modules(stage_of(module), module, tapped=tapped), None)
    return LoadedJob(compile_stages(name, modules), callouts)


def stage_of(module: Module) -> str:
    """The stage of a module, as far as the next pass needs to know.

    Stages `grad` and `placed` count as `job`: passes skip what is already done. That is not so for
    several ranks, whose conversions stand in stage `placed`.
    """
    ranks = module.attributes.get(RANKS)
    several = isinstance(ranks, IntegerAttr) and ranks.value > 1
    if several and any(SIGNATURE in op.attributes for op in module.job.body):
        return "placed"
    if "gpu.container_module" in module.attributes:
        return "gpu"
    arguments = range(len(module.job.arguments))
    if any("job.arena" in module.job.argument_attributes(i) for i in arguments):
        return "loops"
    # Kernels stay `flow` ops inside the groups of stage `fused`.
    ops = (op for op in module.job.walk() if op.name not in ("job.watch", "job.listening"))
    ours = any(isinstance(op, TensorOp) or op.name.startswith("job.") for op in ops)
    return "job" if ours else "fused"
