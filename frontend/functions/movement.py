"""Functions that move elements: reversing, rolling, splitting, padding, pixel shuffles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.functions.ops import concat, pad, pairs_of, reshape
from penstock.functions.windows import channels_come_last, numbers_of, padding_of
from penstock.trace.blob import Blob, apply, binary, check_blob, check_static, fill_of
from penstock.trace.thin import axes_of, axis_of, integers_of


def reverse(input: Blob, axis: int | Sequence[int], name: str | None = None) -> Blob:
    """Reverse the elements along one axis or several.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.reverse(x, 0)
    >>> job(np.array([1, 2, 3], np.float32))
    array([3., 2., 1.], dtype=float32)
    """
    what = "flow.reverse"
    blob = check_blob(input, what)
    if axis is None:
        raise located(TypeError, f"axis of {what} must be an int or a list of ints, got None")
    return _reversed(blob, axes_of(axis, len(blob.shape), what), name)


def _reversed(blob: Blob, axes: Sequence[int], name: str | None = None) -> Blob:
    backward = [d in axes for d in range(len(blob.shape))]
    return apply(
        "flow.slice", blob, name=name or "reverse",
        starts=[max(n - 1, 0) if back else 0 for n, back in zip(blob.shape, backward, strict=True)],
        sizes=list(blob.shape), steps=[-1 if back else 1 for back in backward],
    )[0]  # fmt: skip


def flip(x: Blob, dims: int | Sequence[int], name: str | None = None) -> Blob:
    """Reverse the elements along some dimensions: as `reverse`."""
    what = "flow.flip"
    blob = check_blob(x, what)
    axes = axes_of(numbers(dims, f"dims of {what}"), len(blob.shape), what)
    return _reversed(blob, axes, name or "flip")


def roll(
    x: Blob,
    shifts: int | Sequence[int],
    dims: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Blob:
    """Roll the elements along each of `dims` by a shift; those beyond the end wrap around.

    Without `dims`, elements are rolled in row-major order.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 3))) -> tuple[tp.Numpy, tp.Numpy]:
    ...     return flow.roll(x, 1), flow.roll(x, [1, -1], [0, 1])
    >>> for y in job(np.array([[1, 2, 3], [4, 5, 6]], np.float32)):
    ...     print(y)
    [[6. 1. 2.]
     [3. 4. 5.]]
    [[5. 6. 4.]
     [2. 3. 1.]]
    """
    what = "flow.roll"
    blob = check_blob(x, what)
    if dims is None:
        flat = reshape(blob, [prod(blob.shape)])
        return reshape(roll(flat, shifts, 0, name), blob.shape)
    axes = [axis_of(one, len(blob.shape), what) for one in numbers(dims, f"dims of {what}")]
    amounts = numbers(shifts, f"shifts of {what}")
    if len(axes) != len(amounts):
        raise located(
            ValueError, f"{what} takes a shift for each of dims, got {len(amounts)} for {len(axes)}"
        )
    moved = [sum(s for s, a in zip(amounts, axes, strict=True) if a == d)
             for d in range(len(blob.shape))]  # fmt: skip
    return apply("flow.roll", blob, shifts=moved, name=name, what=what)[0]


def numbers(value: object, what: str) -> list[int]:
    """A list of ints, from an int or a list of them."""
    return integers_of(value if isinstance(value, list | tuple) else [value], what)


def expand(x: Blob, expand_size: Sequence[int], name: str | None = None) -> Blob:
    """Broadcast x along dimensions of extent 1 and new leading ones; -1 keeps an extent."""
    what = "flow.expand"
    blob, wanted = check_blob(x, what), integers_of(expand_size, f"expand_size of {what}")
    new = len(wanted) - len(blob.shape)
    if any(n < 0 for n in wanted[: max(new, 0)]):
        raise located(
            ValueError,
            f"{what} of a blob of shape {blob.shape} takes extents of at least 0 for the {new} new "
            f"dimensions, got {wanted}: -1 keeps an existing extent",
        )
    shape = [blob.shape[i - new] if n == -1 and i >= new else n for i, n in enumerate(wanted)]
    return apply("flow.broadcast_to", blob, shape=shape, name=name or "expand", what=what)[0]


def tile(input: Blob, dims: int | Sequence[int], name: str | None = None) -> Blob:
    """Tile the blob along each dimension, counted from the right; further numbers add leading ones.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     return flow.tile(x, (2, 3))
    >>> job(np.array([1, 2], np.float32))
    array([[1., 2., 1., 2., 1., 2.],
           [1., 2., 1., 2., 1., 2.]], dtype=float32)
    """
    what = "flow.tile"
    blob, times = check_blob(input, what), numbers(dims, f"dims of {what}")
    if any(n < 0 for n in times):
        raise located(ValueError, f"dims of {what} must be at least 0, got {times}")
    rank = max(len(blob.shape), len(times))
    times = [1] * (rank - len(times)) + times
    shape = [1] * (rank - len(blob.shape)) + list(blob.shape)
    pairs = list(zip(times, shape, strict=True))
    apart = reshape(blob, [part for n in shape for part in (1, n)])
    whole = apply("flow.broadcast_to", apart, shape=[part for pair in pairs for part in pair])[0]
    return reshape(whole, [n * extent for n, extent in pairs], name or "tile")


def split(
    x: Blob, split_size_or_sections: int | Sequence[int], dim: int = 0, name: str | None = None
) -> list[Blob]:
    """Split a blob along a dimension, into parts of one size (the last may be smaller) or given
    sizes.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((5,))) -> list[tp.Numpy]:
    ...     return [*flow.split(x, 3), *flow.split(x, [1, 4])]
    >>> for y in job(np.arange(5, dtype=np.float32)):
    ...     print(y)
    [0. 1. 2.]
    [3. 4.]
    [0.]
    [1. 2. 3. 4.]
    """
    what, word = "flow.split", "split_size_or_sections"
    blob = check_blob(x, what)
    axis = axis_of(dim, len(blob.shape), what)
    extent = blob.shape[axis]
    parts = numbers(split_size_or_sections, f"{word} of {what}")
    sizes = parts
    if is_integer(split_size_or_sections):
        (size,) = parts
        if size < 1:
            raise located(ValueError, f"{word} of {what} must be at least 1, got {size}")
        sizes = [min(size, extent - start) for start in range(0, extent, size)]
    if sum(sizes) != extent or any(size < 0 for size in sizes):
        raise located(
            ValueError,
            f"{word} of {what} must add up to {extent}, the extent of dimension {axis} of shape "
            f"{blob.shape}, got {sizes}",
        )
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    pairs = zip(starts, sizes, strict=True)
    return [_span(blob, axis, start, size, name or "split") for start, size in pairs]


def broadcast_to_compatible_with(
    x: Blob, compatible: Sequence[Blob], name: str | None = None
) -> Blob:
    """x broadcast to the shape that it and all of these blobs broadcast to."""
    what = "flow.broadcast_to_compatible_with"
    blob = check_blob(x, what)
    if not isinstance(compatible, list | tuple):
        raise located(TypeError, f"{what} takes a list of blobs, got {kind_of(compatible)}")
    shapes = [blob.shape, *(check_static(other, what).shape for other in compatible)]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise located(ValueError, f"{what} takes shapes that broadcast, got {shapes}") from None
    return apply("flow.broadcast_to", blob, shape=list(shape), name=name, what=what)[0]


# -- edges ----------------------------------------------------------------------------------------

Edge = Callable[[Blob, int, int, bool], Blob]
"""Makes the elements before or after a blob, from the blob, an axis, a width and the side."""


def _span(blob: Blob, axis: int, start: int, size: int, name: str | None = None) -> Blob:
    starts = [start if d == axis else 0 for d in range(len(blob.shape))]
    sizes = [size if d == axis else n for d, n in enumerate(blob.shape)]
    steps = [1] * len(sizes)
    return apply("flow.slice", blob, name=name, starts=starts, sizes=sizes, steps=steps)[0]


def _mirror(blob: Blob, axis: int, count: int, ahead: bool) -> Blob:
    """The elements next to the edge in reverse order; the edge itself is not repeated."""
    start = 1 if ahead else blob.shape[axis] - 1 - count
    return _reversed(_span(blob, axis, start, count), [axis])


def _edge(blob: Blob, axis: int, count: int, ahead: bool) -> Blob:
    """The edge, repeated."""
    one = _span(blob, axis, 0 if ahead else blob.shape[axis] - 1, 1)
    shape = [count if d == axis else n for d, n in enumerate(blob.shape)]
    return apply("flow.broadcast_to", one, shape=shape)[0]


def _around(x: Blob, padding: object, edge: Edge, most: int, name: str | None, what: str) -> Blob:
    """Pad a batch of images by these widths, each at most the extent plus `most`."""
    blob, pairs = _image(x, padding, what)
    for axis, widths in zip((2, 3), pairs, strict=True):
        extent = blob.shape[axis]
        if any(widths) and not extent:
            raise located(
                ValueError,
                f"{what} repeats elements, but dimension {axis} of shape {blob.shape} has none; "
                "give it at least one",
            )
        if any(widths) and max(widths) > extent + most:
            raise located(
                ValueError,
                f"padding of {what} must be at most {extent + most} along dimension {axis} of "
                f"shape {blob.shape}, got {max(widths)}",
            )
        before, behind = widths
        parts = [edge(blob, axis, before, True)] if before else []
        parts += [blob, *([edge(blob, axis, behind, False)] if behind else [])]
        blob = concat(parts, axis) if len(parts) > 1 else blob
    return apply("flow.identity", blob, name=name or what.partition(".")[2], what=what)[0]


def _image(x: Blob, padding: object, what: str) -> tuple[Blob, list[tuple[int, int]]]:
    """A blob (N, C, H, W), and the widths around H and W from (left, right, top, bottom)."""
    blob = check_blob(x, what)
    if len(blob.shape) != 4:
        raise located(ValueError, f"{what} takes a blob (N, C, H, W), got shape {blob.shape}")
    amounts = [padding] * 4 if is_integer(padding) else padding
    widths = integers_of(amounts, f"padding of {what}")
    if len(widths) != 4 or min(widths) < 0:
        raise located(
            ValueError,
            f"padding of {what} must be an int or (left, right, top, bottom), none below 0, got "
            f"{padding}",
        )
    left, right, top, bottom = widths
    return blob, [(top, bottom), (left, right)]


def reflection_pad2d(x: Blob, padding: int | Sequence[int], name: str | None = None) -> Blob:
    """Pad images (N, C, H, W) by reflection; edges are not repeated.

    `padding` is one width, or (left, right, top, bottom), as in OneFlow v0.4. OneFlow v0.3.4 pads
    top and bottom by the third entry, left and right by the fourth.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 1, 3))) -> tp.Numpy:
    ...     return flow.reflection_pad2d(x, [2, 1, 0, 0])
    >>> job(np.array([[[[1, 2, 3]]]], np.float32))
    array([[[[3., 2., 1., 2., 3., 2.]]]], dtype=float32)
    """
    return _around(x, padding, _mirror, -1, name, "flow.reflection_pad2d")


def replication_pad2d(x: Blob, padding: int | Sequence[int], name: str | None = None) -> Blob:
    """Pad images (N, C, H, W) by repeating their edges.

    `padding` is one width, or (left, right, top, bottom).
    """
    return _around(x, padding, _edge, 2**31, name, "flow.replication_pad2d")


def constant_pad2d(
    x: Blob, padding: int | Sequence[int], constant_value: float = 0, name: str | None = None
) -> Blob:
    """Pad images (N, C, H, W) with a constant.

    `padding` is one width, or (left, right, top, bottom).
    """
    what = "flow.constant_pad2d"
    blob, pairs = _image(x, padding, what)
    fill = fill_of(constant_value, blob.dtype, f"constant_value of {what}")
    return pad(blob, [(0, 0), (0, 0), *pairs], fill, name or "constant_pad2d")


def zero_pad2d(x: Blob, padding: int | Sequence[int], name: str | None = None) -> Blob:
    """Pad images (N, C, H, W) with zeros; `padding` is as for `constant_pad2d`."""
    return constant_pad2d(x, padding, 0, name or "zero_pad2d")


def same_padding(
    x: Blob,
    padding: str,
    data_format: str,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    dilation_rate: Sequence[int],
    name: str | None = None,
) -> Blob:
    """Pad x with zeros so that a window with these strides has ceil(extent / stride) positions.

    `padding` is "same_upper" or "same_lower", the side that gets the extra element if the number is
    odd.
    """
    what = "flow.same_padding"
    blob = check_blob(x, what)
    if not isinstance(padding, str) or padding.lower() not in ("same_upper", "same_lower"):
        raise located(
            ValueError,
            f'padding of {what} must be "same_upper" or "same_lower", got {kind_of(padding)}',
        )
    space = len(blob.shape) - 2
    if space not in (1, 2, 3):
        raise located(ValueError, f"{what} takes 1 to 3 spatial dimensions, got {blob.shape}")
    last = channels_come_last(data_format, space, what)
    lists = zip(
        ("kernel_size", "strides", "dilation_rate"), (kernel_size, strides, dilation_rate),
        strict=True,
    )  # fmt: skip
    sizes, steps, apart = (numbers_of(values, space, word, what) for word, values in lists)
    reach = [(k - 1) * d + 1 for k, d in zip(sizes, apart, strict=True)]
    pairs = padding_of(padding, blob.shape, last, reach, steps, what)
    whole = [(0, 0), *pairs, (0, 0)] if last else [(0, 0), (0, 0), *pairs]
    return pad(blob, whole, 0, name or "same_padding")


def pad_grad(
    x: Blob,
    paddings: Sequence[Sequence[int]],
    constant_value: float = 0,
    name: str | None = None,
) -> Blob:
    """Remove (before, after) elements per dimension: the gradient of `flow.pad`."""
    what = "flow.pad_grad"
    blob = check_blob(x, what)
    fill_of(constant_value, blob.dtype, f"constant_value of {what}")
    pairs = pairs_of(paddings, blob, what, 0)
    sizes = [n - sum(pair) for n, pair in zip(blob.shape, pairs, strict=True)]
    starts = [pair[0] for pair in pairs]
    steps = [1] * len(pairs)
    label = name or "pad_grad"
    return apply(
        "flow.slice", blob, starts=starts, sizes=sizes, steps=steps, name=label, what=what
    )[0]


# -- images ---------------------------------------------------------------------------------------


def PixelShuffle(input: Blob, upscale_factor: int, name: str | None = None) -> Blob:
    """(N, C r r, H, W) to (N, C, H r, W r): channels become adjacent pixels."""
    what = "flow.nn.PixelShuffle"
    return _shuffled(input, upscale_factor, upscale_factor, name, what)


def PixelShufflev2(
    input: Blob, h_upscale_factor: int, w_upscale_factor: int, name: str | None = None
) -> Blob:
    """(N, C h w, H, W) to (N, C, H h, W w): channels become adjacent pixels."""
    what = "flow.nn.PixelShufflev2"
    return _shuffled(input, h_upscale_factor, w_upscale_factor, name, what)


def _shuffled(x: Blob, down: int, right: int, name: str | None, what: str) -> Blob:
    blob = check_blob(x, what)
    factors = integers_of([down, right], f"the factors of {what}")
    if len(blob.shape) != 4 or min(factors) < 1 or blob.shape[1] % (down * right):
        raise located(
            ValueError,
            f"{what} takes a blob (N, C, H, W) whose C is divisible by {down} * {right}, got shape "
            f"{blob.shape}",
        )
    n, channels, height, width = blob.shape
    kept = channels // (down * right)
    apart = reshape(blob, [n, kept, down, right, height, width])
    order = [0, 1, 4, 2, 5, 3]
    turned = apply("flow.transpose", apart, permutation=order, what=what)[0]
    return reshape(turned, [n, kept, height * down, width * right], name or what.split(".")[-1])


# -- gradients as functions -----------------------------------------------------------------------


def softmax_grad(y: Blob, dy: Blob, axis: int | None = None, name: str | None = None) -> Blob:
    """The gradient of softmax's operand, from its result and the result's gradient."""
    what = "flow.nn.softmax_grad"
    place = -1 if axis is None else axis
    axes = axes_of(place, len(check_blob(y, what).shape), what)
    products = binary("flow.multiply", y, dy, what=what)
    total = apply("flow.reduce_sum", products, axes=axes, keepdims=True, what=what)[0]
    return binary("flow.multiply", y, binary("flow.subtract", dy, total, what=what), name, what)
