"""`flow.linalg`"""

from penstock.math import matmul

__all__ = ["matmul"]
