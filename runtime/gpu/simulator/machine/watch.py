"""Who accessed which bytes, and whether the others may know."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.runtime.gpu.simulator.machine.arrays import Array
from penstock.runtime.gpu.simulator.machine.lanes import Lanes
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["Watch"]


class Watch:
    """What is called at each access and at each synchronisation."""

    def shared_access(
        self,
        m: Lanes,
        ins: Instruction,
        places: Array,
        width: int,
        verb: str,
        values: Sequence[Array] = (),
    ) -> None:
        """Lanes access shared memory."""

    def global_access(
        self,
        m: Lanes,
        ins: Instruction,
        places: Array,
        width: int,
        verb: str,
        values: Sequence[Array] = (),
    ) -> None:
        """Lanes access global memory."""

    def barrier(self, m: Lanes, mask: Array) -> None:
        """Lanes have met at a barrier."""

    def warp_barrier(self, m: Lanes) -> None:
        """Lanes have met at a barrier of their warp."""

    def fence(self, m: Lanes) -> None:
        """Lanes order their accesses."""

    def proxy_fence(self, m: Lanes) -> None:
        """Lanes order their accesses with those of the asynchronous proxy."""
