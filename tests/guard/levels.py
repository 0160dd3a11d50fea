"""What the processor level has that tests compile jobs for."""

from penstock.lowering.modules import target_level
from penstock.passes.costs.target import TARGETS


def fuses() -> bool:
    """Whether it has fused multiply-adds; x86-64-v2 rounds products, too."""
    return TARGETS[target_level()].fma
