"""Order statistics and searches: medians, quantiles, modes, distinct elements, samples."""

from __future__ import annotations

from math import floor, inf, nan, prod
from typing import Any

import numpy as np

from penstock.basics.checks import check_integer, check_number
from penstock.basics.dtypes import DType, float32, float64, int32, int64
from penstock.basics.errors import located
from penstock.tensor_functions.calls import (
    as_type,
    constant,
    counted_type,
    dim_of,
    either,
    numbers,
    op,
    pair,
    reshaped,
)
from penstock.tensor_functions.pointwise import where
from penstock.tensor_functions.random_numbers import rand
from penstock.tensor_functions.reductions import Extremes, amax, any, argmax, cumsum, sum
from penstock.tensor_functions.selecting import (
    argsort,
    gather,
    index_select,
    nonzero,
    scatter,
    sort,
)
from penstock.tensor_functions.shapes import cat, flatten, movedim, narrow, select, unsqueeze
from penstock.tensors import modes
from penstock.tensors.creation import full
from penstock.tensors.tensor import Tensor, check_tensor, wrap
from penstock.trace.blob import Blob


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median, the lower of two; along a dimension, also its index. Where there is a NaN, it is
    NaN, as is that of no floats.

    The gradient goes to the element of that index; without `dim`, equal elements share it.
    """
    x = either(input, "flow.median")
    if dim is None:
        flat = flatten(x)
        if not flat.shape[0] and x.dtype.is_float:
            return full((), nan, dtype=x.dtype)
        found, _ = _middle(flat, 0)
        if not x.dtype.is_float:
            return reshaped(found, [])
        same = pair("flow.logical_or", pair("flow.equal", flat, found), _is_nan(flat))
        return amax(where(same, flat, -inf))
    axis = dim_of(dim, len(x.shape), "flow.median")
    if not x.shape:
        return Extremes(x, constant(np.zeros((), np.int64), x))
    if not x.shape[axis]:
        raise located(
            IndexError, f"flow.median needs elements along dimension {axis} of {tuple(x.shape)}"
        )
    return Extremes(*(one if keepdim else _without(one, axis) for one in _middle(x, axis)))


def _middle(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The medians along an axis, which is kept, and where they are."""
    values, indices = sort(x, axis)
    extent = int(values.shape[axis])
    at = (extent - 1) // 2
    if not x.dtype.is_float:
        return narrow(values, axis, at, 1), narrow(indices, axis, at, 1)
    nans = sum(_is_nan(values), axis, True)  # they come last
    places = where(pair("flow.equal", nans, 0), at, pair("flow.subtract", extent, nans))
    return gather(values, axis, places), gather(indices, axis, places)


def _is_nan(x: Tensor) -> Tensor:
    return pair("flow.not_equal", x, x)


def _without(x: Tensor, axis: int) -> Tensor:
    return reshaped(x, [n for d, n in enumerate(x.shape) if d != axis])


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Extremes:
    """The most frequent element along a dimension, the least of several, and an index of it."""
    x = either(input, "flow.mode")
    if not x.shape:
        return Extremes(x, constant(np.zeros((), np.int64), x))
    axis = dim_of(dim, len(x.shape), "flow.mode")
    values, places = sort(x, axis)
    last, at = movedim(values, axis, -1), movedim(places, axis, -1)
    same = pair("flow.equal", unsqueeze(last, -1), unsqueeze(last, -2))
    counts = sum(same, -1)
    first = argmax(counts, -1, True)
    # The sort is stable, so the last of equal elements has the largest index.
    found = pair("flow.subtract", pair("flow.add", first, gather(counts, -1, first)), 1)
    pairs = [movedim(gather(one, -1, found), -1, axis) for one in (last, at)]
    return Extremes(*(one if keepdim else _without(one, axis) for one in pairs))


