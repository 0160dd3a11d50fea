"""`flow.math`: functions of blobs, elementwise or along axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.functions.elementwise import clip_by_value as clip_by_value
from penstock.functions.elementwise import fused_scale_tril as fused_scale_tril
from penstock.functions.elementwise import gelu_grad as gelu_grad
from penstock.functions.elementwise import polyval as polyval
from penstock.functions.elementwise import sigmoid_grad as sigmoid_grad
from penstock.functions.elementwise import tril as tril
from penstock.functions.indexing import unsorted_batch_segment_sum as unsorted_batch_segment_sum
from penstock.functions.indexing import unsorted_segment_sum as unsorted_segment_sum
from penstock.functions.indexing import unsorted_segment_sum_like as unsorted_segment_sum_like
from penstock.functions.movement import broadcast_to_compatible_with as broadcast_to_compatible_with
from penstock.functions.reductions import argmax as argmax
from penstock.functions.reductions import argmin as argmin
from penstock.functions.reductions import l2_normalize as l2_normalize
from penstock.functions.reductions import reduce_all as reduce_all
from penstock.functions.reductions import reduce_any as reduce_any
from penstock.functions.reductions import reduce_euclidean_norm as reduce_euclidean_norm
from penstock.functions.reductions import reduce_logsumexp as reduce_logsumexp
from penstock.functions.reductions import reduce_max as reduce_max
from penstock.functions.reductions import reduce_mean as reduce_mean
from penstock.functions.reductions import reduce_min as reduce_min
from penstock.functions.reductions import reduce_prod as reduce_prod
from penstock.functions.reductions import reduce_std as reduce_std
from penstock.functions.reductions import reduce_sum as reduce_sum
from penstock.functions.reductions import reduce_variance as reduce_variance
from penstock.functions.reductions import reduced_shape_elem_cnt as reduced_shape_elem_cnt
from penstock.functions.reductions import two_stage_reduce_max as two_stage_reduce_max
from penstock.functions.reductions import two_stage_reduce_min as two_stage_reduce_min
from penstock.functions.sorting import in_top_k as in_top_k
from penstock.functions.sorting import top_k as top_k
from penstock.ir.dialects.flow.elementwise import Binary, Unary
from penstock.trace.blob import Blob, apply, binary, check_blob
from penstock.trace.thin import Thin, public_ops

_UNARY = public_ops("flow.math", Unary) | {
    "round": "flow.rint",
    "sigmoid_v2": "flow.sigmoid",
    "tanh_v2": "flow.tanh",
}

_BINARY = public_ops("flow.math", Binary) | {
    "floordiv": "flow.floor_divide",
    "mod": "flow.floor_mod",
}

_FUNCTIONS = (
    "add_n", "argmax", "argmin", "broadcast_to_compatible_with", "clip_by_value",
    "fused_scale_tril", "gelu_grad", "in_top_k", "l2_normalize", "polyval", "reduce_all",
    "reduce_any", "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean",
    "reduce_min", "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance",
    "reduced_shape_elem_cnt", "sigmoid_grad", "squared_difference", "top_k", "tril",
    "two_stage_reduce_max", "two_stage_reduce_min", "unsorted_batch_segment_sum",
    "unsorted_segment_sum", "unsorted_segment_sum_like",
)  # fmt: skip

_thin = Thin("flow.math", _UNARY, _BINARY, _FUNCTIONS)


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


def __getattr__(name: str) -> Any:
    return _thin.find(name)


def __dir__() -> list[str]:
    return _thin.names()
