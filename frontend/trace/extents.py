"""Blobs whose extent along a dimension a run decides, up to the one in their shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from penstock.basics.errors import located
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.record import Record

_SPLIT = re.compile(r"S\((\d+)\)")


class Extent(Record):
    """How far a blob extends along a dimension: a value of one element, in which a run says it."""

    count: Value
    dimension: int


class Extending(Protocol):
    """A blob, as far as it extends."""

    name: str

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def extent(self) -> Extent | None: ...


def refusal(blob: Extending, extent: Extent, what: str) -> ValueError:
    """That something needs a blob whose shape is known."""
    return located(
        ValueError,
        f"{what} needs all of blob {blob.name}, and how far that extends along dimension "
        f"{extent.dimension}, at most {blob.shape[extent.dimension]}, is known only when the job "
        "runs; return it from the job, annotated tp.ListNumpy, and go on with its array",
    )


def extents_of(op: Operation, blobs: Sequence[Extending], what: str) -> list[Extent | None]:
    """How far the results of an op extend whose operands are these blobs.

    Along a dimension that ranks may split, each part of the results is computed from the same part
    of the operands alone: so what lies beyond an extent stays beyond it. Raises a located
    ValueError where the op may not be split along the dimension of an operand's extent.
    """
    dynamic = [blob for blob in blobs if blob.extent is not None]
    if not dynamic:
        return [None] * len(op.results)
    # Needed here alone, and most jobs have no such blobs.
    from penstock.ir.meaning.sbp_rules import signatures

    assert isinstance(op, TensorOp)
    counts = {blob.extent.count for blob in dynamic if blob.extent is not None}
    wanted = tuple(_state(blob) for blob in blobs)
    for signature in signatures(op):
        found = [match for match in map(_SPLIT.fullmatch, signature.results) if match]
        fits = signature.operands == wanted and not signature.blocks
        if fits and len(found) == len(op.results) and len(counts) == 1:
            (count,) = counts
            return [Extent(count, int(match[1])) for match in found]
    first = dynamic[0]
    assert first.extent is not None
    raise refusal(first, first.extent, what)


def _state(blob: Extending) -> str:
    return "B" if blob.extent is None else f"S({blob.extent.dimension})"
