"""Hands what codegen makes to the runtime: a job's code, and the native helpers of the process."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from penstock import config
from penstock.errors import located
from penstock.job_cache import user_store
from penstock.runtime import Executable, threads
from penstock.runtime.native_call import Natives, install

if TYPE_CHECKING:
    from penstock.codegen.program import Program


def unattached(*_: object) -> Any:
    """The native call of a job that has none: it leaves everything to the slow path."""
    return NotImplemented


def serve(job: object, kind: type, call: Callable[..., Any] | None) -> None:
    """Have calls of a job go to a function, without Python code in between.

    Python looks for `__call__` in the class, so the job gets a class of its own, below `kind`; with
    None it is of `kind` itself again.
    """
    job.__class__ = kind
    if call is not None:
        members = {"__call__": staticmethod(call), "__module__": kind.__module__}
        job.__class__ = type(kind.__name__, (kind,), members)


def executable(program: Program) -> Executable:
    """A program loaded into this process, with threads to run on.

    Raises a located ValueError where the environment gives no sensible number of threads.
    """
    try:
        _install_helpers()
        config.apply_threads()
    except ValueError as error:
        raise located(ValueError, str(error)) from None
    address, code = program.load()
    return Executable(address, program.description, code)


def prepare() -> None:
    """Begin to load what `executable` needs, beside the thread that goes on.

    LLVM compiles it while the first job is lowered. What goes wrong there goes wrong again, and is
    told, when it is needed.
    """
    if not _Helpers.installed and len(os.sched_getaffinity(0)) > 1:
        threading.Thread(target=_try_helpers, name="penstock helpers").start()


def _try_helpers() -> None:
    with contextlib.suppress(Exception):
        _install_helpers()


class _Helpers:
    lock = threading.Lock()
    installed = False


def _install_helpers() -> None:
    """Once per process; what is loaded stays until it ends."""
    with _Helpers.lock:
        if not _Helpers.installed:
            _load_helpers()
            _Helpers.installed = True


def _load_helpers() -> None:
    from penstock.codegen.native_call import load_native_call
    from penstock.codegen.pool import load_pool

    pool = load_pool(user_store())
    native_call = load_native_call(user_store())
    threads.install(pool.pool, pool.parallel_for, pool.resize)
    if native_call is not None:
        install(Natives(**asdict(native_call)))
