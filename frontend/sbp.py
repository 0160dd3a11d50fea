"""`flow.sbp`: how the elements of a tensor are spread over the ranks of a placement.

On one rank, which holds all elements, every signature means the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.basics.errors import kind_of, located
from penstock.basics.names import no_such
from penstock.ir.record import Record

__all__ = ["broadcast", "partial_sum", "sbp", "split"]


class Signature(Record):
    """The signature of a tensor along one dimension of a placement.

    >>> import penstock as flow
    >>> flow.sbp.split(0), flow.sbp.broadcast, flow.sbp.split(0) == flow.sbp.split(1)
    (penstock.sbp.split(dim=0), penstock.sbp.broadcast, False)
    """

    kind: str
    axis: int | None = None

    def __call__(self) -> Signature:
        """The signature itself: `flow.sbp.broadcast()` is `flow.sbp.broadcast`."""
        return self

    def __repr__(self) -> str:
        return f"penstock.sbp.{self.kind}" + ("" if self.axis is None else f"(dim={self.axis})")


sbp = Signature
broadcast = Signature("broadcast")
"""Every rank has all elements."""
partial_sum = Signature("partial_sum")
"""The elements are the sums over the ranks."""


def split(dim: int) -> Signature:
    """Each rank has a part of the elements, split along dimension `dim`."""
    if type(dim) is not int or dim < 0:
        raise located(
            ValueError, f"flow.sbp.split takes a dimension of at least 0, got {kind_of(dim)}"
        )
    return Signature("split", dim)


def signatures(given: Any, what: str) -> tuple[Signature, ...]:
    """One signature, or a list of them, as a tuple; else a located TypeError."""
    found = tuple(given) if isinstance(given, list | tuple) else (given,)
    for one in found:
        if not isinstance(one, Signature):
            raise located(
                TypeError,
                f"sbp of {what} must be flow.sbp.split(dim), flow.sbp.broadcast or "
                f"flow.sbp.partial_sum, or a list of them, got {kind_of(one)}",
            )
    return found


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.sbp")
