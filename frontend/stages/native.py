"""Passes what codegen makes to the runtime: a job's code, and the process's native helpers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from penstock import config
from penstock.basics.errors import located
from penstock.functions.callouts import Recording, chosen
from penstock.ir.diagnostics import IRError
from penstock.lowering.device_program import DeviceProgram, MixedProgram
from penstock.lowering.user_cache import user_store
from penstock.runtime import Executable
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.native import helpers, processor
from penstock.runtime.native.shared_code import SharedCode, load_shared
from penstock.stages.on_device import on_both, on_device
from penstock.trace.tracing import relocated

if TYPE_CHECKING:
    from penstock.codegen.jobs.program import Program
    from penstock.runtime.description import Description


def executable(
    program: Program,
    callouts: Mapping[str, Callable[..., Any] | Recording] | None = None,
    recycles: bool = False,
) -> Executable:
    """A program loaded into this process, with threads to run on; errors as of `load`.

    `callouts` has the functions of its call-outs, by name; without it, the caller provides them.
    `recycles` is that of `Executable`.
    """
    code = load(program)
    address = code.address(program.description["entry"])
    made = Executable(address, program.description, code, recycles=recycles)
    return _provided(made, callouts)


def of_rank(
    first: Executable,
    own: Description,
    callouts: Mapping[str, Callable[..., Any] | Recording],
) -> Executable:
    """The code of a rank for another one, which has a description of its own."""
    made = Executable(first.entry_address, own, first.keep_alive)
    return _provided(made, callouts)


def _provided(
    made: Executable, callouts: Mapping[str, Callable[..., Any] | Recording] | None
) -> Executable:
    names = [callout.name for callout in made.description.callouts]
    if callouts is not None:
        made.provide(chosen(callouts, names))
    return made


def loaded(
    program: Program | DeviceProgram | MixedProgram,
    callouts: Mapping[str, Callable[..., Any] | Recording] | None = None,
) -> Runnable:
    """A program loaded where it is to run; errors as of `executable` and `on_device`."""
    if isinstance(program, DeviceProgram):
        return on_device(program)
    if isinstance(program, MixedProgram):
        made = on_both(program, executable)
        names = [callout.name for callout in made.description.callouts]
        if callouts is not None and names:
            made.provide(chosen(callouts, names))
        return made
    return executable(program, callouts)


def load(program: Program) -> SharedCode:
    """A program's code, loaded into this process, with threads to run on.

    Raises a located ValueError for an invalid number of threads in the environment, and for code of
    a processor level that this machine lacks; OSError if the system refuses to load code;
    MemoryError or ValueError if the compiler process dies.
    """
    try:
        _install_helpers()
        config.apply_threads()
        processor.check(program.cpu)
        return load_shared(program.image, program.description["job"])
    except IRError as error:
        raise relocated(error) from None
    except (OSError, ValueError) as error:
        raise located(type(error), str(error)) from None


def prepare() -> Callable[[], object]:
    """Start loading what `executable` needs; the returned function finishes it, when there is time.

    Meanwhile the compiler process loads LLVM and compiles the helpers, as the first job is lowered.
    An error is ignored here: it occurs again, and is reported, when the helpers are needed.
    """
    from penstock.codegen.objects import compiler

    compiler.begin()
    if helpers.is_installed():
        return lambda: None
    from penstock.codegen.jobs.helpers import begin_helpers

    return partial(_try_helpers, begin_helpers(user_store()))


def _try_helpers(image: Callable[[], bytes]) -> None:
    # An object that cannot be made, code that cannot be loaded, an invalid number of threads.
    with contextlib.suppress(IRError, OSError, ValueError):
        helpers.install_once(image)


def _install_helpers() -> None:
    """Loaded once per process, and kept until it ends."""
    helpers.install_once(_helper_image)


def _helper_image() -> bytes:
    from penstock.codegen.jobs.helpers import helper_library

    return helper_library(user_store())
