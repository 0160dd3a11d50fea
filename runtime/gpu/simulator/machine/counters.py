"""What a launch counted, per instruction."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Counters", "Traffic"]


@dataclass
class Traffic:
    """Memory traffic of one instruction: what the hardware moves, and the least it could."""

    sectors: int = 0
    ideal_sectors: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0

    @property
    def bank_conflicts(self) -> int:
        """Shared-memory passes beyond the fewest possible."""
        return self.wavefronts - self.ideal_wavefronts


@dataclass
class Counters:
    """Counts of one launch.

    `lane_ops` has, for each instruction of the kernel, how many threads executed it. `traffic` is
    filled on a device with `measure=True`: instruction -> 32-byte sectors of global memory and
    passes over the banks of shared memory, beside the fewest that the accessed bytes need.
    """

    kernel: str
    lane_ops: list[int] = field(default_factory=list)
    traffic: dict[int, Traffic] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many instructions all threads executed."""
        return sum(self.lane_ops)

    def of(self, number: int) -> Traffic:
        """The traffic of an instruction."""
        return self.traffic.setdefault(number, Traffic())

    def table(self) -> str:
        """One line per executed instruction: PTX line, threads, traffic, text."""
        rows = [f"{'line':>6} {'lane-ops':>12} {'sectors':>16} {'wavefronts':>16}  instruction"]
        for number, count in enumerate(self.lane_ops):
            if count:
                seen = self.traffic.get(number, Traffic())
                rows.append(
                    f"{self.lines[number]:6} {count:12} "
                    f"{f'{seen.sectors}/{seen.ideal_sectors}':>16} "
                    f"{f'{seen.wavefronts}/{seen.ideal_wavefronts}':>16}  {self.texts[number]}"
                )
        return "\n".join(rows)
