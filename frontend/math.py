"""`flow.math`: functions of blobs, element by element or along axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.blob import Blob, apply, binary, check_blob
from penstock.elementwise import clip_by_value as clip_by_value
from penstock.elementwise import fused_scale_tril as fused_scale_tril
from penstock.elementwise import polyval as polyval
from penstock.elementwise import sigmoid_grad as sigmoid_grad
from penstock.elementwise import tril as tril
from penstock.errors import kind_of, located
from penstock.indexing import unsorted_batch_segment_sum as unsorted_batch_segment_sum
from penstock.indexing import unsorted_segment_sum as unsorted_segment_sum
from penstock.indexing import unsorted_segment_sum_like as unsorted_segment_sum_like
from penstock.sorting import in_top_k as in_top_k
from penstock.sorting import top_k as top_k
from penstock.thin import Thin, axes_of, axis_of

_UNARY = {
    "abs": "flow.abs",
    "acos": "flow.acos",
    "acosh": "flow.acosh",
    "asin": "flow.asin",
    "asinh": "flow.asinh",
    "atan": "flow.atan",
    "atanh": "flow.atanh",
    "ceil": "flow.ceil",
    "cos": "flow.cos",
    "cosh": "flow.cosh",
    "digamma": "flow.digamma",
    "erf": "flow.erf",
    "erfc": "flow.erfc",
    "exp": "flow.exp",
    "expm1": "flow.expm1",
    "floor": "flow.floor",
    "gelu": "flow.gelu",
    "is_finite": "flow.is_finite",
    "is_inf": "flow.is_inf",
    "is_nan": "flow.is_nan",
    "lgamma": "flow.lgamma",
    "log": "flow.log",
    "log1p": "flow.log1p",
    "log_sigmoid": "flow.log_sigmoid",
    "logical_not": "flow.logical_not",
    "negative": "flow.negative",
    "reciprocal": "flow.reciprocal",
    "reciprocal_no_nan": "flow.reciprocal_no_nan",
    "relu": "flow.relu",
    "rint": "flow.rint",
    "round": "flow.rint",
    "rsqrt": "flow.rsqrt",
    "sigmoid": "flow.sigmoid",
    "sigmoid_v2": "flow.sigmoid",
    "sign": "flow.sign",
    "sin": "flow.sin",
    "sinh": "flow.sinh",
    "softplus": "flow.softplus",
    "sqrt": "flow.sqrt",
    "square": "flow.square",
    "tan": "flow.tan",
    "tanh": "flow.tanh",
    "tanh_v2": "flow.tanh",
}

_BINARY = {
    "add": "flow.add",
    "atan2": "flow.atan2",
    "divide": "flow.divide",
    "equal": "flow.equal",
    "floordiv": "flow.floor_divide",
    "greater": "flow.greater",
    "greater_equal": "flow.greater_equal",
    "less": "flow.less",
    "less_equal": "flow.less_equal",
    "logical_and": "flow.logical_and",
    "logical_or": "flow.logical_or",
    "logical_xor": "flow.logical_xor",
    "maximum": "flow.maximum",
    "minimum": "flow.minimum",
    "mod": "flow.floor_mod",
    "multiply": "flow.multiply",
    "not_equal": "flow.not_equal",
    "pow": "flow.pow",
    "subtract": "flow.subtract",
    "xdivy": "flow.xdivy",
    "xlogy": "flow.xlogy",
}

_FUNCTIONS = (
    "add_n", "argmax", "in_top_k", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_sum", "squared_difference", "top_k", "unsorted_batch_segment_sum",
    "unsorted_segment_sum", "unsorted_segment_sum_like",
    "add_n", "argmax", "clip_by_value", "fused_scale_tril", "polyval", "reduce_max",
    "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "sigmoid_grad",
    "squared_difference", "tril", "unsorted_batch_segment_sum", "unsorted_segment_sum",
    "unsorted_segment_sum_like",
)  # fmt: skip

_thin = Thin("flow.math", _UNARY, _BINARY, _FUNCTIONS)

Axis = int | Sequence[int] | None


def add_n(inputs: Sequence[Blob], name: str | None = None) -> Blob:
    """The sum of several blobs of one shape."""
    if not isinstance(inputs, list | tuple) or not inputs:
        raise located(TypeError, f"flow.math.add_n takes a list of blobs, got {kind_of(inputs)}")
    total = check_blob(inputs[0], "flow.math.add_n")
    for blob in inputs[1:]:
        if check_blob(blob, "flow.math.add_n").shape != total.shape:
            raise located(
                ValueError,
                f"flow.math.add_n takes blobs of one shape, got {total.shape} and {blob.shape}",
            )
        total = binary("flow.add", total, blob, name, "flow.math.add_n")
    return total


def squared_difference(x: Blob | float, y: Blob | float, name: str | None = None) -> Blob:
    """(x - y) squared, with broadcasting."""
    what = "flow.math.squared_difference"
    return apply("flow.square", binary("flow.subtract", x, y, what=what), name=name, what=what)[0]


def argmax(input: Blob, axis: int = -1, name: str | None = None) -> Blob:
    """The position of the largest element along an axis, as int32; of equal ones the first.

    The result lacks that axis.
    """
    blob = check_blob(input, "flow.math.argmax")
    axis = axis_of(axis, len(blob.shape), "flow.math.argmax")
    return apply("flow.argmax", blob, axis=axis, name=name)[0]


def _reduce(op: str, x: Blob, axis: Axis, keepdims: bool, name: str | None) -> Blob:
    what = op.replace("flow.", "flow.math.")
    blob = check_blob(x, what)
    axes = axes_of(axis, len(blob.shape), what)
    if not isinstance(keepdims, bool):
        raise located(TypeError, f"keepdims of {what} must be a bool, got {kind_of(keepdims)}")
    return apply(op, blob, axes=axes, keepdims=keepdims, name=name, what=what)[0]


def reduce_sum(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The sum along one axis, several, or all; with `keepdims` they stay, of extent 1."""
    return _reduce("flow.reduce_sum", input_tensor, axis, keepdims, name)


def reduce_mean(
    input_blob: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The mean along one axis, several, or all; floats only."""
    return _reduce("flow.reduce_mean", input_blob, axis, keepdims, name)


def reduce_max(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """The largest along one axis, several, or all; NaN where one is NaN."""
    return _reduce("flow.reduce_max", x, axis, keepdims, name)


def reduce_min(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """The smallest along one axis, several, or all; NaN where one is NaN."""
    return _reduce("flow.reduce_min", x, axis, keepdims, name)


def reduce_prod(
    x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The product along one axis, several, or all."""
    return _reduce("flow.reduce_prod", x, axis, keepdims, name)


def __getattr__(name: str) -> Any:
    return _thin.find(name)


def __dir__() -> list[str]:
    return _thin.names()
