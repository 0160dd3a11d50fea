"""Loads jobs that are placed on a GPU, or on the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from penstock.basics.errors import located
from penstock.lowering.device_program import DeviceProgram, MixedProgram
from penstock.process import devices
from penstock.runtime.description import Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.mpi.launched import launch

if TYPE_CHECKING:
    from penstock.codegen.jobs.program import Program
    from penstock.runtime import Executable
    from penstock.runtime.gpu.backend import Device


def on_device(program: DeviceProgram) -> Runnable:
    """A program on its device.

    Raises a located ValueError if there is no such device, in a run on several ranks, and for a job
    that no device can run; a located RuntimeError if the device does not take its code.
    """
    # Jobs on the CPU don't need them.
    from penstock.runtime.gpu.device_job import DeviceJob

    found = _device_of(program)
    try:
        description = Description.from_dict(program.description)
        return DeviceJob(description, program.code.plan, program.ptx, found)
    except DeviceError as error:
        raise on_line(error) from None
    except ValueError as error:
        raise located(ValueError, str(error), program.location) from None


def on_both(program: MixedProgram, executable: Callable[[Program], Executable]) -> Runnable:
    """A program of two parts, on the CPU and a device; errors as of `on_device`."""
    from penstock.runtime.gpu.loaded_code import LoadedCode, checked_plan
    from penstock.runtime.gpu.mixed_job import MixedJob

    part = program.part
    found = _device_of(part)
    try:
        description = Description.from_dict(part.description)
        plan = checked_plan(description, part.code.plan, part.ptx)
        code = LoadedCode(description, plan, part.ptx, found)
        return MixedJob(executable(program.host), code, program.order)
    except DeviceError as error:
        raise on_line(error) from None
    except ValueError as error:
        raise located(ValueError, str(error), part.location) from None


def _device_of(program: DeviceProgram) -> Device:
    """The device of a program; errors as of `on_device`."""
    from penstock.runtime.gpu.devices import device, why_not

    kind, _, place = program.device.partition(" ")
    number = int(place.partition(":")[2])
    name = program.description["job"]
    launched = launch()
    if launched is not None and launched.ranks > 1:
        raise located(
            ValueError,
            f"job {name!r} is placed on {program.device} in a run on {launched.ranks} ranks, which "
            "share the CPU; place it there, or start one process",
            program.location,
        )
    reason = why_not(kind, number)
    if reason:
        raise located(
            ValueError,
            f"job {name!r} is placed on {program.device}, but {reason}; use flow.scope.placement("
            '"gpu-sim", "0:0") to run the same PTX on the simulated device, or '
            f'"cpu"; {devices.GPU}=sim or {devices.GPU}=cpu in the environment does so for every '
            "job",
            program.location,
        )
    try:
        return device(kind, number)
    except DeviceError as error:
        raise on_line(error.within(f"job {name!r}")) from None


def on_line(error: DeviceError) -> Exception:
    """What a device failed with, at the user's call."""
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    return located(kind, str(error))
