"""The ops, by a table: names and signatures are MindSpore's, the functions call ours.

Capitalised names are primitives, `ops.MatMul(transpose_b=True)(x, y)`. Others are functions, which
take the options behind the operands: `ops.matmul(x, y, transpose_b=True)`. A row without a function
name gets that of the primitive, `ReduceSum` for example `reduce_sum`.

Elementwise ops without attributes need no row: they come from the registry, under their own names
or those in `NAMES`.
"""

from __future__ import annotations

import re
from functools import cache
from math import prod

from penstock.functions import indexing, sorting
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.opdef import registry
from penstock.mindspore.dtype import float32, int32
from penstock.mindspore.formulas import (
    add_n,
    avg_pool,
    batch_norm,
    conv2d,
    dim_of,
    dropped,
    extreme,
    flow_type,
    ints,
    max_pool,
    mirror,
    moments_normed,
    ms_type,
    normalized,
    one_hot_of,
    padded,
    product,
    ranked,
    sorted_of,
    sparse_entropy,
    strided,
    swap_rank,
    transposed,
    typed,
    typed_like,
    unique_of,
    variance,
)
from penstock.mindspore.rows import Function, Row, f, rows_of
from penstock.nn import functional as F
from penstock.tensor_functions.calls import op as call
from penstock.tensor_functions.calls import pair

NAMES = {
    "add": "Add TensorAdd add tensor_add", "subtract": "Sub sub tensor_sub",
    "multiply": "Mul mul tensor_mul", "negative": "Neg neg tensor_neg",
    "floor_divide": "FloorDiv floor_div floordiv", "floor_mod": "FloorMod floor_mod floormod",
    "pow": "Pow pow tensor_pow", "relu": "ReLU relu", "mish": "Mish mish",
    "sigmoid": "Sigmoid sigmoid", "log_sigmoid": "LogSigmoid log_sigmoid",
    "hardsigmoid": "HSigmoid hardsigmoid hsigmoid", "hardswish": "HSwish hardswish hswish",
    "reciprocal": "Reciprocal Inv reciprocal inv", "asin": "Asin asin", "is_nan": "IsNan isnan",
    "is_inf": "IsInf isinf", "is_finite": "IsFinite isfinite", "rint": "Rint rint",
    "less": "Less less tensor_lt", "less_equal": "LessEqual less_equal tensor_le",
    "greater": "Greater greater tensor_gt", "greater_equal": "GreaterEqual greater_equal tensor_ge",
    "equal": "Equal equal", "not_equal": "NotEqual not_equal",
    "reciprocal_no_nan": "ReciprocalNoNan reciprocal_no_nan", "digamma": "Digamma digamma",
    "stop_gradient": "StopGradient stop_gradient", "divide": "Div RealDiv div tensor_div",
}  # fmt: skip
"""Names of elementwise ops that are not just the op's in capitals."""

_REPLACED = ("gelu",)
"""Elementwise ops whose name means something else in MindSpore; the table has that."""

