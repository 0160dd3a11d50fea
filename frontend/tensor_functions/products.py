"""Products of matrices and vectors, and sums of products."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from penstock.basics.errors import located
from penstock.functions import contractions
from penstock.tensor_functions.calls import (
    constant,
    dim_of,
    either,
    given,
    ints_of,
    op,
    pair,
    permuted,
    reshaped,
)
from penstock.tensor_functions.shapes import movedim, roll
from penstock.tensors.tensor import Tensor


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The product of matrices, batches of matrices, or vectors, as `a @ b`."""
    a, b = given(input, "flow.matmul"), given(other, "flow.matmul")
    if not a.shape or not b.shape:
        raise located(RuntimeError, "flow.matmul takes tensors of at least one dimension")
    is_row, is_column = len(a.shape) == 1, len(b.shape) == 1
    a = reshaped(a, [1, a.shape[0]]) if is_row else a
    b = reshaped(b, [b.shape[0], 1]) if is_column else b
    if a.shape[-1] != b.shape[-2]:
        raise located(
            RuntimeError,
            f"flow.matmul cannot multiply shapes {tuple(a.shape)} and {tuple(b.shape)}: "
            f"{a.shape[-1]} columns and {b.shape[-2]} rows",
        )
    if len(a.shape) > 2 and len(b.shape) == 2:
        rows = reshaped(a, [_count(a.shape[:-1]), a.shape[-1]])
        made = reshaped(op("flow.matmul", rows, b), [*a.shape[:-1], b.shape[-1]])
    else:
        made = op("flow.matmul", a, b, what="flow.matmul")
    shape = list(made.shape)
    if is_row:
        del shape[-2]
    if is_column:
        del shape[-1]
    return reshaped(made, shape) if is_row or is_column else made


def _count(shape: Any) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


def _ranked(x: Tensor, rank: int, what: str) -> Tensor:
    found = given(x, what)
    if len(found.shape) != rank:
        raise located(
            RuntimeError, f"{what} takes tensors of {rank} dimensions, got {tuple(found.shape)}"
        )
    return found


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    return matmul(_ranked(input, 2, "flow.mm"), _ranked(mat2, 2, "flow.mm"))


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices."""
    return matmul(_ranked(input, 3, "flow.bmm"), _ranked(mat2, 3, "flow.bmm"))


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector."""
    return matmul(_ranked(input, 2, "flow.mv"), _ranked(vec, 1, "flow.mv"))


def dot(input: Tensor, other: Tensor) -> Tensor:
    """The dot product of two vectors."""
    return matmul(_ranked(input, 1, "flow.dot"), _ranked(other, 1, "flow.dot"))


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
    x, y = _ranked(input, 1, "flow.outer"), _ranked(vec2, 1, "flow.outer")
    return pair("flow.multiply", reshaped(x, [x.shape[0], 1]), y)


def _scaled(x: Tensor, factor: Any) -> Tensor:
    return x if factor == 1 else pair("flow.multiply", x, factor)


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * the product of two matrices"""
    return pair("flow.add", _scaled(input, beta), _scaled(mm(mat1, mat2), alpha))


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """beta * input + alpha * the products of two batches of matrices"""
    return pair("flow.add", _scaled(input, beta), _scaled(bmm(batch1, batch2), alpha))


def einsum(equation: str, *operands: Any) -> Tensor:
    """Sums of products, in Einstein notation."""
    many = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    return cast(Tensor, contractions.einsum(equation, *cast(Any, many)))


def _listed(side: Any) -> list[Any]:
    return list(side) if isinstance(side, list | tuple) else [side]


def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Contract a and b over the last dimensions of a and the first of b, or over given ones."""
    what = "flow.tensordot"
    x, y = given(a, what), given(b, what)
    if isinstance(dims, Tensor):
        dims = dims.item() if dims.array.size == 1 else dims.tolist()
    if isinstance(dims, int):
        left = list(range(len(x.shape) - dims, len(x.shape)))
        right = list(range(dims))
    else:
        left, right = (
            [dim_of(d, len(one.shape), what) for d in ints_of([_listed(side)], "dims")]
            for one, side in zip((x, y), dims, strict=True)
        )
    # A dimension of extent 1 is broadcast: its sum can be taken first.
    for d, e in zip(left, right, strict=True):
        if x.shape[d] != y.shape[e] and 1 in (x.shape[d], y.shape[e]):
            x = op("flow.reduce_sum", x, axes=[d], keepdims=True) if y.shape[e] == 1 else x
            y = op("flow.reduce_sum", y, axes=[e], keepdims=True) if x.shape[d] == 1 else y
        elif x.shape[d] != y.shape[e]:
            raise located(
                RuntimeError,
                f"{what} contracts dimensions of one extent, got {x.shape[d]} and {y.shape[e]}",
            )
    kept = [d for d in range(len(x.shape)) if d not in left]
    other = [d for d in range(len(y.shape)) if d not in right]
    inner = _count(x.shape[d] for d in left)
    first = reshaped(permuted(x, [*kept, *left]), [_count(x.shape[d] for d in kept), inner])
    second = reshaped(permuted(y, [*right, *other]), [inner, _count(y.shape[d] for d in other)])
    shape = [*(x.shape[d] for d in kept), *(y.shape[d] for d in other)]
    return reshaped(matmul(first, second), shape)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross products of vectors along a dimension of extent 3, by default the first such."""
    x, y = given(input, "flow.cross"), given(other, "flow.cross")
    if dim is None:
        found = [d for d, n in enumerate(x.shape) if n == 3]
        if not found:
            raise located(
                RuntimeError, f"flow.cross needs a dimension of 3, got shape {tuple(x.shape)}"
            )
        axis = found[0]
    else:
        axis = dim_of(dim, len(x.shape), "flow.cross")
    ahead, behind = (
        [roll(one, step, axis) for one in (x, y)] for step in (-1, 1)
    )  # fmt: skip
    return pair(
        "flow.subtract",
        pair("flow.multiply", ahead[0], behind[1]),
        pair("flow.multiply", behind[0], ahead[1]),
    )


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonals of the matrices in two dimensions, as a new last dimension."""
    x = either(input, "flow.diagonal")
    rank = len(x.shape)
    first, second = (dim_of(d, rank, "flow.diagonal") for d in (dim1, dim2))
    front = movedim(x, (first, second), (0, 1))
    rows, columns = front.shape[:2]
    low, high = max(-offset, 0), max(offset, 0)
    along = np.arange(max(min(rows - low, columns - high), 0), dtype=np.int64)
    places = constant(np.stack([along + low, along + high], -1), x)
    return movedim(op("flow.gather_nd", front, places), 0, -1)


FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        matmul, mm, bmm, mv, dot, outer, addmm, baddbmm, einsum, tensordot, cross,
        diagonal,
    )
}  # fmt: skip
"""Every function of this module by its public name."""
