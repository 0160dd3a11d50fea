"""Whole jobs in the cache of compiled code, keyed by the text of the stage they enter at.

An entry holds what running the job needs: its description and its objects. Stages in between are
made on demand.
"""

from __future__ import annotations

import platform
from collections.abc import Callable

import ml_dtypes
import numpy as np

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules, llvm_text
from penstock.lowering.user_cache import compiler_digest, has_changed, user_store
from penstock.runtime.native import processor
from penstock.stages.job_stages import Compiled


def compile_stages(
    job: str,
    modules: Modules,
    when_missing: Callable[[], Callable[[], object]] = lambda: lambda: None,
) -> Compiled:
    """A job as machine code, from the cache if possible.

    If the cache lacks it, `when_missing` is called, and the function that it returns while the job
    is being compiled. Raises a located ValueError if a pass or the code generator fails.
    """
    from penstock.codegen.jobs.program import Program

    store = user_store()
    key = _key(modules) if store is not None else ""
    entry = store.get(key) if store is not None and key else None
    if entry is not None:
        found = Program.unpacked(entry, lambda: llvm_text(modules["loops"]))
        if found is not None:
            return Compiled(job, modules, found)
    meanwhile = when_missing()
    if store is not None and has_changed():
        store = None
    program = modules.program(store, meanwhile)
    if store is not None and key:
        store.put(key, program.packed())
    return Compiled(job, modules, program)


def _key(modules: Modules) -> str:
    """The key of everything that the job's code depends on; empty if that is unknown."""
    from penstock.codegen.cache import key_of
    from penstock.codegen.host import identity

    module = modules[modules.first]
    if not _is_ours(module):
        return ""
    pipelines = [f"{stage}: {pipeline}" for stage, pipeline in modules.pipelines.items()]
    # NumPy folds constants; ml_dtypes those of bf16.
    makers = (platform.python_version(), np.__version__, ml_dtypes.__version__)
    # A module at stage `loops` that names no level is compiled for this machine's.
    level = identity(processor.best() or None)
    return key_of("job", compiler_digest(), *makers, level, *pipelines, print_module(module))


def _is_ours(module: Module) -> bool:
    """Whether this package defines every op; ops of other packages may change unnoticed."""
    return all(type(op).__module__.startswith("penstock.") for op in module.walk())
