"""`flow.linalg`"""

from penstock.ops import matmul

__all__ = ["matmul"]
