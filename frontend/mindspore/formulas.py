"""Conversions that the tables need: axes, element types, paddings, and results in another form."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.mindspore import dtype as types
from penstock.nn import functional as F
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensor_functions.calls import as_type, op, permuted, reshaped
from penstock.tensor_functions.faces import functions
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob

Value = Any
"""A tensor, or a blob of a traced body."""


def dim_of(axis: Any) -> Any:
    """An axis of a reduction; () and None mean all."""
    return None if axis is None or axis == () or axis == [] else axis


def flow_type(dtype: Any) -> Any:
    """The element type of penstock."""
    return types.to_flow(dtype, "an element type")


def is_bool(x: Value) -> bool:
    """Whether its elements are bools."""
    return isinstance(x, Blob | Tensor) and (
        x.dtype.is_bool or (isinstance(x, Blob) and is_truth(x.value))
    )


def typed(x: Value, dtype: Any) -> Value:
    """Converted to an element type, unless that is None."""
    return x if dtype is None else as_type(x, flow_type(dtype))


def as_float(x: Value, like: Value) -> Value:
    """Converted to the element type of another tensor."""
    return as_type(x, like.dtype)


def transposed(x: Value, axes: Sequence[Any]) -> Value:
    """The dimensions in another order; reversed for ()."""
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
    rank = len(x.shape)
    if not order or order == (None,):
        order = tuple(reversed(range(rank)))
    is_order = all(is_integer(axis) for axis in order)
    if not is_order or sorted(axis % max(rank, 1) for axis in order) != list(range(rank)):
        raise located(
            ValueError,
            f"transpose of a tensor of rank {rank} takes each axis once, got {tuple(order)}",
        )
    return permuted(x, [axis % rank for axis in order])


def resized(x: Value, new_shape: Sequence[Any]) -> Value:
    """The first elements in a new shape, and zeros behind the last."""
    f = functions()
    first = new_shape[0] if len(new_shape) == 1 else new_shape
    shape = [first] if is_integer(first) else list(first)
    flat, size = f["flatten"](x), prod(shape)
    count = flat.shape[0]
    if size > count:
        flat = f["cat"]([flat, as_type(f["zeros"](size - count), x.dtype)])
    return reshaped(f["narrow"](flat, 0, 0, size), shape)


def product(x: Value, axis: Any, keepdims: bool) -> Value:
    """The product over an axis, several, or all."""
    rank = len(x.shape)
    dims = range(rank) if dim_of(axis) is None else [axis] if is_integer(axis) else axis
    axes = sorted(one % max(rank, 1) for one in dims)
    return op("flow.reduce_prod", x, axes=axes, keepdims=bool(keepdims)) if axes else x


def variance(x: Value, axis: Any, ddof: int, keepdims: bool) -> Value:
    """The variance, divided by the count less `ddof`."""
    f = functions()
    dims = dim_of(axis)
    mean = f["mean"](x, dims, True)
    count = prod(x.shape) // max(prod(mean.shape), 1)
    return f["sum"](f["square"](f["sub"](x, mean)), dims, keepdims) / (count - ddof)


def taken(x: Value, indices: Value, axis: Any, mode: str) -> Value:
    """The slices at these indices; those out of range are clipped, or wrapped."""
    f = functions()
    if mode not in ("clip", "wrap"):
        raise located(ValueError, f'mode of take must be "clip" or "wrap", got {kind_of(mode)}')
    source, along = (f["flatten"](x), 0) if axis is None else (x, axis)
    along %= len(source.shape)
    extent = source.shape[along]
    index = f["remainder"](indices, extent)
    if mode == "clip":
        index = f["clamp"](indices, 0, extent - 1)
    flat = f["index_select"](source, along, f["flatten"](index))
    shape = tuple(source.shape)
    return reshaped(flat, [*shape[:along], *indices.shape, *shape[along + 1 :]])


def extreme(x: Value, axis: int, keep_dims: bool, is_max: bool) -> tuple[Value, Value]:
    """The index and the value of the largest or the smallest element along an axis."""
    f = functions()
    place = f["argmax" if is_max else "argmin"](x, axis, keep_dims)
    return as_type(place, flow_type(types.int32)), f["amax" if is_max else "amin"](
        x, axis, keep_dims
    )


def padded(x: Value, paddings: Sequence[Sequence[int]]) -> Value:
    """Padded with zeros, by a pair of counts for each dimension."""
    before, after = zip(*paddings, strict=True)
    return op(
        "flow.pad", x, before=list(before), after=list(after), inside=[0] * len(before), value=0
    )


def mirror(x: Value, paddings: Any, mode: str) -> Value:
    """Padded by reflection, with or without the edge itself."""
    f = functions()
    if isinstance(paddings, Tensor):
        paddings = paddings.tolist()
    for d, (before, after) in enumerate(paddings):
        extent, skip = x.shape[d], 1 if mode == "REFLECT" else 0
        front = f["flip"](f["narrow"](x, d, skip, before), [d])
        back = f["flip"](f["narrow"](x, d, extent - skip - after, after), [d])
        x = f["cat"]([front, x, back], d)
    return x


def strided(x: Value, begin: Sequence[int], end: Sequence[int], strides: Any) -> Value:
    """The elements from begin to end, by strides."""
    steps = strides or (1,) * len(begin)
    return x[tuple(slice(*each) for each in zip(begin, end, steps, strict=True))]


def check_format(data_format: object) -> str:
    """Where channels are: "NCHW" or "NHWC"; a located ValueError for others."""
    if data_format not in ("NCHW", "NHWC"):
        raise located(
            ValueError, f'data_format must be "NCHW" or "NHWC", got {kind_of(data_format)}'
        )
    return str(data_format)


def channels_first(x: Value) -> Value:
    """A tensor of rank 4 with its last dimension in the second place."""
    if len(x.shape) != 4:
        raise located(
            ValueError, f'data_format "NHWC" takes tensors of rank 4, got shape {tuple(x.shape)}'
        )
    return functions()["permute"](x, 0, 3, 1, 2)


def _pair(value: Any) -> tuple[int, ...]:
    """Height and width from an int or from up to four numbers, of which they are the last."""
    return (value, value) if is_integer(value) else tuple(value)[-2:]


def conv2d(
    x: Value, weight: Value, *, out_channel: Any = None, kernel_size: Any = None, mode: int = 1,
    pad_mode: str = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1, group: int = 1,
    data_format: str = "NCHW",
) -> Value:  # fmt: skip
    """A convolution; the weight says how many channels there are, and how large the kernel is."""
    size = tuple(weight.shape)[1:3] if data_format == "NHWC" else tuple(weight.shape)[2:]
    return window("conv", x, weight, size=size, stride=stride, pad_mode=pad_mode, pad=pad,
                  dilation=dilation, group=group, data_format=data_format)  # fmt: skip


def max_pool(x: Value, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid",
             data_format: str = "NCHW") -> Value:  # fmt: skip
    """The largest element of each window."""
    return window("max", x, size=kernel_size, stride=strides, pad_mode=pad_mode,
                  data_format=data_format)  # fmt: skip


def avg_pool(x: Value, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid",
             data_format: str = "NCHW") -> Value:  # fmt: skip
    """The mean of each window, without what is padded."""
    return window("mean", x, size=kernel_size, stride=strides, pad_mode=pad_mode,
                  data_format=data_format)  # fmt: skip


def window(kind: str, x: Value, *weights: Any, size: Any, stride: Any, pad_mode: str, pad: Any = 0,
           dilation: Any = 1, group: int = 1, data_format: str = "NCHW") -> Value:  # fmt: skip
    """A convolution or pool in which "same" pads more behind, as MindSpore does.

    `pad` is a number, or those of top, bottom, left and right.
    """
    if check_format(data_format) == "NHWC":
        given = [channels_first(one) for one in (x, *weights)]
        made = window(kind, *given, size=size, stride=stride, pad_mode=pad_mode, pad=pad,
                      dilation=dilation, group=group)  # fmt: skip
        return functions()["permute"](made, 0, 2, 3, 1)
    sizes, strides, dilations = _pair(size), _pair(stride), _pair(dilation)
    mode = str(pad_mode).lower()
    if mode not in ("same", "valid", "pad"):
        raise located(
            ValueError, f'pad_mode must be "same", "valid" or "pad", got {kind_of(pad_mode)}'
        )
    sides = [(0, 0), (0, 0)]
    if mode == "same":
        for d in range(2):
            extent = x.shape[d + 2]
            reach = (-(-extent // strides[d]) - 1) * strides[d] + dilations[d] * (sizes[d] - 1) + 1
            whole = max(reach - extent, 0)
            sides[d] = whole // 2, whole - whole // 2
    elif mode == "pad":
        top, bottom, left, right = (pad,) * 4 if is_integer(pad) else tuple(pad)
        sides = [(top, bottom), (left, right)]
    elif pad not in (0, (0, 0, 0, 0)):
        raise located(ValueError, f'pad must be 0 unless pad_mode is "pad", got {pad}')
    if kind == "conv":
        even = all(before == after for before, after in sides)
        around = [before for before, _ in sides] if even else 0
        given = x if even else padded(x, [(0, 0), (0, 0), *sides])
        return F.conv2d(given, weights[0], None, strides, around, dilations, group)
    return _pooled(kind, x, sizes, strides, sides)


def _pooled(kind: str, x: Value, sizes: Any, strides: Any, sides: Any) -> Value:
    f = functions()
    if not any(map(any, sides)):
        pool = F.max_pool2d if kind == "max" else F.avg_pool2d
        return pool(x, sizes, strides)
    around = [(0, 0), (0, 0), *sides]
    if kind == "max":
        before, after = zip(*around, strict=True)
        lowest = float("-inf")
        wide = op("flow.pad", x, before=list(before), after=list(after), inside=[0] * 4,
                  value=lowest)  # fmt: skip
        return F.max_pool2d(wide, sizes, strides)
    # The mean of what lies inside of the image.
    counts = padded(as_type(f["ones"](1, 1, *x.shape[2:]), x.dtype), around)
    inside = F.avg_pool2d(counts, sizes, strides)
    return f["div"](F.avg_pool2d(padded(x, around), sizes, strides), inside)


def normalized(x: Value, axis: Any, epsilon: float) -> Value:
    """Divided by the Euclidean norm along an axis, whose square is at least epsilon."""
    f = functions()
    squares = f["sum"](f["square"](x), dim_of(axis), True)
    return x * f["rsqrt"](f["clamp"](squares, epsilon))


def moments_normed(x: Value, gamma: Value, beta: Value, first: int, epsilon: float) -> Any:
    """A layer normalization over the dimensions from `first` on, with mean and variance."""
    f = functions()
    rank = len(x.shape)
    dims = list(range(first % rank, rank))
    normed = F.layer_norm(x, list(x.shape[dims[0] :]), None, None, epsilon) * gamma + beta
    mean = f["mean"](x, dims, True)
    return normed, mean, f["mean"](f["square"](x - mean), dims, True)


def batch_norm(
    x: Value, scale: Value, bias: Value, mean: Value, variance: Value, *,
    is_training: bool = False, epsilon: float = 1e-5, momentum: float = 0.1,
    data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """A batch normalization, with the mean and the variance that it used."""
    f = functions()
    if check_format(data_format) == "NHWC":
        made, *others = batch_norm(
            channels_first(x), scale, bias, mean, variance, is_training=is_training,
            epsilon=epsilon, momentum=momentum,
        )  # fmt: skip
        return f["permute"](made, 0, 2, 3, 1), *others
    if not is_training:
        made = F.batch_norm(x, mean, variance, scale, bias, eps=epsilon)
        return made, mean, variance, mean, variance
    dims = [0, *range(2, len(x.shape))]
    average = f["mean"](x, dims)
    shape = [1, -1, *[1] * (len(x.shape) - 2)]
    spread = f["mean"](f["square"](x - f["reshape"](average, shape)), dims)
    made = F.batch_norm(x, None, None, scale, bias, training=True, eps=epsilon)
    return made, average, spread, average, spread


def swap_rank(x: Value, axis: int, depth: int) -> Value:
    """The last dimension moved to `axis`; -1 leaves it."""
    return x if axis == -1 else functions()["movedim"](x, -1, axis)


def add_n(values: Sequence[Value]) -> Value:
    """The sum of several tensors, in their order."""
    if not isinstance(values, tuple | list) or not values:
        raise located(TypeError, f"AddN takes a tuple of tensors, got {kind_of(values)}")
    total = values[0]
    for one in values[1:]:
        total = total + one
    return total


def typed_like(x: Value, like: Value) -> Value:
    """Converted to the element type of another tensor; sums of bools stay int64."""
    return x if is_bool(like) else as_type(x, like.dtype)


def ints(shape: Any) -> Any:
    """A shape from a tuple, or from a tensor with its extents."""
    return [int(one) for one in shape.tolist()] if isinstance(shape, Tensor) else shape


def ms_type(x: Value) -> types.Type:
    """The element type under MindSpore's name."""
    return types.bool_ if is_bool(x) else types.of_flow(x.dtype)


