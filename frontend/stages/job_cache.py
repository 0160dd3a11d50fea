"""Whole jobs in the cache of compiled code: found by their text at the stage they enter at.

What is kept of a job is what it takes to run it, its description and its objects. The stages
between are made when someone asks to see them.
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
    """A job as machine code, from the cache where that has it.

    Elsewhere `when_missing` is called, and what it gives back while the job is being compiled.
    Raises a located ValueError where a pass or the code generator cannot go on.
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
    """What stands for all that the code of a job depends on; empty where that cannot be told."""
    from penstock.codegen.cache import key_of
    from penstock.codegen.host import identity

    module = modules[modules.first]
    if not _is_ours(module):
        return ""
    pipelines = [f"{stage}: {pipeline}" for stage, pipeline in modules.pipelines.items()]
    # Constants are folded by NumPy, and by ml_dtypes in bf16.
    makers = (platform.python_version(), np.__version__, ml_dtypes.__version__)
    # A module at stage `loops` that names no level is compiled for the machine's.
    level = identity(processor.best() or None)
    return key_of("job", compiler_digest(), *makers, level, *pipelines, print_module(module))


def _is_ours(module: Module) -> bool:
    """Whether the sources of this package tell what every op means; others' ops may change."""
    return all(type(op).__module__.startswith("penstock.") for op in module.walk())
