"""A job compiled for a GPU, or partly for one, and the device that is to run it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.ir.location import Location
from penstock.ir.record import Record

if TYPE_CHECKING:
    from penstock.codegen.gpu.program import GpuProgram
    from penstock.codegen.jobs.program import Program


class DeviceProgram(Record):
    """PTX, the plan of its launches, and where it runs."""

    code: GpuProgram
    device: str
    """Such as `gpu 0:0`."""
    location: Location
    """The user's line that places it there."""

    @property
    def description(self) -> dict[str, Any]:
        """The job's arguments, taps and so on, as plain JSON values."""
        return self.code.description

    @property
    def ptx(self) -> str:
        """The text of stage `ptx`."""
        return self.code.ptx


class MixedProgram(Record):
    """The parts of a job on the CPU and on a GPU."""

    host: Program
    part: DeviceProgram
    order: Mapping[str, Sequence[str]]
    """The names of the job's feeds, variables and fetches, each in the job's order."""

    @property
    def description(self) -> dict[str, Any]:
        """The whole job's arguments, taps and so on, as plain JSON values."""
        # Only jobs of several parts need it.
        from penstock.runtime.description import Description
        from penstock.runtime.gpu.mixed_job import whole

        host = Description.from_dict(self.host.description)
        return whole(host, Description.from_dict(self.part.description), self.order).to_dict()

    @property
    def llvm(self) -> str:
        """The text of stage `llvm` of the CPU's part."""
        return self.host.llvm

    @property
    def asm(self) -> str:
        """The text of stage `asm` of the CPU's part."""
        return self.host.asm

    @property
    def ptx(self) -> str:
        """The text of stage `ptx` of the GPU's part."""
        return self.part.ptx