def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The q-quantile, with q from 0 to 1, of the elements along a dimension."""
    x = either(input, "flow.quantile")
    rank = len(x.shape)
    axis = 0 if dim is None else dim_of(dim, rank, "flow.quantile")
    ordered = sort(flatten(x) if dim is None else x, axis).values
    shares = np.asarray(q, np.float64)
    if shares.size and not 0 <= float(shares.min()) <= float(shares.max()) <= 1:
        raise located(ValueError, "q of flow.quantile must lie in [0, 1]")
    made = []
    for share in shares.reshape(-1).tolist():
        exact = share * (ordered.shape[axis] - 1)
        low = floor(exact)
        high = min(low + 1, ordered.shape[axis] - 1)
        weight = _weight(exact - low, low, interpolation)
        first, second = (select(ordered, axis, place) for place in (low, high))
        part = pair("flow.add", first, pair("flow.multiply", pair("flow.subtract", second, first),
                                            weight))  # fmt: skip
        if keepdim:
            part = unsqueeze(part, axis) if dim is not None else reshaped(part, [1] * rank)
        made.append(unsqueeze(part, 0))
    whole = cat(made, 0)
    return whole if shares.ndim else select(whole, 0, 0)


def _weight(share: float, low: int, interpolation: str) -> float:
    """The weight of the upper neighbour in the interpolation."""
    nearest = round(low + share) - low
    known = {
        "linear": share, "lower": 0.0, "higher": 1.0 if share else 0.0, "midpoint":
        0.5 if share else 0.0, "nearest": float(nearest),
    }  # fmt: skip
    if interpolation not in known:
        words = ", ".join(known)
        raise located(
            ValueError, f"interpolation of flow.quantile is one of {words}, got {interpolation!r}"
        )
    return known[interpolation]


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dtype: DType = int64,
) -> Any:
    """The distinct elements, sorted or in the order of their first occurrence.

    If asked for, also the index of each element among them, and their counts, both of `dtype`.
    """
    x = numbers(input, "flow.unique")
    if modes.mode.traced is not None:
        raise located(
            RuntimeError,
            "flow.unique of a captured tensor runs once, while a function is traced; call it "
            "outside, and pass the result",
        )
    flat = flatten(x)
    values, places = sort(flat)
    count = flat.shape[0]
    if count:
        differ = pair("flow.not_equal", narrow(values, 0, 1, count - 1),
                      narrow(values, 0, 0, count - 1))  # fmt: skip
        first = cat([wrap(np.ones(1, np.bool_)), differ], 0)
    else:
        first = wrap(np.zeros(0, np.bool_))
    starts = nonzero(first, as_tuple=True)[0]
    order = argsort(places[starts]) if not sorted else None
    made = [values[starts] if order is None else values[starts][order]]
    if return_inverse:
        rank = pair("flow.subtract", cumsum(first, 0), 1)
        if order is not None:
            rank = argsort(order)[rank]
        inverse = scatter(wrap(np.zeros(count, np.int64)), 0, places, rank)
        made.append(as_type(reshaped(inverse, x.shape), dtype))
    if return_counts:
        ends = cat([narrow(starts, 0, 1, starts.shape[0] - 1), wrap(np.array([count]))], 0)
        counts = pair("flow.subtract", ends, starts)
        made.append(as_type(counts if order is None else counts[order], dtype))
    return made[0] if len(made) == 1 else tuple(made)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The cumulative product along a dimension."""
    x = either(input, "flow.cumprod")
    x = counted_type(x) if dtype is None else as_type(x, dtype)
    if not x.shape:
        return x
    axis = dim_of(dim, len(x.shape), "flow.cumprod")
    extent, reach = x.shape[axis], 1
    while reach < extent:
        # Multiply each element by the one `reach` positions before it.
        later = narrow(x, axis, reach, extent - reach)
        earlier = narrow(x, axis, 0, extent - reach)
        x = cat([narrow(x, axis, 0, reach), pair("flow.multiply", later, earlier)], axis)
        reach *= 2
    return x


def searchsorted(
    sorted_sequence: Tensor,
    values: Any,
    out_int32: bool = False,
    right: bool = False,
) -> Tensor:
    """The index at which to insert each value into a sorted sequence, before equal elements."""
    row = either(sorted_sequence, "flow.searchsorted")
    if isinstance(values, Tensor | Blob):
        wanted = either(values, "flow.searchsorted")
    else:
        wanted = constant(np.asarray(values, row.dtype.numpy), row)
    lead, count = list(row.shape[:-1]), row.shape[-1]
    if lead and list(wanted.shape[:-1]) != lead:
        raise located(
            RuntimeError,
            "flow.searchsorted takes values of the sequences' shape but for the last extent, got "
            f"shapes {tuple(row.shape)} and {tuple(wanted.shape)}",
        )
    columns = prod(wanted.shape[len(lead) :])
    values_ = reshaped(wanted, [*lead, columns])
    # The first place whose element is not below a value; for NaN, that is the end.
    stop = "flow.greater" if right else "flow.greater_equal"
    low = constant(np.zeros([*lead, columns], np.int64), row, wanted)
    high = constant(np.full([*lead, columns], count, np.int64), row, wanted)
    for _ in range(count.bit_length()):
        middle = pair("flow.floor_divide", pair("flow.add", low, high), 2)
        element = gather(row, -1, pair("flow.minimum", middle, count - 1))
        is_open = pair("flow.less", low, high)
        stops = pair(stop, element, values_)
        moves = pair("flow.logical_and", is_open, op("flow.logical_not", stops))
        low = where(moves, pair("flow.add", middle, 1), low)
        high = where(pair("flow.logical_and", is_open, stops), middle, high)
    return as_type(reshaped(low, list(wanted.shape)), int32 if out_int32 else int64)


