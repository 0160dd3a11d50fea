"""What is told of each access to memory and of each synchronisation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.mbarriers import Knowledge
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["Observer"]


class Observer(ABC):
    """Follows the running lanes of one batch."""

    @abstractmethod
    def shared_access(
        self, ins: Instruction, places: Array, width: int, verb: str, values: Sequence[Array] = ()
    ) -> None:
        """Lanes access shared memory: `read`, `write`, `atomic`, `strong` or `proxy`.

        A strong read is one with `.relaxed`, say; a proxy read is asynchronous.
        """

    @abstractmethod
    def global_access(
        self, ins: Instruction, places: Array, width: int, verb: str, values: Sequence[Array] = ()
    ) -> None:
        """Lanes access global memory: likewise, or `constant` for a read with `.nc`."""

    @abstractmethod
    def copy_started(self, ins: Instruction, places: Array, width: int) -> None:
        """Lanes start asynchronous copies to shared memory."""

    @abstractmethod
    def copy_arrived(self, lanes: Array, places: Array, width: int) -> None:
        """Lanes have waited for their copies."""

    @abstractmethod
    def bulk_write(self, ins: Instruction, octets: Array, offset: int) -> None:
        """A lane's copy to these bytes, which completes on the mbarrier at an offset, starts."""

    @abstractmethod
    def bulk_global(self, ins: Instruction, places: Array, width: int, verb: str) -> None:
        """A lane's bulk copy reads or writes global memory at these places."""

    @abstractmethod
    def bulk_read(self, ins: Instruction, octets: Array, what: str) -> int:
        """A lane's bulk copy, or its warps' `wgmma`, starts to read these bytes; its number."""

    @abstractmethod
    def bulk_done(self, number: int) -> None:
        """What started with this number no longer reads."""

    @abstractmethod
    def knowledge(self) -> Knowledge:
        """What the warps of the lanes know, who arrive somewhere."""

    @abstractmethod
    def copied(self, offset: int) -> Knowledge:
        """What those know who wait for copies that complete on the mbarrier at an offset."""

    @abstractmethod
    def learn(self, knowledge: Knowledge) -> None:
        """The lanes have waited for those who arrived."""

    @abstractmethod
    def barrier(self, mask: Array) -> None:
        """Lanes have met at a barrier of their block."""

    @abstractmethod
    def cluster_barrier(self, mask: Array) -> None:
        """Lanes have met at a barrier of their cluster."""

    @abstractmethod
    def warp_barrier(self) -> None:
        """Lanes have met at a barrier of their warp."""

    @abstractmethod
    def fence(self) -> None:
        """Lanes order their accesses with those of other blocks."""

    @abstractmethod
    def proxy_fence(self) -> None:
        """Lanes order their accesses with those of the asynchronous proxy."""

    @abstractmethod
    def finish(self) -> None:
        """The batch has ended."""