TABLE: dict[str, Function] = {
    "GeLU gelu": lambda x: f.gelu(x, "tanh"),
    "FastGeLU fast_gelu": lambda x: (
        x * f.exp(0.851 * (x - f.abs(x))) / (1 + f.exp(-1.702 * f.abs(x)))
    ),
    "SeLU selu": lambda x: F.selu(x),
    "ReLU6 relu6": lambda x: F.relu6(x),
    "ReLUV2 relu_v2": lambda x: (f.relu(x), f.gt(x, 0)),
    "Elu": lambda x, *, alpha=1.0: F.elu(x, alpha),
    "LeakyReLU leaky_relu": lambda x, *, alpha=0.2: F.leaky_relu(x, alpha),
    "PReLU prelu": lambda x, weight: F.prelu(x, weight),
    "Softsign": lambda x: F.softsign(x),
    "SoftShrink": lambda x, *, lambd=0.5: F.softshrink(x, lambd),
    "HShrink hard_shrink": lambda x, *, lambd=0.5: F.hardshrink(x, lambd),
    "HardTanh": lambda x, *, low=-1.0, high=1.0: F.hardtanh(x, low, high),
    "Swish SiLU silu": lambda x: f.silu(x),
    "Softmax": lambda logits, *, axis=-1: f.softmax(logits, axis),
    "LogSoftmax": lambda logits, *, axis=-1: f.log_softmax(logits, axis),
    "SquaredDifference": lambda x, y: f.square(f.sub(x, y)),
    "AbsGrad": lambda x, dy: dy * f.sign(x),
    "DivNoNan": lambda x, y: f.where(
        f.eq(y, 0), f.zeros_like(x), f.div(x, f.where(f.eq(y, 0), 1, y))
    ),
    "Mod": lambda x, y: f.fmod(x, y),
    "TruncateDiv": lambda x, y: f.div(x, y, rounding_mode="trunc"),
    "TruncateMod": lambda x, y: f.fmod(x, y),
    "Round": lambda x: f.round(x),
    "Trunc": lambda x: f.trunc(x),
    "Invert": lambda x: f.bitwise_not(x),
    "LogicalXor": lambda x, y: f.logical_xor(x, y),
    "ApproximateEqual": lambda x, y, *, tolerance=1e-05: f.lt(f.abs(f.sub(x, y)), tolerance),
    "EqualCount": lambda x, y: typed(f.sum(f.eq(x, y)), int32).reshape(1),
    "IsClose isclose": lambda x, y, *, rtol=1e-05, atol=1e-08, equal_nan=True: f.isclose(
        x, y, rtol, atol, equal_nan
    ),
    "Lerp": lambda start, end, weight: f.lerp(start, end, weight),
    "Addcmul": lambda input_data, x1, x2, value: input_data + value * x1 * x2,
    "Addcdiv": lambda input_data, x1, x2, value: input_data + value * x1 / x2,
    "LinSpace linspace": lambda start, stop, num: f.linspace(float(start), float(stop), num),
    "Range": lambda start, limit, delta=1: f.arange(start, limit, delta),
    "AddN addn": lambda x: add_n(x),
    "AccumulateNV2 accumulate_n": lambda x: add_n(x),
    "Cast": lambda x, type: f.cast(x, flow_type(type)),
    "Select": lambda cond, x, y: f.where(cond, x, y),
    "MaskedFill": lambda x, mask, value: f.masked_fill(x, mask, value),
    "MaskedSelect": lambda x, mask: f.masked_select(x, mask),
    "MatMul matmul": lambda x, y, *, transpose_a=False, transpose_b=False: f.matmul(
        f.swapaxes(x, 0, 1) if transpose_a else x, f.swapaxes(y, 0, 1) if transpose_b else y
    ),
    "BatchMatMul batch_matmul bmm": lambda x, y, *, transpose_a=False, transpose_b=False: f.matmul(
        f.swapaxes(x, -1, -2) if transpose_a else x, f.swapaxes(y, -1, -2) if transpose_b else y
    ),
    "BiasAdd": lambda x, bias, *, data_format="NCHW": (
        x + f.reshape(bias, [-1, *[1] * (len(x.shape) - 2)] if data_format == "NCHW" else [-1])
    ),
    "Einsum": lambda x, *, equation: f.einsum(equation, *x),
    "TensorDot": lambda x1, x2, axes: f.tensordot(x1, x2, axes),
    "MatrixInverse": lambda x, *, adjoint=False: (
        f.swapaxes(f.inverse(x), -1, -2) if adjoint else f.inverse(x)
    ),
    "Cross": lambda x, y, *, dim=-1: f.cross(x, y, dim),
    "ReduceSum": lambda x, axis=(), *, keep_dims=False: typed_like(
        f.sum(x, dim_of(axis), keep_dims), x
    ),
    "ReduceMean": lambda x, axis=(), *, keep_dims=False: f.mean(x, dim_of(axis), keep_dims),
    "ReduceMax": lambda x, axis=(), *, keep_dims=False: f.amax(x, dim_of(axis), keep_dims),
    "ReduceMin": lambda x, axis=(), *, keep_dims=False: f.amin(x, dim_of(axis), keep_dims),
    "ReduceProd": lambda x, axis=(), *, keep_dims=False: product(x, axis, keep_dims),
    "ReduceAll": lambda x, axis=(), *, keep_dims=False: f.all(x, dim_of(axis), keep_dims),
    "ReduceAny": lambda x, axis=(), *, keep_dims=False: f.any(x, dim_of(axis), keep_dims),
    "ReduceStd": lambda x, *, axis=(), unbiased=True, keep_dims=False: (
        f.sqrt(variance(x, axis, int(unbiased), keep_dims)),
        f.mean(x, dim_of(axis), keep_dims),
    ),
    "LogSumExp logsumexp": lambda x, axis, *, keep_dims=False: f.logsumexp(x, axis, keep_dims),
    "Argmax": lambda x, *, axis=-1, output_type=int32: typed(f.argmax(x, axis), output_type),
    "Argmin": lambda x, *, axis=-1, output_type=int32: typed(f.argmin(x, axis), output_type),
    "ArgMaxWithValue max": lambda x, *, axis=0, keep_dims=False: extreme(x, axis, keep_dims, True),
    "ArgMinWithValue min": lambda x, *, axis=0, keep_dims=False: extreme(x, axis, keep_dims, False),
    "CumSum cumsum": lambda x, axis, *, exclusive=False, reverse=False: call(
        "flow.cumsum", x, axis=axis % len(x.shape), exclusive=exclusive, reverse=reverse
    ),
    "CumProd cumprod": lambda x, axis: f.cumprod(x, axis),
    "L2Loss": lambda x: f.sum(f.square(x)) / 2,
    "L2Normalize": lambda x, *, axis=0, epsilon=0.0001: normalized(x, axis, epsilon),
    "LpNorm norm": lambda x, *, axis, p=2, keep_dims=False, epsilon=1e-12: f.norm(
        x, p, axis, keep_dims
    ),
    "Shape": lambda x: tuple(x.shape),
    "DynamicShape dyn_shape": lambda x: f.tensor(list(x.shape)),
    "Rank": lambda x: len(x.shape),
    "Size": lambda x: prod(x.shape),
    "DType": lambda x: ms_type(x),
    "Reshape": lambda x, shape: f.reshape(x, *ints(shape)),
    "ExpandDims": lambda x, axis: f.unsqueeze(x, axis),
    "Squeeze": lambda x, *, axis=(): f.squeeze(x, dim_of(axis)),
    "Flatten": lambda x: f.reshape(x, x.shape[0], -1),
    "Transpose": lambda x, perm: transposed(x, perm),
    "Concat": lambda x, *, axis=0: f.cat(x, axis),
    "Stack Pack stack pack": lambda x, *, axis=0: f.stack(x, axis),
    "Unstack Unpack": lambda x, *, axis=0: tuple(f.unbind(x, axis)),
    "Split": lambda x, *, axis=0, output_num=1: tuple(f.chunk(x, output_num, axis)),
    "Tile": lambda x, multiples: f.tile(x, *multiples),
    "BroadcastTo": lambda x, *, shape: f.broadcast_to(x, shape),
    "ExpandAs": lambda x, y: f.broadcast_to(x, tuple(y.shape)),
    "Pad": lambda x, *, paddings: padded(x, paddings),
    "MirrorPad": lambda x, paddings, *, mode="REFLECT": mirror(x, paddings, mode),
    "Slice": lambda x, begin, size: strided(
        x, begin, [b + s for b, s in zip(begin, size, strict=True)], None
    ),
    "StridedSlice": lambda x, begin, end, strides=None: strided(x, begin, end, strides),
    "ReverseV2 reverse flip": lambda x, *, axis: f.flip(x, axis),
    "Roll": lambda x, *, shift, axis: f.roll(x, shift, axis),
    "Meshgrid": lambda inputs, *, indexing="xy": f.meshgrid(*inputs, indexing=indexing),
    "Tril": lambda x, *, diagonal=0: f.tril(x, diagonal),
    "Triu": lambda x, *, diagonal=0: f.triu(x, diagonal),
    "Diag": lambda x: f.diag(x),
    "DiagPart": lambda x: f.diagonal(x),
    "Fill": lambda type, shape, value: f.full(shape, value, dtype=flow_type(type)),
    "Ones": lambda shape, type: f.full(shape, 1, dtype=flow_type(type)),
    "Zeros": lambda shape, type: f.full(shape, 0, dtype=flow_type(type)),
    "OnesLike": lambda x: f.ones_like(x),
    "ZerosLike": lambda x: f.zeros_like(x),
    "Eye": lambda n, m, t: f.eye(n, m, dtype=flow_type(t)),
    "ScalarToTensor scalar_to_tensor scalar_to_array": lambda x, dtype=float32: typed(
        f.tensor(x), dtype
    ),
    "Gather GatherV2": lambda input_params, input_indices, axis: call(
        "flow.gather",
        input_params,
        input_indices,
        axis=axis % len(input_params.shape),
        batch_dims=0,
    ),
    "EmbeddingLookup": lambda x, indices, offset=0: call(
        "flow.gather", x, indices - offset, axis=0, batch_dims=0
    ),
    "GatherD gather_d gather_elements": lambda x, dim, index: f.gather(x, dim, index),
    "GatherNd": lambda x, indices: call("flow.gather_nd", x, indices),
    "ScatterNd": lambda indices, updates, shape: indexing.scatter_nd(indices, updates, list(shape)),
    "TensorScatterUpdate": lambda x, indices, updates: call(
        "flow.tensor_scatter_nd_update", x, indices, updates
    ),
    "TensorScatterAdd": lambda x, indices, updates: call(
        "flow.tensor_scatter_nd_add", x, indices, updates
    ),
    "TensorScatterSub": lambda x, indices, updates: call(
        "flow.tensor_scatter_nd_add", x, indices, f.neg(updates)
    ),
    "IndexAdd": lambda x, indices, y, *, axis: f.index_add(x, axis, indices, y),
    "UnsortedSegmentSum": lambda x, segment_ids, num_segments: indexing.unsorted_segment_sum(
        x, segment_ids, num_segments
    ),
    "OneHot": lambda indices, depth, on_value, off_value, *, axis=-1: swap_rank(
        one_hot_of(indices, depth, on_value, off_value), axis, depth
    ),
    "Sort": lambda x, *, axis=-1, descending=False: sorted_of(x, axis, descending),
    "TopK": lambda x, k, *, sorted=True: ranked(x, k),
    "InTopK": lambda x1, x2, *, k: f.cast(sorting.in_top_k(x2, x1, k), flow_type(bool)),
    "Unique": lambda x: unique_of(x),
    "Nonzero": lambda x: f.nonzero(x),
    "Conv2D conv2d": conv2d,
    "MaxPool": max_pool,
    "AvgPool avg_pool avg_pool2d": avg_pool,
    "AdaptiveAvgPool2D adaptive_avg_pool2d": lambda x, *, output_size: F.adaptive_avg_pool2d(
        x, output_size
    ),
    "LayerNorm": lambda x, gamma, beta, *, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-07: (
        moments_normed(x, gamma, beta, begin_norm_axis, epsilon)
    ),
    "BatchNorm": batch_norm,
    "ResizeNearestNeighbor": lambda x, *, size, align_corners=False: F.interpolate(
        x, size, mode="nearest"
    ),
    "ResizeBilinear": lambda x, *, size, align_corners=False, half_pixel_centers=True: (
        F.interpolate(x, size, mode="bilinear", align_corners=align_corners)
    ),
    "SoftmaxCrossEntropyWithLogits": lambda logits, labels: (
        f.neg(f.sum(labels * f.log_softmax(logits, -1), -1)),
        f.softmax(logits, -1) - labels,
    ),
    "SparseSoftmaxCrossEntropyWithLogits": lambda logits, labels, *, is_grad=False: sparse_entropy(
        logits, labels, is_grad
    ),
    "SigmoidCrossEntropyWithLogits": lambda logits, label: call(
        "flow.sigmoid_cross_entropy", label, logits
    ),
    "BCEWithLogitsLoss bce_with_logits_loss": (
        lambda logits, label, weight, pos_weight, *, reduction="mean": (
            F.binary_cross_entropy_with_logits(logits, label, weight, reduction, pos_weight)
        )
    ),
    "BinaryCrossEntropy": lambda logits, labels, weight=None, *, reduction="mean": (
        F.binary_cross_entropy(logits, labels, weight, reduction)
    ),
    "NLLLoss nll_loss": lambda logits, labels, weight, *, reduction="mean": (
        F.nll_loss(logits, labels, weight, reduction=reduction),
        f.sum(f.gather(weight, 0, labels)),
    ),
    "KLDivLoss kl_div": lambda logits, labels, *, reduction="mean": F.kl_div(
        logits, labels, reduction
    ),
    "SmoothL1Loss": lambda logits, labels, *, beta=1.0: F.smooth_l1_loss(
        logits, labels, "none", beta
    ),
    "StandardNormal": lambda shape, *, seed=0, seed2=0: f.randn(*shape),
    "UniformReal": lambda shape, *, seed=0, seed2=0: f.rand(*shape),
    "UniformInt": lambda shape, minval, maxval, *, seed=0, seed2=0: typed(
        f.randint(int(minval), int(maxval), tuple(shape)), int32
    ),
    "Dropout": lambda x, *, keep_prob=0.5, Seed0=0, Seed1=0: dropped(x, keep_prob),
    "Depend": lambda value, expr: value,
}

