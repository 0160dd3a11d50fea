"""Hands what codegen makes to the runtime: a job's code, and the native helpers of the process."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

from penstock import config
from penstock.errors import located
from penstock.job_cache import user_store
from penstock.runtime import Executable, helpers

if TYPE_CHECKING:
    from penstock.codegen.program import Program


def executable(program: Program) -> Executable:
    """A program loaded into this process, with threads to run on.

    Raises a located ValueError where the environment gives no sensible number of threads, and for
    code of a level of processor that this machine has not.
    """
    try:
        _install_helpers()
        config.apply_threads()
        address, code = program.load()
    except ValueError as error:
        raise located(ValueError, str(error)) from None
    return Executable(address, program.description, code)


def prepare() -> None:
    """Begin to load what `executable` needs, beside the thread that goes on.

    LLVM compiles it while the first job is lowered. What goes wrong there goes wrong again, and is
    told, when it is needed.
    """
    if not helpers.is_installed() and len(os.sched_getaffinity(0)) > 1:
        threading.Thread(target=_try_helpers, name="penstock helpers").start()


def _try_helpers() -> None:
    with contextlib.suppress(Exception):
        _install_helpers()


def _install_helpers() -> None:
    """Once per process; what is loaded stays until it ends."""
    helpers.install_once(_load_helpers)


def _load_helpers() -> dict[str, int]:
    from penstock.codegen.helpers import load_helpers

    return load_helpers(user_store())
