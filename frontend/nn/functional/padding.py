"""Padding by constants, the edge, the mirror image, or the opposite end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.functions.windows import shown
from penstock.nn.functional.constants import Array, taken
from penstock.tensor_functions.calls import given, op
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import fill_of

_MODES = ("constant", "reflect", "replicate", "circular")


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Pad the last dimensions before and after.

    `pad` is (before, after) of the last dimension, then of the second to last, and so on; negative
    numbers crop. `mode` is "constant" for `value`, by default 0; "replicate" for copies of the
    edge; "reflect" for the mirror image without the edge; "circular" for the elements of the
    opposite end, of those that are not cropped.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.pad(flow.tensor([[1.0, 2.0, 3.0]]), (2, 1), "reflect")
    tensor([[3., 2., 1., 2., 3., 2.]], dtype=penstock.float32)
    """
    what = "F.pad"
    x = given(input, what)
    if mode not in _MODES:
        words = ", ".join(f'"{word}"' for word in _MODES)
        raise located(ValueError, f"mode of {what} must be one of {words}, got {kind_of(mode)}")
    pairs = _pairs(pad, len(x.shape), what)
    if mode == "constant":
        return _constant(x, pairs, 0 if value is None else value, what)
    if value is not None and value != 0:
        raise located(ValueError, f'value of {what} is for mode="constant", got mode="{mode}"')
    for d, (before, after) in enumerate(pairs):
        if before or after:
            x = taken(x, d, _places(x.shape[d], before, after, mode, what))
    return x


def _pairs(pad: object, rank: int, what: str) -> list[tuple[int, int]]:
    listed = list(pad) if isinstance(pad, list | tuple) else []
    if (
        not isinstance(pad, list | tuple)
        or len(listed) % 2
        or len(listed) > 2 * rank
        or not all(is_integer(n) for n in listed)
    ):
        raise located(
            ValueError,
            f"pad of {what} must be (before, after) of the last dimension, and so on for at most "
            f"{rank} of them, got {shown(pad)}",
        )
    found = [(int(listed[i]), int(listed[i + 1])) for i in range(0, len(listed), 2)]
    return [(0, 0)] * (rank - len(found)) + found[::-1]


def _constant(x: Tensor, pairs: list[tuple[int, int]], value: float, what: str) -> Tensor:
    fill = fill_of(value, x.dtype, f"value of {what}")
    sizes = [n + min(b, 0) + min(a, 0) for n, (b, a) in zip(x.shape, pairs, strict=True)]
    if any(size < 0 for size in sizes):
        raise located(
            ValueError,
            f"pad of {what} cuts off more than there is of shape {tuple(x.shape)}: {pairs}",
        )
    if sizes != list(x.shape):
        starts = [max(-before, 0) for before, _ in pairs]
        x = op("flow.slice", x, starts=starts, sizes=sizes, steps=[1] * len(sizes))
    before, after = ([max(pair[i], 0) for pair in pairs] for i in (0, 1))
    if not any(before) and not any(after):
        return x
    return op(
        "flow.pad", x, before=before, after=after, inside=[0] * len(pairs), value=fill, what=what
    )


def _places(extent: int, before: int, after: int, mode: str, what: str) -> Array:
    """For each element of the result, its source index along a dimension."""
    kept = extent + min(before, 0) + min(after, 0)
    most = {"reflect": extent - 1, "circular": kept, "replicate": 2**31 if extent else 0}[mode]
    if max(before, after) > most or kept < 0:
        raise located(
            ValueError,
            f'pad of {what} with mode="{mode}" must be at most {most} along a dimension of '
            f"{extent} elements, got {before} and {after}",
        )
    wanted = np.arange(-before, extent + after)
    if mode == "circular":  # of what is left
        first = max(-before, 0)
        return first + (wanted - first) % max(kept, 1)
    if mode == "replicate":
        return np.asarray(np.clip(wanted, 0, extent - 1))
    return np.asarray(extent - 1 - np.abs(extent - 1 - np.abs(wanted)))
