"""Functions that return the blob itself: under another name, or as ranks share it otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.errors import kind_of, located
from penstock.distribute import Distribute, check_distribute
from penstock.functions.ops import identity
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
    """x in the scope's view; on one device, x itself."""
    return check_blob(x, "flow.cast_to_current_logical_view")


def cast_to_static_shape(x: Blob, name: str | None = None) -> Blob:
    """x with its static shape: x itself."""
    return identity(check_blob(x, "flow.cast_to_static_shape"), name or "cast_to_static_shape")


def amp_white_identity(x: Blob, name: str | None = None) -> Blob:
    """x itself, under another name."""
    return identity(check_blob(x, "flow.amp_white_identity"), name or "amp_white_identity")


def parallel_cast(
    input: Blob,
    name: str | None = None,
    distribute: Distribute | None = None,
    gradient_distribute: Distribute | None = None,
) -> Blob:
    """x, and its gradient, as ranks are to share them; on one rank, x itself.

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
