"""`flow.linalg`: products, norms, inverses and determinants of vectors and matrices."""

from typing import TYPE_CHECKING

from penstock.basics.names import from_homes, no_such
from penstock.functions.ops import matmul

__all__ = ["cross", "det", "diagonal", "inv", "matmul", "matrix_norm", "norm", "vector_norm"]

if TYPE_CHECKING:
    from penstock.tensor_functions.linear_algebra import det as det
    from penstock.tensor_functions.linear_algebra import inv as inv
    from penstock.tensor_functions.linear_algebra import matrix_norm as matrix_norm
    from penstock.tensor_functions.linear_algebra import norm as norm
    from penstock.tensor_functions.linear_algebra import vector_norm as vector_norm
    from penstock.tensor_functions.products import cross as cross
    from penstock.tensor_functions.products import diagonal as diagonal
else:
    __getattr__ = from_homes(
        "flow.linalg",
        {
            "tensor_functions.linear_algebra": ("det", "inv", "matrix_norm", "norm", "vector_norm"),
            "tensor_functions.products": ("cross", "diagonal"),
        },
        no_such("flow.linalg"),
    )
