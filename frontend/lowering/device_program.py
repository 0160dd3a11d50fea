"""A job compiled for a GPU, and the device that is to run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.ir.location import Location
from penstock.ir.record import Record

if TYPE_CHECKING:
    from penstock.codegen.gpu.program import GpuProgram


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