def one_hot_of(labels: Value, depth: int, on_value: Value, off_value: Value) -> Value:
    """`on_value` at the label, `off_value` elsewhere; tensors of rank 0, or numbers."""
    f = functions()
    ones = F.one_hot(labels, depth)
    like = on_value if isinstance(on_value, Tensor | Blob) else f["tensor"](float(on_value))
    return f["where"](f["eq"](ones, 1), like, off_value)


def sorted_of(x: Value, axis: int, descending: bool) -> tuple[Value, Value]:
    """The sorted elements and where they were."""
    values, places = functions()["sort"](x, axis, descending)
    return values, as_type(places, flow_type(types.int32))


def ranked(x: Value, k: int) -> tuple[Value, Value]:
    """The k largest elements of each row, and where they are."""
    values, places = functions()["topk"](x, k)
    return values, as_type(places, flow_type(types.int32))


def unique_of(x: Value) -> tuple[Value, Value]:
    """The different elements, and the index of each element among them."""
    values, places = functions()["unique"](x, True, True)
    return values, places


def sparse_entropy(logits: Value, labels: Value, is_grad: bool) -> Value:
    """The mean cross-entropy of labels, or its gradient by the logits."""
    f = functions()
    if not is_grad:
        return f["mean"](F.sparse_softmax_cross_entropy(labels, logits))
    ones = as_type(F.one_hot(labels, logits.shape[-1]), logits.dtype)
    return (f["softmax"](logits, -1) - ones) / prod(labels.shape)


def dropped(x: Value, keep_prob: float) -> tuple[Value, Value]:
    """Elements kept with this probability and divided by it, and the mask of those kept."""
    f = functions()
    mask = as_type(f["lt"](f["rand"](*x.shape), keep_prob), x.dtype)
    return x * mask / keep_prob, mask
