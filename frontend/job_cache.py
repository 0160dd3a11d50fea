"""Whole jobs in the cache of compiled code: found by their text at the stage they enter at.

What is kept of a job is what it takes to run it, its description and its objects. The stages
between are made when someone asks to see them.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from penstock.errors import located
from penstock.ir import LOADED_AT
from penstock.ir.dialects.builtin import Module
from penstock.ir.text.printer import print_module
from penstock.notices import tell_once
from penstock.runtime.native import processor
from penstock.stages import Compiled, Modules, llvm_text

if TYPE_CHECKING:
    from penstock.codegen.cache import Store

_COMPILER = ("penstock.ir", "penstock.passes", "penstock.codegen")
"""What makes code of the text of a job; the frontend, which makes that text, is no part."""


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
    if store is not None and _has_changed():
        store = None
    program = modules.program(store, meanwhile)
    if store is not None and key:
        store.put(key, program.packed())
    return Compiled(job, modules, program)


def user_store() -> Store | None:
    """The user's cache of compiled code; None where it is off.

    `PENSTOCK_CACHE_DIR` names its folder, and `PENSTOCK_CACHE=off` does without. Raises a located
    ValueError where that is neither off nor on.
    """
    folder = cache_folder()
    return None if folder is None else _store(folder)


def cache_folder() -> Path | None:
    """Where the user's cache is; None and errors as of `user_store`."""
    from penstock.codegen.cache import user_folder

    try:
        return user_folder(os.environ)
    except ValueError as error:
        raise located(ValueError, str(error)) from None


@cache
def _store(folder: Path) -> Store | None:
    from penstock.codegen.cache import Store

    try:
        _compiler()
    except FileNotFoundError:
        # Without its sources, one version of the compiler is not told from another.
        return None
    # Looked at after the digest, so that this is of the sources that were loaded.
    if _has_changed():
        return None
    return Store(folder, lambda text: tell_once(f"cache {folder}", text))


def _has_changed() -> bool:
    """Whether the compiler's sources are no longer those that this process loaded; told once.

    What it makes is neither what the old version makes nor what the new one does.
    """
    from penstock.codegen.cache import sources_changed

    changed = sources_changed(_sources(), LOADED_AT)
    if changed:
        tell_once(
            "sources",
            "the sources of penstock changed after this program loaded it, so what it compiles "
            "from here on is not kept; start it anew",
        )
    return changed


@cache
def _sources() -> list[str]:
    from penstock.codegen.cache import source_paths

    return source_paths(_COMPILER)


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
    return key_of("job", _compiler(), *makers, level, *pipelines, print_module(module))


def _is_ours(module: Module) -> bool:
    """Whether the sources of this package tell what every op means; others' ops may change."""
    return all(type(op).__module__.startswith("penstock.") for op in module.walk())


@cache
def _compiler() -> str:
    from penstock.codegen.cache import source_digest
    from penstock.codegen.host import version

    return source_digest(["penstock.ir", "penstock.passes"]) + version()
