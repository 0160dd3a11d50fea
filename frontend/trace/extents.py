"""Dynamic blobs: the extent along one dimension is known only at run time, with a bound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from penstock.basics.errors import untraceable
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.record import Record

_SPLIT = re.compile(r"S\((\d+)\)")


class Extent(Record):
    """The extent of a blob along a dimension: a value of one element, computed at run time."""

    count: Value
    dimension: int


class Extending(Protocol):
    """A blob, trimmed to its extent."""

    name: str

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def extent(self) -> Extent | None: ...


def refusal(blob: Extending, extent: Extent, what: str) -> ValueError:
    """The error that something needs a blob with a static shape."""
    return untraceable(
        ValueError,
        f"{what} needs all of blob {blob.name}, whose extent along dimension {extent.dimension}, "
        f"at most {blob.shape[extent.dimension]}, is known only when the job runs; return it from "
        "the job, annotated tp.ListNumpy, and compute with its array",
    )


def extents_of(op: Operation, blobs: Sequence[Extending], what: str) -> list[Extent | None]:
    """The extents of an op's results, from those of its operands.

    If ranks may split a dimension, each part of the results depends only on the same part of the
    operands, so elements beyond an extent stay beyond it. Raises a located ValueError if the op may
    not be split along the dimension of an operand's extent.
    """
    dynamic = [blob for blob in blobs if blob.extent is not None]
    if not dynamic:
        return [None] * len(op.results)
    # Imported here because most jobs have no such blobs.
    from penstock.ir.meaning.sbp_rules import signatures

    assert isinstance(op, TensorOp)
    counts = {blob.extent.count for blob in dynamic if blob.extent is not None}
    wanted = tuple(_state(blob) for blob in blobs)
    for signature in signatures(op):
        found = [match for match in map(_SPLIT.fullmatch, signature.results) if match]
        fits = signature.operands == wanted and not (signature.blocks or signature.exchanges)
        if fits and len(found) == len(op.results) and len(counts) == 1:
            (count,) = counts
            return [Extent(count, int(match[1])) for match in found]
    first = dynamic[0]
    assert first.extent is not None
    raise refusal(first, first.extent, what)


def _state(blob: Extending) -> str:
    return "B" if blob.extent is None else f"S({blob.extent.dimension})"
