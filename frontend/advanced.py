"""`flow.advanced`: parts of a batch that a program places on one rank each.

    left, right = flow.advanced.distribute_split(x)        # on two ranks
    y = flow.advanced.distribute_concat([left * 2, right])

The ranks are those of the placement that is in force. Values are what they would be on one rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from penstock.basics.errors import counted, kind_of, located
from penstock.basics.names import no_such
from penstock.functions.ops import identity
from penstock.ir.dialects.job.sharding import part
from penstock.scope import Placement, current_placement, placement
from penstock.trace.blob import Blob, apply, check_blob
from penstock.trace.thin import axis_of
from penstock.trace.tracing import current_trace

__all__ = [
    "distribute_add",
    "distribute_clone",
    "distribute_concat",
    "distribute_map",
    "distribute_split",
]


def distribute_clone(x: Blob, name: str | None = None) -> tuple[Blob, ...]:
    """x itself, once on each rank."""
    x = check_blob(x, "flow.advanced.distribute_clone")
    copies = []
    for rank in _ranks("flow.advanced.distribute_clone"):
        with rank:
            copies.append(identity(x, name or "distribute_clone"))
    return tuple(copies)


def distribute_split(x: Blob, axis: int = 0, name: str | None = None) -> tuple[Blob, ...]:
    """The parts of x along a dimension, each on its rank; the first have one more if they differ.

    Raises a located ValueError if x has no such dimension, or fewer elements along it than ranks.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     (whole,) = flow.advanced.distribute_split(x)  # one rank
    ...     return whole * 2.0
    >>> job(np.array([1, 2, 3], np.float32))
    array([2., 4., 6.], dtype=float32)
    """
    what = "flow.advanced.distribute_split"
    x, ranks = check_blob(x, what), _ranks(what)
    dim = axis_of(axis, len(x.shape), what)
    if x.shape[dim] < len(ranks):
        raise located(
            ValueError,
            f"{what} splits blob {x.name} of shape {x.shape} along dimension {dim}: expected at "
            f"least one element for each of {len(ranks)} ranks; split another dimension",
        )
    parts = []
    for i, rank in enumerate(ranks):
        start, size = part(x.shape[dim], len(ranks), i)
        starts = [start if d == dim else 0 for d in range(len(x.shape))]
        sizes = [size if d == dim else extent for d, extent in enumerate(x.shape)]
        with rank:
            options = {"starts": starts, "sizes": sizes, "steps": [1] * len(sizes)}
            parts += apply("flow.slice", x, name=name or "distribute_split", what=what, **options)
    return tuple(parts)


def distribute_add(xs: Sequence[Blob], name: str | None = None) -> Blob:
    """The sum of one blob from each rank."""
    what = "flow.advanced.distribute_add"
    first, *others = _one_each(xs, what)
    total = identity(first, name or "distribute_add") if not others else first
    for x in others:
        total = apply("flow.add", total, x, name=name or "distribute_add", what=what)[0]
    return total


def distribute_concat(xs: Sequence[Blob], axis: int = 0, name: str | None = None) -> Blob:
    """One blob from each rank, joined along a dimension."""
    what = "flow.advanced.distribute_concat"
    blobs = _one_each(xs, what)
    dim = axis_of(axis, len(blobs[0].shape), what)
    whole = blobs[0]
    for x in blobs[1:]:
        whole = apply("flow.concat", whole, x, axis=dim, what=what)[0]
    return identity(whole, name or "distribute_concat")


def distribute_map(
    xs: Blob | Sequence[Blob], f: Callable[..., Blob | Sequence[Blob]], axis: int = 0
) -> Blob | tuple[Blob, ...]:
    """`f` of the parts of the blobs, for each rank, with its results joined along the dimension."""
    what = "flow.advanced.distribute_map"
    if not callable(f):
        raise located(TypeError, f"{what} takes a function second, got {kind_of(f)}")
    blobs = [xs] if isinstance(xs, Blob) else list(xs)
    parts = [distribute_split(x, axis) for x in blobs]
    made: list[tuple[Blob, ...]] = []
    single = True
    for rank, members in zip(_ranks(what), zip(*parts, strict=True), strict=True):
        with rank:
            result = f(*members)
        single = isinstance(result, Blob)
        made.append((result,) if isinstance(result, Blob) else tuple(result))
    joined = tuple(distribute_concat(same, axis) for same in zip(*made, strict=True))
    return joined[0] if single else joined


def _ranks(what: str) -> list[Placement]:
    """A placement on each of the ranks that ops run on here."""
    trace = current_trace(what)
    here = current_placement() or trace.placement
    return [placement("cpu", "0:0")] if here is None else here.one_by_one()


def _one_each(xs: Sequence[Blob], what: str) -> list[Blob]:
    if not isinstance(xs, list | tuple):
        raise located(TypeError, f"{what} takes a list of blobs, got {kind_of(xs)}")
    blobs, count = [check_blob(x, what) for x in xs], len(_ranks(what))
    if len(blobs) != count:
        raise located(
            ValueError,
            f"{what} takes a blob from each of {counted(count, 'rank')}, got {len(blobs)}; "
            "make them with distribute_split or distribute_clone on the same placement",
        )
    return blobs


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.advanced")
