"""Whole jobs in the cache of compiled code: found by their text at the stage they enter at.

What is kept of a job is what it takes to run it, its description and its objects. The stages
between are made when someone asks to see them.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.ir.dialects.builtin import Module
from penstock.ir.printer import print_module
from penstock.notices import tell_once
from penstock.stages import Compiled, Modules, generate, llvm_text

if TYPE_CHECKING:
    from penstock.codegen.cache import Store
    from penstock.codegen.program import Program


def compile_stages(
    job: str, modules: Modules, when_missing: Callable[[], object] = lambda: None
) -> Compiled:
    """A job as machine code, from the cache where that has it; `when_missing` is called elsewhere.

    Raises a located ValueError where a pass or the code generator cannot go on.
    """
    store = user_store()
    key = _key(modules) if store is not None else ""
    found = store.get(key) if store is not None and key else None
    if found is not None:
        return Compiled(job, modules, _unpacked(found, modules))
    when_missing()
    program = generate(modules["loops"], store)
    if store is not None and key:
        store.put(key, _packed(program))
    return Compiled(job, modules, program)


def user_store() -> Store | None:
    """The user's cache of compiled code; None where it is off.

    `PENSTOCK_CACHE_DIR` names its folder, and `PENSTOCK_CACHE=off` does without.
    """
    from penstock.codegen.cache import user_folder

    folder = user_folder(os.environ)
    return None if folder is None else _store(folder)


@cache
def _store(folder: Path) -> Store | None:
    from penstock.codegen.cache import Store

    try:
        _compiler()
    except FileNotFoundError:
        # Without its sources, one version of the compiler is not told from another.
        return None
    return Store(folder, lambda text: tell_once(f"cache {folder}", text))


def _key(modules: Modules) -> str:
    """What stands for all that the code of a job depends on; empty where that cannot be told."""
    from penstock.codegen.cache import key_of
    from penstock.codegen.host import identity

    module = modules[modules.first]
    if not _is_ours(module):
        return ""
    pipelines = [f"{stage}: {pipeline}" for stage, pipeline in modules.pipelines.items()]
    versions = (_compiler(), platform.python_version(), np.__version__, identity(None))
    return key_of("job", *versions, *pipelines, print_module(module))


def _is_ours(module: Module) -> bool:
    """Whether the sources of this package tell what every op means; others' ops may change."""
    return all(type(op).__module__.startswith("penstock.") for op in module.walk())


@cache
def _compiler() -> str:
    """What makes code of the text of a job; the frontend, which makes that text, is no part."""
    from penstock.codegen.cache import source_digest
    from penstock.codegen.host import version

    return source_digest(["penstock.ir", "penstock.passes"]) + version()


def _packed(program: Program) -> bytes:
    """One line of JSON, then the objects one after the other."""
    head = {
        "description": program.description,
        "cpu": program.cpu,
        "sizes": [len(code) for code in program.objects],
    }
    return b"".join([json.dumps(head).encode(), b"\n", *program.objects])


def _unpacked(entry: bytes, modules: Modules) -> Program:
    from penstock.codegen.program import Program

    line, _, rest = entry.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    objects, start = [], 0
    for size in head["sizes"]:
        objects.append(rest[start : start + size])
        start += size
    return Program(
        head["description"], tuple(objects), head["cpu"], lambda: llvm_text(modules["loops"])
    )
