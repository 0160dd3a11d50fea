"""`flow.layers.upsample_2d`: enlarges images by integer factors."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.errors import kind_of, located
from penstock.functions.windows import Numbers, channels_come_last, check_rank, numbers_of, space_of
from penstock.images.resampling import linear
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.types import TensorType
from penstock.networks.layer_parts import layer
from penstock.trace.blob import Blob, apply, check_blob


@layer
def upsample_2d(
    x: Blob,
    size: Numbers = (2, 2),
    data_format: str = "NCHW",
    interpolation: str = "nearest",
    name: str = "Upsample2D",
) -> Blob:
    """Enlarge images of shape [n, channels, height, width], or with "NHWC" [n, height, width,
    channels], by `size`: an int, or one for height and one for width.

    "nearest" repeats each element. "bilinear", for floats only, interpolates linearly between the
    centres of elements, and repeats the outermost elements beyond their centres, as
    torch.nn.Upsample does; it is two products with constant matrices.

    Raises a located ValueError for invalid arguments.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((1, 1, 1, 2))) -> tp.Numpy:
    ...     return flow.layers.upsample_2d(x, (1, 2), interpolation="bilinear")
    >>> job(np.array([[[[0, 4]]]], np.float32))
    array([[[[0., 1., 3., 4.]]]], dtype=float32)
    """
    what = "flow.layers.upsample_2d"
    blob = check_blob(x, what)
    check_rank(blob, 2, "pictures", what)
    last = channels_come_last(data_format, 2, what)
    factors = numbers_of(size, 2, "size", what)
    if interpolation not in ("nearest", "bilinear"):
        raise located(
            ValueError,
            f'interpolation of {what} must be "nearest" or "bilinear", '
            f"got {kind_of(interpolation)}",
        )
    grow = _repeated if interpolation == "nearest" else _interpolated
    return grow(blob, factors, last, name, what)


def _repeated(x: Blob, factors: Sequence[int], last: bool, name: str, what: str) -> Blob:
    """Repeat each element by the factors."""
    (height, width), (down, across) = space_of(x.shape, last), factors
    apart, repeated = [height, 1, width, 1], [height, down, width, across]
    whole = [height * down, width * across]

    def around(space: list[int]) -> list[int]:
        return [x.shape[0], *space, x.shape[3]] if last else [*x.shape[:2], *space]

    y = apply("flow.reshape", x, what=what, shape=around(apart))[0]
    y = apply("flow.broadcast_to", y, what=what, shape=around(repeated))[0]
    return apply("flow.reshape", y, name=name, what=what, shape=around(whole))[0]


def _interpolated(x: Blob, factors: Sequence[int], last: bool, name: str, what: str) -> Blob:
    """Multiply by a matrix along each spatial dimension."""
    if not x.dtype.is_float:
        raise located(
            ValueError, f'"bilinear" of {what} takes floats, got {x.dtype}: cast them first'
        )
    extents = space_of(x.shape, last)
    down, across = (_matrix(n, by, x, what) for n, by in zip(extents, factors, strict=True))
    if not last:
        wide = apply("flow.matmul", x, across, transpose_b=True, what=what)[0]
        return apply("flow.matmul", down, wide, name=name, what=what)[0]
    n, height, width, channels = x.shape
    wide = apply("flow.matmul", across, x, what=what)[0]
    lines = [n, height, width * factors[1] * channels]
    rows = apply("flow.reshape", wide, what=what, shape=lines)[0]
    high = apply("flow.matmul", down, rows, what=what)[0]
    shape = [n, height * factors[0], width * factors[1], channels]
    return apply("flow.reshape", high, name=name, what=what, shape=shape)[0]


def _matrix(extent: int, factor: int, like: Blob, what: str) -> Blob:
    """The interpolation weights of old elements in new ones."""
    shares = linear(extent, extent * factor)
    type = TensorType(shares.shape, tensor(like.value).element)
    return apply("flow.constant", what=what, value=DenseElementsAttr.of(shares, type))[0]
