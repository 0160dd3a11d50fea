"""Loads jobs that are placed on a GPU, or on the simulated one."""

from __future__ import annotations

from penstock.basics.errors import located
from penstock.lowering.device_program import DeviceProgram
from penstock.process import devices
from penstock.runtime.description import Description
from penstock.runtime.device_error import DeviceError
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.mpi.launched import launch


def on_device(program: DeviceProgram) -> Runnable:
    """A program on its device.

    Raises a located ValueError if there is no such device, in a run on several ranks, and for a job
    that no device can run; a located RuntimeError if the device does not take its code.
    """
    # Jobs on the CPU don't need them.
    from penstock.runtime.gpu.device_job import DeviceJob
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
        description = Description.from_dict(program.description)
        return DeviceJob(description, program.code.plan, program.ptx, device(kind, number))
    except DeviceError as error:
        raise on_line(error) from None
    except ValueError as error:
        raise located(ValueError, str(error), program.location) from None


def on_line(error: DeviceError) -> Exception:
    """What a device failed with, at the user's call."""
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    return located(kind, str(error))
