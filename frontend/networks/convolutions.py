"""`flow.nn.conv1d` and its kin: convolutions and transposed convolutions of blobs."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_count
from penstock.basics.errors import kind_of, located
from penstock.functions.windows import (
    Numbers,
    Padding,
    channels_come_last,
    check_rank,
    integers_from,
    numbers_of,
    padded,
    padding_of,
    shown,
    space_of,
)
from penstock.trace.blob import Blob, apply, check_blob


def conv1d(
    input: Blob,
    filters: Blob,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCW",
    dilations: Numbers | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """The convolution of [n, channels, width], or with "NWC" [n, width, channels]: see `conv2d`."""
    return convolution(1, "flow.nn.conv1d", input, filters, strides, padding, data_format,
                       dilations, groups, name)  # fmt: skip


def conv2d(
    input: Blob,
    filters: Blob,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCHW",
    dilations: Numbers | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """y[n, f, p] = sum of input[n, c, p * strides + r * dilations] * filters[f, c, r].

    `input` is [n, channels, height, width] and `filters` [number, channels / groups, height,
    width]; with "NHWC" channels come last in both, and in y. Each of `groups` groups of filters
    uses its own group of channels. `strides` and `dilations` are an int or one for each spatial
    dimension.

    `padding` is "VALID" for none, or "SAME_UPPER" or "SAME_LOWER" for zeros that make y's extents
    those of the input divided by strides, rounded up; an odd element is added after or before.
    "SAME" is "SAME_LOWER". A list has (before, after), or one int for both, for each dimension;
    those of samples and channels must be 0. A filter element that is infinite or NaN may or may not
    turn these zeros into NaN.

    Elements are floats or integers. Raises a located ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 2, 3)), w: tp.Numpy.Placeholder((1, 1, 1, 2))
    ... ) -> tp.Numpy:
    ...     return flow.nn.conv2d(x, w, strides=1, padding="SAME_UPPER")
    >>> x = np.array([[[[1, 2, 3], [4, 5, 6]]]], np.float32)
    >>> job(x, np.array([[[[1, 10]]]], np.float32))
    array([[[[21., 32.,  3.],
             [54., 65.,  6.]]]], dtype=float32)
    """
    return convolution(2, "flow.nn.conv2d", input, filters, strides, padding, data_format,
                       dilations, groups, name)  # fmt: skip


def conv3d(
    input: Blob,
    filters: Blob,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCDHW",
    dilations: Numbers | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """The convolution of [n, channels, depth, height, width], or with "NDHWC" [n, depth, height,
    width, channels]: see `conv2d`."""
    return convolution(3, "flow.nn.conv3d", input, filters, strides, padding, data_format,
                       dilations, groups, name)  # fmt: skip


def compat_conv2d(
    input: Blob,
    filters: Blob,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCHW",
    dilations: Numbers | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """`conv2d`, except that "SAME" is "SAME_UPPER", as in TensorFlow."""
    same = isinstance(padding, str) and padding.upper() == "SAME"
    return convolution(2, "flow.nn.compat_conv2d", input, filters, strides,
                       "SAME_UPPER" if same else padding, data_format, dilations, groups,
                       name)  # fmt: skip


def convolution(
    space: int,
    what: str,
    input: Blob,
    filters: Blob,
    strides: object,
    padding: object,
    data_format: object,
    dilations: object,
    groups: object,
    name: str | None,
) -> Blob:
    """The convolution of any rank; `what` is the public name, for errors."""
    x, w = check_blob(input, what), check_blob(filters, what)
    check_rank(x, space, "an input", what)
    check_rank(w, space, "filters", what)
    last = channels_come_last(data_format, space, what)
    steps = numbers_of(strides, space, "strides", what)
    apart = numbers_of(1 if dilations is None else dilations, space, "dilations", what)
    window = space_of(w.shape, last)
    _check_groups(x.shape[-1 if last else 1], w.shape[-1 if last else 1], groups, what)
    reach = [(size - 1) * away + 1 for size, away in zip(window, apart, strict=True)]
    pairs = padding_of(padding, x.shape, last, reach, steps, what)
    return apply(
        "flow.conv", padded(x, pairs, last, 0, what), w, name=name, what=what,
        strides=steps, dilations=apart, channels_last=last,
    )[0]  # fmt: skip


def _check_groups(channels: int, own: int, groups: object, what: str) -> None:
    """Raise a located ValueError unless the channels divide among the groups of filters."""
    number = check_count(groups, f"groups of {what}")
    if channels != own * number:
        raise located(
            ValueError,
            f"{what} takes filters of as many channels as the input has in each group: the input "
            f"has {channels} in {number} group{'s' * (number > 1)}, and filters {own}",
        )


# -- transposed convolutions ----------------------------------------------------------------------


def conv2d_transpose(
    value: Blob | None = None,
    filter: Blob | None = None,
    output_shape: Sequence[int] | None = None,
    strides: Numbers | None = None,
    padding: str = "VALID",
    data_format: str = "NCHW",
    name: str | None = None,
    input: Blob | None = None,
    filters: Blob | None = None,
    dilations: Numbers | None = None,
) -> Blob:
    """Transposed convolution: the data gradient of a convolution whose result has `value`'s shape.

    `value` (or `input`) is [n, channels, height, width], `filter` (or `filters`) [channels, number,
    height, width], and y has `output_shape`, [n, number, height, width]; with "NHWC", channels come
    last, and the filters' last dimension is the number of y's channels. A convolution of y with
    these strides, dilations and padding, "VALID" or "SAME" (as "SAME_UPPER"), must give `value`'s
    shape.

    Raises a located ValueError for invalid arguments.
    """
    what = "flow.nn.conv2d_transpose"
    x, w = _one_of(value, input, "value", what), _one_of(filter, filters, "filter", what)
    last, steps, reach, apart = _geometry(x, w, strides, data_format, dilations, what)
    wanted = _output_shape(x, w, output_shape, last, what)
    if not isinstance(padding, str) or padding.upper() not in ("SAME", "VALID"):
        raise located(
            ValueError, f'padding of {what} must be "SAME" or "VALID", got {kind_of(padding)}'
        )
    word = "SAME_UPPER" if padding.upper() == "SAME" else "VALID"
    pairs = padding_of(word, wanted, last, reach, steps, what)
    whole = [n + sum(pair) for n, pair in zip(space_of(wanted, last), pairs, strict=True)]
    seen = [(n - r) // s + 1 for n, r, s in zip(whole, reach, steps, strict=True)]
    if seen != space_of(x.shape, last):
        raise located(
            ValueError,
            f'{what} cannot give shape {tuple(wanted)}: a convolution of that with "{padding}" has '
            f"spatial shape {tuple(seen)}, but the value has shape {x.shape}",
        )
    starts = [before for before, _ in pairs]
    return _transposed(x, w, steps, apart, last, whole, starts, wanted, name, what)


def torch_conv2d_transpose(
    value: Blob | None = None,
    filter: Blob | None = None,
    output_padding: Numbers | None = None,
    strides: Numbers | None = None,
    padding_needed: Sequence[int] | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
    input: Blob | None = None,
    filters: Blob | None = None,
    dilations: Numbers | None = None,
) -> Blob:
    """`conv2d_transpose`, with the shape of y given as in torch.nn.ConvTranspose2d.

    An extent of y is (x - 1) * stride + reach - padding_needed + output_padding, with reach =
    (filter - 1) * dilation + 1. `padding_needed`, an even number for each spatial dimension, is cut
    off, half on each side; `output_padding`, less than the stride, is added at the end.

    Raises a located ValueError for invalid arguments.
    """
    what = "flow.nn.torch_conv2d_transpose"
    x, w = _one_of(value, input, "value", what), _one_of(filter, filters, "filter", what)
    last, steps, reach, apart = _geometry(x, w, strides, data_format, dilations, what)
    more = _at_least_0(output_padding, "output_padding", what)
    cut = _at_least_0(padding_needed, "padding_needed", what)
    if any(n % 2 for n in cut) or any(n >= s for n, s in zip(more, steps, strict=True)):
        raise located(
            ValueError,
            f"padding_needed of {what} must be even numbers and output_padding less than the "
            f"strides {steps}, got {cut} and {more}",
        )
    extents = zip(space_of(x.shape, last), steps, reach, strict=True)
    seen = [(n - 1) * step + size for n, step, size in extents]
    wanted = [n - c + m for n, c, m in zip(seen, cut, more, strict=True)]
    if min(wanted) < 1:
        raise located(
            ValueError,
            f"padding_needed of {what}, {cut}, removes all of the spatial extents {seen}",
        )
    starts = [n // 2 for n in cut]
    whole = [max(n, at + extent) for n, at, extent in zip(seen, starts, wanted, strict=True)]
    number = w.shape[-1 if last else 1]
    shape = [x.shape[0], *wanted, number] if last else [x.shape[0], number, *wanted]
    return _transposed(x, w, steps, apart, last, whole, starts, shape, name, what)


def _one_of(blob: Blob | None, alias: Blob | None, word: str, what: str) -> Blob:
    """The argument that was given under one of two names."""
    if (blob is None) == (alias is None):
        other = "input" if word == "value" else "filters"
        raise located(ValueError, f"{what} takes exactly one of {word} and {other}")
    return check_blob(alias if blob is None else blob, what)


def _geometry(
    x: Blob, w: Blob, strides: object, data_format: object, dilations: object, what: str
) -> tuple[bool, list[int], list[int], list[int]]:
    """Whether channels come last, the strides, the window's extents with dilation, the
    dilations."""
    check_rank(x, 2, "a value", what)
    check_rank(w, 2, "a filter", what)
    last = channels_come_last(data_format, 2, what)
    steps = numbers_of(strides, 2, "strides", what)
    apart = numbers_of(1 if dilations is None else dilations, 2, "dilations", what)
    sizes = zip(space_of(w.shape, last), apart, strict=True)
    channels = x.shape[-1 if last else 1]
    if w.shape[0] != channels:
        raise located(
            ValueError,
            f"{what} takes a filter whose first dimension is the {channels} channels of its value, "
            f"got shape {w.shape}",
        )
    return last, steps, [(size - 1) * away + 1 for size, away in sizes], apart


def _output_shape(x: Blob, w: Blob, value: object, last: bool, what: str) -> list[int]:
    """The shape of y: samples from x, channels from w."""
    listed = integers_from(1, value) if isinstance(value, list | tuple) else None
    place = -1 if last else 1
    wanted = (x.shape[0], w.shape[place])
    if listed is None or len(listed) != 4 or (listed[0], listed[place]) != wanted:
        raise located(
            ValueError,
            f"output_shape of {what} must be a list of 4 ints, with {x.shape[0]} samples and "
            f"{w.shape[place]} channels, got {shown(value)}",
        )
    return listed


def _at_least_0(value: object, word: str, what: str) -> list[int]:
    """Two numbers of at least 0; None means zeros."""
    both = [0, 0] if value is None else value
    listed = integers_from(0, list(both) if isinstance(both, list | tuple) else [both] * 2)
    if listed is None or len(listed) != 2:
        raise located(
            ValueError, f"{word} of {what} must be 2 ints of at least 0, got {shown(value)}"
        )
    return listed


def _transposed(
    x: Blob,
    w: Blob,
    strides: Sequence[int],
    dilations: Sequence[int],
    last: bool,
    whole: Sequence[int],
    starts: Sequence[int],
    wanted: Sequence[int],
    name: str | None,
    what: str,
) -> Blob:
    """The part of spatial shape `wanted` at `starts`, of a blob with spatial shape `whole`."""
    shape, begin = list(wanted), [0] * 4
    inner = slice(1, 3) if last else slice(2, 4)
    shape[inner], begin[inner] = list(whole), list(starts)
    cut = shape != list(wanted)
    y = apply(
        "flow.conv_data_grad", x, w, name=None if cut else name, what=what,
        strides=strides, dilations=dilations, channels_last=last, shape=shape,
    )[0]  # fmt: skip
    if not cut:
        return y
    return apply(
        "flow.slice", y, name=name, what=what, starts=begin, sizes=list(wanted), steps=[1] * 4
    )[0]
