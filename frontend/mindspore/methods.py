"""The methods of tensors, by a table: operators, and the names that MindSpore's tensors have."""

from __future__ import annotations

from penstock.functions import indexing
from penstock.mindspore.formulas import (
    dim_of,
    flow_type,
    is_bool,
    product,
    resized,
    taken,
    transposed,
    typed,
    variance,
)
from penstock.mindspore.rows import Function, Row, f, rows_of

TABLE: dict[str, Function] = {
    "__add__": lambda self, other: f.add(self, other),
    "__radd__": lambda self, other: f.add(other, self),
    "__sub__": lambda self, other: f.sub(self, other),
    "__rsub__": lambda self, other: f.sub(other, self),
    "__mul__": lambda self, other: f.mul(self, other),
    "__rmul__": lambda self, other: f.mul(other, self),
    "__truediv__": lambda self, other: f.div(self, other),
    "__rtruediv__": lambda self, other: f.div(other, self),
    "__floordiv__": lambda self, other: f.div(self, other, rounding_mode="floor"),
    "__rfloordiv__": lambda self, other: f.div(other, self, rounding_mode="floor"),
    "__mod__": lambda self, other: f.remainder(self, other),
    "__rmod__": lambda self, other: f.remainder(other, self),
    "__pow__": lambda self, other: f.pow(self, other),
    "__rpow__": lambda self, other: f.pow(other, self),
    "__matmul__": lambda self, other: f.matmul(self, other),
    "__rmatmul__": lambda self, other: f.matmul(other, self),
    "__and__": lambda self, other: (
        f.logical_and(self, other) if is_bool(self) else f.bitwise_and(self, other)
    ),
    "__rand__": lambda self, other: (
        f.logical_and(other, self) if is_bool(self) else f.bitwise_and(other, self)
    ),
    "__or__": lambda self, other: (
        f.logical_or(self, other) if is_bool(self) else f.bitwise_or(self, other)
    ),
    "__ror__": lambda self, other: (
        f.logical_or(other, self) if is_bool(self) else f.bitwise_or(other, self)
    ),
    "__xor__": lambda self, other: (
        f.logical_xor(self, other) if is_bool(self) else f.bitwise_xor(self, other)
    ),
    "__invert__": lambda self: f.logical_not(self) if is_bool(self) else f.bitwise_not(self),
    "__neg__": lambda self: f.neg(self),
    "__pos__": lambda self: self,
    "__abs__": lambda self: f.abs(self),
    "__eq__": lambda self, other: f.eq(self, other),
    "__ne__": lambda self, other: f.ne(self, other),
    "__lt__": lambda self, other: f.lt(self, other),
    "__le__": lambda self, other: f.le(self, other),
    "__gt__": lambda self, other: f.gt(self, other),
    "__ge__": lambda self, other: f.ge(self, other),
    "__getitem__": lambda self, index: self[index],
    "abs": lambda self: f.abs(self),
    "all": lambda self, axis=(), keep_dims=False: f.all(self, dim_of(axis), keep_dims),
    "any": lambda self, axis=(), keep_dims=False: f.any(self, dim_of(axis), keep_dims),
    "argmax": lambda self, axis=None: f.argmax(self, axis),
    "argmin": lambda self, axis=None: f.argmin(self, axis),
    "astype": lambda self, dtype, copy=True: f.cast(self, flow_type(dtype)),
    "broadcast_to": lambda self, shape: f.broadcast_to(self, shape),
    "clip": lambda self, xmin, xmax, dtype=None: typed(f.clamp(self, xmin, xmax), dtype),
    "copy": lambda self: f.clone(self),
    "cumsum": lambda self, axis=None, dtype=None: typed(
        f.cumsum(self if axis is not None else f.flatten(self), axis or 0), dtype
    ),
    "diagonal": lambda self, offset=0, axis1=0, axis2=1: f.diagonal(self, offset, axis1, axis2),
    "expand_as": lambda self, x: f.broadcast_to(self, tuple(x.shape)),
    "expand_dims": lambda self, axis: f.unsqueeze(self, axis),
    "flatten": lambda self, order="C": f.flatten(self if order == "C" else transposed(self, ())),
    "gather_elements": lambda self, dim, index: f.gather(self, dim, index),
    "gather_nd": lambda self, indices: indexing.gather_nd(self, indices),
    "masked_fill": lambda self, mask, value: f.masked_fill(self, mask, value),
    "masked_select": lambda self, mask: f.masked_select(self, mask),
    "max": lambda self, axis=None, keepdims=False: f.amax(self, axis, keepdims),
    "mean": lambda self, axis=(), keep_dims=False: f.mean(self, dim_of(axis), keep_dims),
    "min": lambda self, axis=None, keepdims=False: f.amin(self, axis, keepdims),
    "narrow": lambda self, axis, start, length: f.narrow(self, axis, start, length),
    "nonzero": lambda self: f.nonzero(self),
    "pow": lambda self, power: f.pow(self, power),
    "prod": lambda self, axis=None, keepdims=False: product(self, axis, keepdims),
    "ravel": lambda self: f.flatten(self),
    "repeat": lambda self, repeats, axis=None: f.repeat_interleave(self, repeats, axis),
    "reshape": lambda self, *shape: f.reshape(self, *shape),
    "resize": lambda self, *new_shape: resized(self, new_shape),
    "round": lambda self: f.round(self),
    "select": lambda self, condition, y: f.where(condition, self, y),
    "sqrt": lambda self: f.sqrt(self),
    "square": lambda self: f.square(self),
    "squeeze": lambda self, axis=None: f.squeeze(self, axis),
    "std": lambda self, axis=None, ddof=0, keepdims=False: f.sqrt(
        variance(self, axis, ddof, keepdims)
    ),
    "sum": lambda self, axis=None, dtype=None, keepdims=False: typed(
        f.sum(self, dim_of(axis), keepdims), dtype
    ),
    "swapaxes": lambda self, axis1, axis2: f.swapaxes(self, axis1, axis2),
    "take": lambda self, indices, axis=None, mode="clip": taken(self, indices, axis, mode),
    "tile": lambda self, multiples: f.tile(self, multiples),
    "trace": lambda self, offset=0, axis1=0, axis2=1: f.sum(
        f.diagonal(self, offset, axis1, axis2), -1
    ),
    "transpose": lambda self, *axes: transposed(self, axes),
    "unsqueeze": lambda self, dim: f.unsqueeze(self, dim),
    "var": lambda self, axis=None, ddof=0, keepdims=False: variance(self, axis, ddof, keepdims),
    "view": lambda self, *shape: f.reshape(self, *shape),
}

ROWS: dict[str, Row] = {row.names[0]: row for row in rows_of(TABLE)}
"""The methods by name."""