MAKERS = frozenset({
    "Fill", "Ones", "Zeros", "Eye", "Range", "LinSpace", "ScalarToTensor", "StandardNormal",
    "UniformReal", "UniformInt", "Depend",
})  # fmt: skip
"""The ops that may be called without a tensor."""


def snake(name: str) -> str:
    """`ReduceSum` -> `reduce_sum`

    >>> snake("ReduceSum"), snake("OneHot")
    ('reduce_sum', 'one_hot')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _row(op: type[TensorOp]) -> Row:
    """The row of an elementwise op without attributes, of one or two operands."""
    name = op.name
    short = name.removeprefix("flow.")
    capitals = "".join(word.capitalize() for word in short.split("_"))
    names = tuple(NAMES.get(short, f"{capitals} {short}").split())
    if len(op.definition.operands) == 2:
        return Row(names, lambda x, y: pair(name, x, y))
    return Row(names, lambda x: call(name, x))


def _of_registry() -> list[Row]:
    """A row for each elementwise op without attributes."""
    return [
        _row(op)
        for name, op in registry.items()
        if name.startswith("flow.") and issubclass(op, Elementwise)
        if not op.definition.attributes and len(op.definition.operands) <= 2
        if name.removeprefix("flow.") not in _REPLACED
    ]


@cache
def rows() -> dict[str, Row]:
    """The row of each name, of primitives and of functions."""
    found: dict[str, Row] = {}
    for row in (*_of_registry(), *rows_of(TABLE)):
        functions = [name for name in row.names if name[0].islower()] or [snake(row.names[0])]
        for name in (*(one for one in row.names if one[0].isupper()), *functions):
            found[name] = row
    return found
