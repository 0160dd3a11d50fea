"""Functions that return the blob itself: under another name, or as ranks share it otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.errors import kind_of, located
from penstock.distribute import Distribution, check_distribute
from penstock.functions.ops import identity
from penstock.ir.dialects.job.sharding import part
from penstock.scope import mirrored_view_enabled
from penstock.trace.blob import Blob, apply, cast_states, check_blob


def identity_n(inputs: Sequence[Blob], name: str | None = None) -> list[Blob]:
    """Return each blob itself, under another name."""
    what = "flow.identity_n"
    if not isinstance(inputs, list | tuple):
        raise located(TypeError, f"{what} takes a list of blobs, got {kind_of(inputs)}")
    blobs = [check_blob(blob, what) for blob in inputs]
    label = name or "identity_n"
    return [apply("flow.identity", blob, name=label, what=what)[0] for blob in blobs]


def cast_to_current_logical_view(x: Blob) -> Blob:
    """x in the view of the scope; on one rank, x itself.

    In the mirrored view, each rank gets its part of the samples, or all of x if it has none. In the
    consistent view, the ranks' samples are joined. Raises a located ValueError where the ranks'
    samples are not one after the other along dimension 0, or of different numbers.
    """
    x = check_blob(x, "flow.cast_to_current_logical_view")
    if x.trace.ranks == 1 or x.is_local == mirrored_view_enabled():
        return x
    return _joined_parts(x) if x.is_local else _own_part(x)


def _own_part(x: Blob) -> Blob:
    """What a rank has of the samples of x."""
    axis, trace, what = x.batch_axis, x.trace, "flow.cast_to_current_logical_view"
    local = Blob(trace.cloned(x.value), x.name, trace, x.location)
    if axis is None:
        return local
    if axis != 0 or x.shape[0] < trace.ranks:
        raise located(
            ValueError,
            f"{what} gives each of {trace.ranks} ranks a part of blob {x.name} along dimension 0, "
            f"and it is of shape {x.shape} with samples along dimension {axis}; transpose it, or "
            "give it more samples",
        )
    trace.depends_on_rank = True
    start, size = part(x.shape[0], trace.ranks, trace.rank)
    starts, sizes = [start, *[0] * (len(x.shape) - 1)], [size, *x.shape[1:]]
    steps = [1] * len(sizes)
    return apply("flow.slice", local, what=what, starts=starts, sizes=sizes, steps=steps)[0]


def _joined_parts(x: Blob) -> Blob:
    """The samples of all ranks, one after the other."""
    trace, what = x.trace, "flow.cast_to_current_logical_view"
    if not x.shape or not trace.parts_are_even or not x.dtype.is_float:
        raise located(
            ValueError,
            f"{what} joins floats of the ranks, of one shape with samples along dimension 0, and "
            f"blob {x.name} is of {x.dtype} and shape {x.shape}"
            + ("" if trace.parts_are_even else ", which differs by rank"),
        )
    trace.depends_on_rank = True
    before, after = trace.rank * x.shape[0], (trace.ranks - 1 - trace.rank) * x.shape[0]
    rest = [0] * (len(x.shape) - 1)
    low, high = [before, *rest], [after, *rest]
    padded = apply("flow.pad", x, what=what, before=low, after=high, inside=[0, *rest], value=0.0)[
        0
    ]
    return apply("sbp.from_local", padded, what=what)[0]


def cast_to_static_shape(x: Blob, name: str | None = None) -> Blob:
    """x with its static shape: x itself."""
    return identity(check_blob(x, "flow.cast_to_static_shape"), name or "cast_to_static_shape")


def amp_white_identity(x: Blob, name: str | None = None) -> Blob:
    """x itself, under another name."""
    return identity(check_blob(x, "flow.amp_white_identity"), name or "amp_white_identity")


def parallel_cast(
    input: Blob,
    name: str | None = None,
    distribute: Distribution | None = None,
    gradient_distribute: Distribution | None = None,
) -> Blob:
    """x, and its gradient, as ranks are to share them; on one rank, x itself. On a mesh of several
    axes, each is a list of one distribution for each axis.

    Raises a located TypeError or ValueError for anything but distributions of such a blob.
    """
    what = "flow.parallel_cast"
    x = check_blob(input, what)
    for value, word in (
        (distribute, "distribute"),
        (gradient_distribute, "gradient_distribute"),
    ):
        if value is not None:
            check_distribute(value, f"{word} of {what}")
    return cast_states(x, distribute, gradient_distribute, name or "parallel_cast")
