"""Whole jobs in the cache of compiled code, keyed by the text of the stage they enter at.

An entry holds what running the job needs: its description and its objects. Stages in between are
made on demand.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.lowering.device_program import DeviceProgram, MixedProgram
from penstock.lowering.modules import Modules, llvm_text, texts_of, usual_pipelines
from penstock.lowering.user_cache import compiler_digest, has_changed, user_store
from penstock.runtime.native import processor
from penstock.stages.job_stages import Compiled

if TYPE_CHECKING:
    from penstock.codegen.cache import Store
    from penstock.codegen.jobs.program import Program


def compile_stages(
    job: str,
    modules: Modules,
    when_missing: Callable[[], Callable[[], object]] = lambda: lambda: None,
) -> Compiled:
    """A job as machine code, from the cache if possible. If it has several ranks and no plan yet,
    it gets one, and all ranks that are made of its modules have the same.

    If the cache lacks it, `when_missing` is called, and the function that it returns while the job
    is being compiled. Raises a located ValueError if a pass or the code generator fails.
    """
    if modules.parts and not modules.device:
        part = compile_stages(job, modules.on_gpu(), when_missing).program
        host = _host(modules, when_missing)
        assert isinstance(part, DeviceProgram)
        return Compiled(job, modules, MixedProgram(host, part, modules.order()))
    store = user_store()
    if modules.ranks > 1 and not modules.plan and modules.first != "placed":
        modules = modules.with_plan(plan_of(modules), modules)
    if modules.device:
        if store is not None and has_changed():
            store = None
        return Compiled(job, modules, modules.gpu_program(store=store, meanwhile=when_missing()))
    return Compiled(job, modules, _host(modules, when_missing))


def _host(modules: Modules, when_missing: Callable[[], Callable[[], object]]) -> Program:
    """The code for the CPU, from the cache if possible."""
    store = user_store()
    key = _key(modules) if store is not None else ""
    found = _found(store, key, lambda: modules)
    return _compiled(store, key, modules, when_missing) if found is None else found


def compile_described(
    what: Sequence[str],
    make: Callable[[], Modules],
    when_missing: Callable[[], Callable[[], object]],
) -> Program:
    """As `compile_stages`, of a job that these texts say all about, so that it is made only if the
    cache lacks it."""
    store = user_store()
    key = _key_of("described", *usual_pipelines(), *what) if store is not None else ""
    found = _found(store, key, make)
    return _compiled(store, key, make(), when_missing) if found is None else found


def plan_of(modules: Modules) -> str:
    """The text of stage `placed` of a job of several ranks, from the cache if possible: a solver
    may choose another one of equally good plans the next time, and ranks are compiled one by one.

    Raises a located ValueError if a pass fails.
    """
    store, module = user_store(), modules[modules.first]
    key = ""
    if store is not None and _is_ours(module):
        pipelines = [f"{stage}: {modules.pipelines[stage]}" for stage in _before_plan(modules)]
        key = _key_of("plan", *pipelines, print_module(module))
        entry = store.get(key)
        if entry is not None:
            return entry.decode()
    plan = print_module(modules["placed"])
    if store is not None and key and not has_changed():
        store.put(key, plan.encode())
    return plan


def _before_plan(modules: Modules) -> list[str]:
    """The stages after the first one that lead to stage `placed`."""
    stages = list(modules)
    return stages[1 : stages.index("placed") + 1]


def _found(store: Store | None, key: str, make: Callable[[], Modules]) -> Program | None:
    from penstock.codegen.jobs.program import Program

    entry = store.get(key) if store is not None and key else None
    return None if entry is None else Program.unpacked(entry, lambda: llvm_text(make()["loops"]))


def _compiled(
    store: Store | None,
    key: str,
    modules: Modules,
    when_missing: Callable[[], Callable[[], object]],
) -> Program:
    meanwhile = when_missing()
    if store is not None and has_changed():
        store = None
    program = modules.program(store, meanwhile)
    if store is not None and key:
        store.put(key, program.packed())
    return program


def _key(modules: Modules) -> str:
    """The key of everything that the job's code depends on; empty if that is unknown."""
    module = modules[modules.first]
    if not _is_ours(module):
        return ""
    return _key_of(*texts_of(modules.pipelines), print_module(module), modules.plan)


def _key_of(*texts: str) -> str:
    """The key of these texts, for this compiler and machine."""
    from penstock.codegen.cache import key_of
    from penstock.codegen.host import identity

    # NumPy folds constants; ml_dtypes those of bf16.
    makers = (platform.python_version(), np.__version__, ml_dtypes.__version__)
    # A module at stage `loops` that names no level is compiled for this machine's.
    level = identity(processor.best() or None)
    return key_of("job", compiler_digest(), *makers, level, *texts)


def _is_ours(module: Module) -> bool:
    """Whether this package defines every op; ops of other packages may change unnoticed."""
    return all(type(op).__module__.startswith("penstock.") for op in module.walk())
