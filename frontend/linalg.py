"""`flow.linalg`"""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.functions.ops import matmul

__all__ = ["matmul"]


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.linalg")