def bucketize(input: Tensor, boundaries: Tensor, right: bool = False) -> Tensor:
    """The index of the interval between boundaries that contains each element."""
    return searchsorted(boundaries, input, right=right)


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Indices drawn with probabilities proportional to the weights in each row."""
    x = check_tensor(input, "flow.multinomial")
    count = check_integer(num_samples, "num_samples of flow.multinomial")
    if len(x.shape) not in (1, 2):
        raise located(
            RuntimeError,
            f"flow.multinomial takes one or two dimensions, got shape {tuple(x.shape)}",
        )
    if bool(any(pair("flow.less", x, 0))):
        raise located(RuntimeError, "flow.multinomial takes weights of at least 0")
    if replacement:
        bounds = cumsum(x, -1)
        total = narrow(bounds, -1, x.shape[-1] - 1, 1)
        shape = [*x.shape[:-1], count]
        drawn = rand(*shape, generator=generator, dtype=x.dtype)
        return searchsorted(bounds, pair("flow.multiply", drawn, total), right=True)
    if count > x.shape[-1]:
        raise located(RuntimeError, f"{count} of {x.shape[-1]} cannot be drawn without replacement")
    # Draw an exponential number at each weight's rate; the smallest numbers win, in order.
    rates = op("flow.negative", op("flow.log", rand(*x.shape, generator=generator, dtype=x.dtype)))
    times = where(pair("flow.greater", x, 0), pair("flow.divide", rates, x), float("inf"))
    return narrow(sort(times, -1).indices, -1, 0, count)


def isin(elements: Tensor, test_elements: Tensor) -> Tensor:
    """Whether each element is one of `test_elements`."""
    x, among = either(elements, "flow.isin"), either(test_elements, "flow.isin")
    return any(pair("flow.equal", unsqueeze(x, -1), flatten(among)), -1)


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Non-maximum suppression: the positions of the boxes that overlap no better box by more than a
    threshold, best first.

    `boxes` are floats of shape [n, 4], corners x1, y1, x2, y2; `scores` has one number for each.
    Overlap is intersection over union.
    """
    what = "flow.nms"
    corners, values = numbers(boxes, what), numbers(scores, what)
    if len(corners.shape) != 2 or corners.shape[1] != 4 or values.shape != corners.shape[:1]:
        raise located(
            ValueError,
            f"{what} takes boxes of shape (n, 4) and n scores, got shapes {tuple(corners.shape)} "
            f"and {tuple(values.shape)}",
        )
    best = argsort(values, 0, True)
    threshold = check_number(iou_threshold, f"iou_threshold of {what}")
    kept = op("flow.nms", index_select(corners, 0, best), threshold=threshold, what=what)
    return index_select(best, 0, nonzero(kept, as_tuple=True)[0])


def roc_auc_score(label: Tensor, pred: Tensor) -> Tensor:
    """The area under the curve of true over false positive rates, as a float32 of shape (1,).

    It is the share of pairs of a positive (a label that is not 0) and a negative of which the
    positive's prediction is larger; equal ones count half. NaN without positives or negatives.
    Source: Hanley and McNeil, "The meaning and use of the area under a ROC curve", 1982.

    >>> import penstock as flow
    >>> flow.roc_auc_score(flow.tensor([0, 0, 1, 1]), flow.tensor([0.1, 0.4, 0.35, 0.8]))
    tensor([0.7500], dtype=penstock.float32)
    """
    what = "flow.roc_auc_score"
    labels, scores = either(label, what), either(pred, what)
    if len(scores.shape) != 1 or labels.shape != scores.shape or not scores.dtype.is_float:
        raise located(
            ValueError,
            f"{what} takes labels and predictions of floats, one for each, got shapes "
            f"{tuple(labels.shape)} and {tuple(scores.shape)} of {scores.dtype}",
        )
    ordered = sort(scores).values
    first, last = (searchsorted(ordered, scores, right=right) for right in (False, True))
    rank = as_type(pair("flow.add", first, last), float64)  # twice the mean rank, less 1
    is_positive = pair("flow.not_equal", labels, 0)
    positives = as_type(sum(is_positive), float64)
    negatives = pair("flow.subtract", float(scores.shape[0]), positives)
    total = pair("flow.divide", sum(where(is_positive, pair("flow.add", rank, 1.0), 0.0)), 2.0)
    least = pair("flow.multiply", positives, pair("flow.add", positives, 1.0))
    above = pair("flow.subtract", total, pair("flow.divide", least, 2.0))
    area = pair("flow.divide", above, pair("flow.multiply", positives, negatives))
    return reshaped(as_type(area, float32), [1])


FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        median, mode, quantile, unique, cumprod, searchsorted, bucketize, multinomial, isin, nms,
        roc_auc_score,
    )
}  # fmt: skip
"""Every function of this module by its public name."""
