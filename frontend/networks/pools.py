"""`flow.nn.max_pool1d` and its kin: maxima and means of windows of blobs."""

from __future__ import annotations

from penstock.basics.checks import check_flag
from penstock.basics.errors import located
from penstock.functions.windows import (
    Numbers,
    Padding,
    channels_come_last,
    check_rank,
    last_windows,
    numbers_of,
    padded,
    padding_of,
    space_of,
)
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.write import scalars
from penstock.trace.blob import Blob, apply, check_blob


def max_pool1d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NWC",
    name: str | None = None,
) -> Blob:
    """The maximum of each window along [n, width, channels], or "NCW": see `max_pool2d`."""
    return _pool(1, "max_pool", input, ksize, strides, padding, data_format, False, name)


def max_pool2d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The maximum of each window of [n, channels, height, width], or with "NHWC" [n, height, width,
    channels].

    `ksize` and `strides` are an int or one for each spatial dimension. `padding` is as for
    `flow.nn.conv2d`, must be less than the window, and never is the maximum. With `ceil_mode`, a
    last window that begins inside the input, or in the padding before it, counts even if it extends
    beyond the end. Of equal maxima, the first gets the gradient; NaN is the largest.

    Elements are floats or integers. Raises a located ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 2, 4))) -> tp.Numpy:
    ...     return flow.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
    >>> job(np.array([[[[1, 2, -3, -4], [8, 7, -6, -5]]]], np.float32))
    array([[[[ 8., -3.]]]], dtype=float32)
    """
    return _pool(2, "max_pool", input, ksize, strides, padding, data_format, ceil_mode, name)


def max_pool3d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCDHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The maximum of each window of [n, channels, depth, height, width], or "NDHWC": see
    `max_pool2d`."""
    return _pool(3, "max_pool", input, ksize, strides, padding, data_format, ceil_mode, name)


def avg_pool1d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCW",
    name: str | None = None,
) -> Blob:
    """The mean of each window along [n, channels, width], or "NWC": see `avg_pool2d`."""
    return _pool(1, "avg_pool", input, ksize, strides, padding, data_format, False, name)


def avg_pool2d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The mean of each window of [n, channels, height, width], or with "NHWC" [n, height, width,
    channels].

    The sum is divided by the number of input elements in the window; padding does not count. The
    rest is as for `max_pool2d`. Elements are floats.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 2, 3))) -> tp.Numpy:
    ...     return flow.nn.avg_pool2d(x, ksize=2, strides=2, padding="SAME_UPPER")
    >>> job(np.array([[[[1, 2, 3], [5, 4, 9]]]], np.float32))
    array([[[[3., 6.]]]], dtype=float32)
    """
    return _pool(2, "avg_pool", input, ksize, strides, padding, data_format, ceil_mode, name)


def avg_pool3d(
    input: Blob,
    ksize: Numbers,
    strides: Numbers,
    padding: Padding,
    data_format: str = "NCDHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The mean of each window of [n, channels, depth, height, width], or "NDHWC": see
    `avg_pool2d`."""
    return _pool(3, "avg_pool", input, ksize, strides, padding, data_format, ceil_mode, name)


def _pool(
    space: int,
    op: str,
    input: Blob,
    ksize: object,
    strides: object,
    padding: object,
    data_format: object,
    ceil_mode: object,
    name: str | None,
) -> Blob:
    """The pool of any rank."""
    what = f"flow.nn.{op}{space}d"
    x = check_blob(input, what)
    check_rank(x, space, "an input", what)
    last = channels_come_last(data_format, space, what)
    window = numbers_of(ksize, space, "ksize", what)
    steps = numbers_of(strides, space, "strides", what)
    pairs = padding_of(padding, x.shape, last, window, steps, what)
    if any(max(pair) >= size for pair, size in zip(pairs, window, strict=True)):
        raise located(
            ValueError,
            f"padding of {what} must be less than the window {window}, got spatial padding {pairs}",
        )
    if check_flag(ceil_mode, f"ceil_mode of {what}"):
        pairs = last_windows(space_of(x.shape, last), window, steps, pairs)
    attributes = {"window": window, "strides": steps, "channels_last": last}
    element = tensor(x.value).element
    if op == "avg_pool":
        attributes["before"], attributes["after"] = map(list, zip(*pairs, strict=True))
    value = scalars.lowest(element) if op == "max_pool" else 0
    whole = padded(x, pairs, last, value, what)
    return apply(f"flow.{op}", whole, name=name, what=what, **attributes)[0]
