"""`flow.debug`: the first op that makes a NaN or Inf, or is compiled wrongly; and profiles."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.debug.comparing import Comparison as Comparison
from penstock.debug.comparing import Row as Row
from penstock.debug.comparing import compare as compare
from penstock.debug.finder import nonfinite as nonfinite
from penstock.debug.findings import Nonfinite as Nonfinite
from penstock.debug.findings import NonfiniteError as NonfiniteError
from penstock.debug.findings import Operand as Operand
from penstock.debug.profiling import profile as profile

__all__ = [
    "Comparison", "Nonfinite", "NonfiniteError", "Operand", "Row", "compare", "nonfinite",
    "profile",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.debug")
